import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { unzip } from '../support/zip.ts';

describe('the VSIX', () => {
  it('holds what runs, the licences of what is in it, and nothing else', async () => {
    const files = unzip(await readFile(join(root, 'dist', 'switchboard.vsix')));
    const notices = files.get('extension/dist/THIRD-PARTY-NOTICES.txt')?.toString() ?? '';
    for (const name of [
      'undici',
      'zod',
      'preact',
      'dompurify',
      'highlight.js',
      '@vscode/codicons',
      '@vscode/l10n',
    ]) {
      assert.match(notices, new RegExp(`\\n${name.replace('/', '\\/')} \\d`));
    }
    assert.ok(files.has('extension/dist/extension.mjs') && files.has('extension/LICENSE.txt'));
    const strange = [...files.keys()].filter(
      (path) =>
        !/^(extension\/(dist\/|media\/|package(\.nls(\.zh-cn)?)?\.json$|(readme|changelog)\.md$|LICENSE\.txt$)|extension\.vsixmanifest$|\[Content_Types\]\.xml$)/.test(
          path,
        ),
    );
    assert.deepEqual(strange, []);
    assert.ok(![...files.keys()].some((path) => /node_modules|\.map$|\.env|\/test\//.test(path)));
  });
});
