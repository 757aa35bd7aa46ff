import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { forbiddenImports, hostFilesWithoutEditor, importCircles, readSources } from '../../run/imports.ts';

describe('the import table', () => {
  const objections = (path: string, text: string) => forbiddenImports([{ path, text }]);

  it('lets a folder import itself and rows below it', () => {
    const text = [
      "import { z } from 'zod';",
      "import type { Log } from '../base/log.ts';",
      "import {\n  runTurn,\n  type Turn,\n} from './turn.ts';",
      "export * from '../relay/messages.ts';",
    ].join('\n');
    assert.deepEqual(objections('chat/chatController.ts', text), []);
  });

  it('names the file and the import that points up', () => {
    assert.deepEqual(objections('relay/streamModel.ts', "import { x } from '../chat/turn.ts';"), [
      "src/relay/streamModel.ts imports '../chat/turn.ts': relay may import only net, base",
    ]);
  });

  it('keeps vscode at the edge', () => {
    const text = "import * as vscode from 'vscode';";
    assert.equal(objections('panel/panelController.ts', text).length, 1);
    assert.deepEqual(objections('host/chatView.ts', text), []);
    assert.deepEqual(objections('extension.ts', text), []);
  });

  it('finds imports of every form', () => {
    for (const text of [
      "import '../host/a.ts';",
      "import type { A } from '../host/a.ts';",
      "export { a } from '../host/a.ts';",
      "import {\n  a,\n} from '../host/a.ts';",
      "const a = await import('../host/a.ts');",
      "type A = import('../host/a.ts').A;",
    ]) {
      assert.equal(objections('base/b.ts', text).length, 1, text);
    }
  });

  it('keeps the page apart', () => {
    assert.equal(objections('webview/main.tsx', "import { a } from '../chat/a.ts';").length, 1);
    assert.equal(objections('host/chatView.ts', "import { a } from '../webview/a.ts';").length, 1);
  });

  it('asks for a row for a new folder', () => {
    assert.equal(objections('misc/a.ts', "import { a } from './b.ts';").length, 1);
  });

  it('reads the real sources', async () => {
    assert.ok((await readSources()).some(({ path }) => path === 'base/errors/errors.ts'));
  });
});

describe('src/host', () => {
  it('is told from application code by what its code reaches', () => {
    const files = {
      'host/dialog.ts': "import * as vscode from 'vscode';",
      'host/ask.ts': "const { dialog } = await import('./dialog.ts');",
      'host/typed.ts':
        "import type { Dialog } from './dialog.ts';\nimport { type Dialog as D } from './dialog.ts';",
      'chat/turn.ts': "import { a } from '../base/a.ts';",
    };
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
    assert.deepEqual(hostFilesWithoutEditor(sources), ['host/typed.ts']);
  });

  it('holds adapters to the editor, and what says of which parts they are made', async () => {
    assert.deepEqual(hostFilesWithoutEditor(await readSources()), [
      'host/apps/appCommandContext.ts',
      'host/ids.ts',
      'host/knowledge/knowledgeCommandContext.ts',
      // They ask by notifications or wait for an editor's list, and import only a type.
      'host/knowledgeServer/askAccess.ts',
      'host/ui/quickPicks.ts',
      'host/window/createMeter.ts',
    ]);
  });
});

describe('the rooms of src', () => {
  it('hold at most 25 files each', async () => {
    const counts = new Map<string, number>();
    for (const { path } of await readSources()) {
      const folder = posix.dirname(path);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 25),
      [],
    );
  });

  it('load packages late by a file of their own: a bundled one of CommonJS has no named exports', async () => {
    const sources = await readSources();
    const late = sources.filter(({ text }) => /await import\('[^.]/.test(text)).map(({ path }) => path);
    // jsonrepair is an ES module.
    assert.deepEqual(late, ['chat/calls/readCall.ts']);
  });

  it('import each other in no circle, types included', async () => {
    assert.deepEqual(importCircles(await readSources()), []);
  });

  it('are told of a circle by its files, the largest first', () => {
    const files = {
      'chat/a.ts': "import type { B } from './b.ts';",
      'chat/b.ts': "import { c } from './c.ts';",
      'chat/c.ts': "type A = import('./a.ts').A;",
      'chat/d.ts': "import { a } from './a.ts';",
      'chat/e.ts': "import { f } from './f.ts';",
      'chat/f.ts': "import { e } from './e.ts';",
    };
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
    assert.deepEqual(importCircles(sources), [
      ['chat/a.ts', 'chat/b.ts', 'chat/c.ts'],
      ['chat/e.ts', 'chat/f.ts'],
    ]);
  });
});
