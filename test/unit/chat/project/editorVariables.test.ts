import assert from 'node:assert/strict';
import { editorVariables } from '../../../../src/chat/project/editorVariables.ts';
import { toolsUnderTest } from '../../../support/toolsUnderTest.ts';

describe('variables of prompt files', () => {
  const names = [
    ...['workspaceFolder', 'workspaceFolderBasename', 'file', 'fileBasename', 'fileDirname'],
    ...['fileBasenameNoExtension', 'selection', 'selectedText'],
  ];
  const selection = {
    ...{ start: { line: 1, column: 1 }, end: { line: 1, column: 4 } },
    ...{ text: 'abc', redacted: 'a[redacted secret]' },
  };

  function variablesWith(path?: string, isActive = true) {
    const { dependencies, workspace } = toolsUnderTest({
      '/work/src/tide.test.ts': 'abc',
      '/work/.env': 'abc',
    });
    const editor = { path: path ?? '', isActive, isVisible: true, hasUnsavedChanges: false, selection };
    workspace.openEditors = path === undefined ? [] : [editor];
    return editorVariables(dependencies, [...names, 'toString', 'userHome']);
  }

  it('tell the folder, the active file and what is selected, without secrets', async () =>
    assert.deepEqual(await variablesWith('/work/src/tide.test.ts'), {
      workspaceFolder: '/work',
      workspaceFolderBasename: 'work',
      file: 'src/tide.test.ts',
      fileBasename: 'tide.test.ts',
      fileDirname: 'src',
      fileBasenameNoExtension: 'tide.test',
      selection: 'a[redacted secret]',
      selectedText: 'a[redacted secret]',
    }));

  const others: Record<string, [path?: string, isActive?: boolean]> = {
    'a file that models may not read': ['/work/.env'],
    'a file that is not active': ['/work/src/tide.test.ts', false],
    'no file': [],
  };
  for (const [name, [path, isActive]] of Object.entries(others)) {
    it(`tell only the folder with ${name}`, async () => {
      const known = Object.entries(await variablesWith(path, isActive));
      assert.deepEqual(
        known.filter(([, value]) => value !== undefined),
        [
          ['workspaceFolder', '/work'],
          ['workspaceFolderBasename', 'work'],
        ],
      );
      assert.deepEqual(
        known.map(([each]) => each),
        names,
      );
    });
  }

  it('are only those asked for', async () => {
    const { dependencies } = toolsUnderTest({});
    assert.deepEqual(await editorVariables(dependencies, ['workspaceFolder']), { workspaceFolder: '/work' });
  });
});
