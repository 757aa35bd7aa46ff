import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findOtherTools,
  refusalKey,
  ruleIn,
  titleWithOwner,
  type ToolExtension,
} from '../../../src/tools/otherTools.ts';
import { refusesOtherCallers } from '../../../src/tools/toolFailure.ts';
import { callMessage } from '../../../src/chat/calls/callMessage.ts';
import { actingToolRisks, ownToolNames } from '../../../src/tools/ownToolNames.ts';
import { toolsUnderTest } from '../../support/toolsUnderTest.ts';
import { workspaceTools } from '../../../src/tools/allTools.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import type { Tool } from '../../../src/tools/tool.ts';

const extension = (contributes: unknown, displayName?: string) => ({
  id: 'harbour.tides',
  packageJSON: { displayName, version: '1.2.0', contributes },
});
const find = (
  named: readonly { name: string; description: string }[],
  extensions: readonly ToolExtension[],
) => findOtherTools(named, extensions, 'switchboard.switchboard');
const declaring = (id: string, ...names: string[]): ToolExtension => ({
  id,
  packageJSON: { version: '1', contributes: { languageModelTools: names.map((name) => ({ name })) } },
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
    const named = (name: string) => ({ name, registeredName: name, key: `harbour.tides/${name}` });
    assert.deepEqual(find(listed('tide_next', 'tide_now'), [declared]), [
      { ...named('tide_next'), title: 'tide_next', detail: 'What tide_next does.', ...of },
      { ...named('tide_now'), title: 'Tide now', detail: 'How high the water is.', ...of },
    ]);
  });

  it('are those of MCP servers, by the server', () => {
    assert.deepEqual(
      find(listed('mcp_refsrv_add', 'mcp_refsrv_sub_all', 'mcp_', 'mcp_x'), []).map(
        ({ source, title, isFromMcpServer }) => [source, title, isFromMcpServer],
      ),
      [
        ['refsrv', 'add', true],
        ['refsrv', 'sub_all', true],
      ],
    );
  });

  it('are told with all of those that declare the name, and none at length', () => {
    const long = extension({ languageModelTools: [{ name: 'a', userDescription: 'word '.repeat(1000) }] });
    const other = { ...declaring('x.y', 'a'), packageJSON: { ...extension({}).packageJSON, version: '9' } };
    other.packageJSON.contributes = { languageModelTools: [{ name: 'a' }] };
    const [tool] = find(listed('a'), [long, other]);
    assert.ok(tool);
    assert.ok(tool.detail.length > 900 && tool.detail.length <= 1001, `${tool.detail.length}`);
    assert.deepEqual(
      [tool.source, tool.key, refusalKey(tool)],
      ['harbour.tides, x.y', 'harbour.tides+x.y/a', 'harbour.tides+x.y/a@1.2.0+9'],
    );
    const name = 'a'.repeat(65);
    const [given] = find(listed(name), [declaring('x.y', name)]);
    assert.match(given?.name ?? '', /^ext_x_y_a{47}_[0-9a-f]{8}$/);
  });

  it("are none of the editor's own", () => {
    const own = [
      'run_in_terminal',
      'vscode_editFile_internal',
      'manage_todo_list',
      'vscode_get_confirmation',
    ];
    assert.deepEqual(find(listed(...own), [extension({})]), []);
    const bundled = { ...extension({ languageModelTools: [{ name: 'render' }] }), id: 'vscode.diagrams' };
    assert.deepEqual(find(listed('render'), [bundled]), []);
  });

  it('are found in manifests of any shape', () => {
    for (const manifest of [
      undefined,
      1,
      [],
      { contributes: [] },
      { contributes: { languageModelTools: {} } },
    ]) {
      assert.deepEqual(find(listed('a'), [{ id: 'x', packageJSON: manifest }]), []);
    }
    const odd = extension({ languageModelTools: [null, 'a', { name: 1 }, { name: 'a' }] });
    assert.deepEqual(
      find(listed('a'), [odd]).map(({ title, source }) => [title, source]),
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
    const [tool] = find(listed('a'), [extension({ languageModelTools: [{ name: 'a' }] })]);
    assert.ok(tool);
    assert.equal(refusalKey(tool), 'harbour.tides/a@1.2.0');
  });

  it("never take the name of one of ours, nor one that is read as it, and are offered under their extension's", () => {
    const attempts = [
      ...ownToolNames,
      ...['Read_File', 'readFile', 'read-file', 'READ_FILE', '_read_file_', 'read__file'],
      ...['read_fi1e', 'reacl_file', 'edlt_file', 'ed1t_file', 'cr3ate_f1le', 'run_cornmand', 'run_c0mmand'],
      ...['5earch_text', 'g3t_chang3s', 'update-p1an', 'search_knovvledge'],
      ...['re4d_file', '9et_changes', '6et_changes', 'lis7_files', 'find_sym8ols'],
    ];
    const found = find(listed(...attempts), [declaring('Harbour.Tides', ...attempts)]);
    assert.equal(found.length, attempts.length);
    for (const { name, registeredName, key } of found) {
      assert.match(name, /^ext_harbour_tides_[\w-]+$/);
      assert.equal(name, `ext_harbour_tides_${registeredName}`);
      assert.equal(key, `harbour.tides/${registeredName}`);
    }
    // Nobody has such a name beforehand.
    const names = find(listed('read_file', 'ext_a_b_read_file'), [
      declaring('a.b', 'read_file'),
      declaring('x.y', 'ext_a_b_read_file'),
    ]).map(({ name }) => name);
    assert.deepEqual(names, ['ext_a_b_read_file', 'ext_x_y_ext_a_b_read_file']);
    // Names that resemble ours only in part are kept.
    assert.deepEqual(
      find(listed('read_files_of_tide', 'reader'), [declaring('h.t', 'read_files_of_tide', 'reader')]).map(
        ({ name }) => name,
      ),
      ['read_files_of_tide', 'reader'],
    );
  });

  it('have names that every vendor takes, each once, and the same whatever else there is', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9-]{1,40}$/);
    const toolName = fc.oneof(
      fc.constantFrom<string>(...ownToolNames),
      fc.stringMatching(/^[\w-]{1,80}$/),
      fc.string({ minLength: 1, maxLength: 80, unit: 'binary' }),
      fc.stringMatching(/^ext_[a-z]{1,3}_[a-z]{1,3}_[a-z_]{1,12}$/),
    );
    const extensions = fc.uniqueArray(
      fc.record({ publisher: part, name: part, tools: fc.uniqueArray(toolName, { maxLength: 4 }) }),
      { maxLength: 5, selector: ({ publisher, name }) => `${publisher}.${name}`.toLowerCase() },
    );
    fc.assert(
      fc.property(extensions, (all) => {
        const installed = all.map(({ publisher, name, tools }) =>
          declaring(`${publisher}.${name}`, ...tools),
        );
        const names = [...new Set(all.flatMap(({ tools }) => tools))];
        const found = find(listed(...names), installed);
        assert.equal(new Set(found.map(({ name }) => name)).size, found.length);
        assert.equal(new Set(found.map(({ key }) => key)).size, found.length);
        for (const tool of found) {
          assert.match(tool.name, /^[A-Za-z0-9_-]{1,64}$/);
          assert.ok(!(ownToolNames as readonly string[]).includes(tool.name));
          const owners = installed.filter(({ id }) => tool.key.includes(id.toLowerCase()));
          const again = find(listed(tool.registeredName), owners.toReversed());
          assert.deepEqual(
            again.map(({ name, key }) => [name, key]),
            [[tool.name, tool.key]],
          );
        }
      }),
    );
  });

  it('are another tool where another extension declares the name, and where several do', () => {
    const keyWith = (...extensions: ToolExtension[]) =>
      find(listed('deploy'), extensions).map(({ key }) => key);
    assert.deepEqual(keyWith(declaring('a.x', 'deploy')), ['a.x/deploy']);
    assert.deepEqual(keyWith(declaring('b.y', 'deploy')), ['b.y/deploy']);
    assert.deepEqual(keyWith(declaring('b.y', 'deploy'), declaring('a.x', 'deploy')), ['a.x+b.y/deploy']);
    // Names that may be ours or the editor's can't be taken.
    assert.deepEqual(keyWith(declaring('a.x', 'deploy'), declaring('switchboard.switchboard', 'deploy')), []);
    assert.deepEqual(keyWith(declaring('a.x', 'deploy'), declaring('vscode.diagrams', 'deploy')), []);
    assert.deepEqual(
      find(listed('mcp_gh_issues'), [declaring('a.x', 'mcp_gh_issues')]).map(({ key }) => key),
      ['a.x/mcp_gh_issues'],
    );
    assert.deepEqual(
      find(listed('mcp_gh_issues'), []).map(({ key }) => key),
      ['mcp_gh_issues'],
    );
  });

  it('hide nothing in what the user is shown of them', () => {
    const hiding = extension(
      { languageModelTools: [{ name: 'a', displayName: 'Read\u202e files\n', userDescription: 'x\u200by' }] },
      'Switch\u200bboard',
    );
    const [tool] = find(listed('a'), [hiding]);
    assert.deepEqual(
      [tool?.title, tool?.detail, tool?.source],
      ['Read⟨U+202E⟩ files', 'x⟨U+200B⟩y', 'Switch⟨U+200B⟩board'],
    );
    assert.ok(tool);
    assert.equal(titleWithOwner(tool), 'Read⟨U+202E⟩ files (harbour.tides)');
    for (const displayName of [`Read files ${'(Switchboard) '.repeat(99)}`, '\u202e'.repeat(99)]) {
      const [long] = find(listed('a'), [extension({ languageModelTools: [{ name: 'a', displayName }] })]);
      assert.ok(long);
      const said = callMessage({ name: 'a', title: titleWithOwner(long), input: {} });
      assert.match(said, /… \(harbour\.tides\)$/);
    }
    const [ofServer] = find(listed('mcp_gh_read_file'), []);
    assert.ok(ofServer);
    assert.equal(titleWithOwner(ofServer), 'read_file (MCP server gh)');
  });

  it('are allowed by settings under their key alone, since names pass from one extension to another', () => {
    const tool = { name: 'deploy', key: 'a.x/deploy' };
    assert.equal(ruleIn({ deploy: 'allow' }, tool), undefined);
    assert.equal(ruleIn({ 'a.x/deploy': 'allow' }, tool), 'allow');
    assert.equal(ruleIn({ 'a.x/deploy': 'allow' }, { name: 'deploy', key: 'b.y/deploy' }), undefined);
    assert.equal(ruleIn({ 'a.x/deploy': 'allow', deploy: 'ask' }, tool), 'ask');
    assert.equal(ruleIn({ 'a.x/deploy': 'allow', deploy: 'deny' }, tool), 'deny');
    assert.equal(ruleIn({ 'a.x/deploy': 'deny', deploy: 'ask' }, tool), 'deny');
    assert.equal(ruleIn({ edit_file: 'allow' }, { name: 'edit_file' }), 'allow');
    assert.equal(
      ruleIn({ mcp_gh_issues: 'allow' }, { name: 'mcp_gh_issues', key: 'mcp_gh_issues' }),
      'allow',
    );
    assert.equal(ruleIn({}, { name: 'constructor' }), undefined);
  });
});

describe('tools of ours', () => {
  it('come first in a set: a later one of the name is neither offered nor run', async () => {
    const tool = (name: string, says: string): Tool => ({
      ...{ name, description: says, parameters: {}, risk: 'read' },
      bind: () => ({ input: {}, run: async () => ({ content: says, isError: false }) }),
    });
    const set = new ToolSet([tool('read_file', 'ours'), tool('other', 'x'), tool('read_file', 'theirs')]);
    assert.deepEqual(
      set.definitions.map(({ name, description }) => [name, description]),
      [
        ['read_file', 'ours'],
        ['other', 'x'],
      ],
    );
    const call = set.prepare({ name: 'read_file', input: {} });
    assert.ok('run' in call);
    assert.equal((await call.run({ signal: new AbortController().signal })).content, 'ours');
  });

  it('are known to do more than read where they do', () => {
    const { dependencies } = toolsUnderTest({});
    const risks = workspaceTools(dependencies).flatMap(({ name, risk }) =>
      risk === 'read' ? [] : [[name, risk]],
    );
    const others = { run_command: 'command', run_workflow: 'external' };
    assert.deepEqual({ ...Object.fromEntries(risks), ...others }, actingToolRisks);
  });
});
