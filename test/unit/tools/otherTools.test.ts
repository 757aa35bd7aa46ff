import assert from 'node:assert/strict';
import { findOtherTools, refusalKey, refusesOtherCallers } from '../../../src/tools/otherTools.ts';

const extension = (contributes: unknown, displayName?: string) => ({
  id: 'harbour.tides',
  packageJSON: { displayName, version: '1.2.0', contributes },
});
const listed = (...names: string[]) => names.map((name) => ({ name, description: `What ${name} does.` }));

describe('tools of others', () => {
  it('are those that an extension declares, by their display names', () => {
    const declared = extension(
      {
        languageModelTools: [
          { name: 'tide_now', displayName: 'Tide now', userDescription: 'How high the water is.' },
          { name: 'tide_next' },
        ],
      },
      'Tide Tables',
    );
    const of = { source: 'Tide Tables', isFromMcpServer: false, version: '1.2.0' };
    assert.deepEqual(findOtherTools(listed('tide_next', 'tide_now'), [declared]), [
      { name: 'tide_next', title: 'tide_next', detail: 'What tide_next does.', ...of },
      { name: 'tide_now', title: 'Tide now', detail: 'How high the water is.', ...of },
    ]);
  });

  it('are those of MCP servers, by the server', () => {
    assert.deepEqual(
      findOtherTools(listed('mcp_refsrv_add', 'mcp_refsrv_sub_all', 'mcp_', 'mcp_x'), []).map(
        ({ source, title, isFromMcpServer }) => [source, title, isFromMcpServer],
      ),
      [
        ['refsrv', 'add', true],
        ['refsrv', 'sub_all', true],
      ],
    );
  });

  it("are none of the editor's own", () => {
    const own = [
      'run_in_terminal',
      'vscode_editFile_internal',
      'manage_todo_list',
      'vscode_get_confirmation',
    ];
    assert.deepEqual(findOtherTools(listed(...own), [extension({})]), []);
    const bundled = { ...extension({ languageModelTools: [{ name: 'render' }] }), id: 'vscode.diagrams' };
    assert.deepEqual(findOtherTools(listed('render'), [bundled]), []);
  });

  it('are found in manifests of any shape', () => {
    for (const manifest of [
      undefined,
      1,
      [],
      { contributes: [] },
      { contributes: { languageModelTools: {} } },
    ]) {
      assert.deepEqual(findOtherTools(listed('a'), [{ id: 'x', packageJSON: manifest }]), []);
    }
    const odd = extension({ languageModelTools: [null, 'a', { name: 1 }, { name: 'a' }] });
    assert.deepEqual(
      findOtherTools(listed('a'), [odd]).map(({ title, source }) => [title, source]),
      [['a', 'harbour.tides']],
    );
  });

  it('are known to refuse other callers by what the editor says, for one version', () => {
    for (const said of [
      'Invocation context must be provided for this tool',
      'toolInvocationToken is required for this tool',
      'No invocation context',
    ]) {
      assert.equal(refusesOtherCallers(new Error(said)), true, said);
    }
    assert.equal(refusesOtherCallers(new Error('The gauge does not answer')), false);
    assert.equal(refusesOtherCallers('Invocation context'), false);
    const [tool] = findOtherTools(listed('a'), [extension({ languageModelTools: [{ name: 'a' }] })]);
    assert.ok(tool);
    assert.equal(refusalKey(tool), 'a@1.2.0');
  });
});
