import assert from 'node:assert/strict';
import fc from 'fast-check';
import { configuredServers, serversWithoutTools, type McpServer } from '../../../src/tools/mcpServers.ts';

const secret = { command: 'npx', env: { TOKEN: 'sk-secret' }, args: ['--key', 'sk-secret'] };

describe('MCP servers of the configuration', () => {
  it('are named with the ids that the editor gives them, and where they are defined', () => {
    const servers = configuredServers({
      user: { time: secret },
      workspace: { file: 'harbour.code-workspace', servers: { tide: secret } },
      folders: [
        { index: 0, name: 'app', servers: { tide: secret, 'a b.c': secret } },
        { index: 1, name: 'site', servers: undefined },
        { index: 2, name: 'docs', servers: { tide: secret } },
      ],
    });
    assert.deepEqual(servers, [
      { name: 'tide', ids: ['mcp.config.ws0.tide'], place: 'app/.vscode/mcp.json' },
      { name: 'a b.c', ids: ['mcp.config.ws0.a b.c'], place: 'app/.vscode/mcp.json' },
      { name: 'tide', ids: ['mcp.config.ws2.tide'], place: 'docs/.vscode/mcp.json' },
      { name: 'tide', ids: ['mcp.config.workspace.tide'], place: 'harbour.code-workspace' },
      {
        name: 'time',
        ids: ['mcp.config.usrlocal.time', 'mcp.config.usrremote.time'],
        place: 'User mcp.json',
      },
    ]);
  });

  it('give nothing but their names', () => {
    const servers = configuredServers({
      user: { a: secret },
      folders: [{ index: 0, name: 'f', servers: { b: secret } }],
    });
    assert.doesNotMatch(JSON.stringify(servers), /npx|TOKEN|sk-secret/);
  });

  it('are read from whatever stands in a file', () => {
    for (const servers of [null, 'tide', 7, ['tide'], true])
      assert.deepEqual(configuredServers({ user: servers, folders: [{ index: 0, name: 'f', servers }] }), []);
    const [hostile] = configuredServers({ user: JSON.parse('{"__proto__": {}}'), folders: [] });
    assert.equal(hostile?.name, '__proto__');
  });
});

describe('MCP servers without tools', () => {
  const server = (name: string): McpServer => ({ name, ids: [`mcp.config.ws0.${name}`], place: '' });
  const without = (names: string[], tools: string[], toolOf: [string, string][] = []) =>
    serversWithoutTools(names.map(server), tools, new Map(toolOf)).map(({ name }) => name);

  it('are those that no tool is named after', () => {
    assert.deepEqual(without(['tide', 'time'], ['mcp_tide_now', 'read_time', 'time']), ['time']);
    assert.deepEqual(without(['tide'], []), ['tide']);
  });

  // The names that VS Code 1.139.1 gave to tools of servers with these names.
  for (const [name, tool] of [
    ['Harbour Office (v2)', 'mcp_harbour_offic_tide_now'],
    ['io.github/tide', 'mcp_io_github_tid_tide_now'],
    ['潮汐', 'mcp___tide_now'],
    ['UPPER-case_1', 'mcp_upper-case_1_tide_now'],
  ] as const)
    it(`know the tools of "${name}"`, () => assert.deepEqual(without([name, 'other'], [tool]), ['other']));

  it('take no tool of a server with a longer name for theirs', () => {
    assert.deepEqual(without(['git', 'git_hub'], ['mcp_git_hub_log']), ['git']);
    assert.deepEqual(without(['git_hub', 'git'], ['mcp_git_hub_log', 'mcp_git_log']), []);
  });

  it('are not those whose tools bear a name that the server gave itself', () => {
    const toolOf: [string, string][] = [['tide', 'mcp_harbour_offic_tide_now']];
    assert.deepEqual(without(['tide', 'time'], ['mcp_harbour_offic_tide_now'], toolOf), ['time']);
    assert.deepEqual(without(['tide'], ['mcp_harbour_offic_other'], toolOf), ['tide']);
  });

  it('hold for any names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 8 }), fc.array(fc.string()), (names, tools) => {
        const left = without(names, tools);
        assert.ok(left.every((name) => names.includes(name)));
        assert.deepEqual(without(names, []), names);
      }),
    );
  });
});
