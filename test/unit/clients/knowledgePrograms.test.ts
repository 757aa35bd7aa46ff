import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { changeText } from '../../../src/clients/clientFiles.ts';
import { knowledgePrograms } from '../../../src/clients/clientPrograms.ts';
import { UnchangeableFile } from '../../../src/clients/edit.ts';
import { formats } from '../../../src/clients/formats/allFormats.ts';
import { knowledgeFile, type ServerFile } from '../../../src/clients/knowledgeProgram.ts';
import { type KnowledgeServer, knowledgeServer } from '../../../src/clients/knowledgeServer.ts';
import { fits } from '../../../src/knowledgeServer/programAccess.ts';

const home = join('/', 'home', 'ann');
const byNode = knowledgeServer('/s/bridge.mjs', 'id-1', { execPath: '/code', isElectron: true }, true);
const byEditor = knowledgeServer('/s/bridge.mjs', 'id-1', { execPath: '/code', isElectron: true }, false);

function fileOf(id: string, environment: NodeJS.ProcessEnv = {}, files: readonly string[] = []): ServerFile {
  const program = knowledgePrograms.find((each) => each.id === id);
  assert.ok(program, id);
  return program.serverFile({ home, environment, exists: (path) => files.includes(path) });
}

/** The file's text after the entry was written, or removed if there is no server. */
async function changed(id: string, text: string, server?: KnowledgeServer): Promise<string> {
  const { edits, format } = knowledgeFile(fileOf(id));
  assert.ok(format);
  return changeText(await formats[format](), text, (current) => edits(current, server, []));
}

const args = '[\n        "/s/bridge.mjs",\n        "id-1"\n      ]';
const entry = `"switchboard-knowledge": {\n      "command": "node",\n      "args": ${args}\n    }`;
const localEntry =
  '"switchboard-knowledge": {\n      "type": "local",\n      "command": [\n        "node",\n        "/s/bridge.mjs",\n        "id-1"\n      ]\n    }';

interface Example {
  path: string;
  before: string;
  after: string;
  /** After the removal, where a trailing comma goes with the entry; as before, if absent. */
  removed?: string;
}

const examples: Record<string, Example> = {
  'claude-code': {
    path: '.claude.json',
    before: '{\n  "numStartups": 3,\n  "mcpServers": {\n    "a": { "command": "b" }\n  }\n}\n',
    after: `{\n  "numStartups": 3,\n  "mcpServers": {\n    "a": { "command": "b" },\n    ${entry.replace('{', '{\n      "type": "stdio",')}\n  }\n}\n`,
  },
  codex: {
    path: join('.codex', 'config.toml'),
    before: '# mine\nmodel = "m" # now\n\n[mcp_servers.a]\ncommand = "b" # run\n',
    after:
      '# mine\nmodel = "m" # now\n\n[mcp_servers.a]\ncommand = "b" # run\n\n[mcp_servers.switchboard-knowledge]\ncommand = "node"\nargs = ["/s/bridge.mjs", "id-1"]\n',
  },
  opencode: {
    path: join('.config', 'opencode', 'opencode.json'),
    before: '{\n  // mine\n  "$schema": "s",\n  "mcp": {\n    "a": { "type": "remote", }, // b\n  },\n}\n',
    after: `{\n  // mine\n  "$schema": "s",\n  "mcp": {\n    "a": { "type": "remote", }, // b\n    ${localEntry}\n  },\n}\n`,
    removed: '{\n  // mine\n  "$schema": "s",\n  "mcp": {\n    "a": { "type": "remote", } // b\n  },\n}\n',
  },
  'qwen-code': {
    path: join('.qwen', 'settings.json'),
    before: '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "b" } /* c */\n  }\n}\n',
    after: `{\n  // mine\n  "mcpServers": {\n    "a": { "command": "b" }, /* c */\n    ${entry}\n  }\n}\n`,
  },
  cline: {
    path: join('.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    before: '{\n  "mcpServers": {\n    "a": { "command": "b" }\n  }\n}\n',
    after: `{\n  "mcpServers": {\n    "a": { "command": "b" },\n    ${entry}\n  }\n}\n`,
  },
  openclaw: {
    path: join('.openclaw', 'openclaw.json'),
    before: "{\n  // mine\n  mcp: { servers: { a: { command: 'b' }, } },\n}\n",
    after:
      '{\n  // mine\n  mcp: { servers: { a: { command: \'b\' }, "switchboard-knowledge": {"command":"node","args":["/s/bridge.mjs","id-1"]} } },\n}\n',
    removed: "{\n  // mine\n  mcp: { servers: { a: { command: 'b' }  } },\n}\n",
  },
  kilo: {
    path: join('.config', 'kilo', 'kilo.json'),
    before: '{\n  "$schema": "s",\n  "mcp": {\n    "a": { "type": "remote" } // b\n  }\n}\n',
    after: `{\n  "$schema": "s",\n  "mcp": {\n    "a": { "type": "remote" }, // b\n    ${localEntry}\n  }\n}\n`,
  },
  cursor: {
    path: join('.cursor', 'mcp.json'),
    before: '{\n  "mcpServers": {\n    "a": { "url": "https://b.example" }\n  }\n}\n',
    after: `{\n  "mcpServers": {\n    "a": { "url": "https://b.example" },\n    ${entry}\n  }\n}\n`,
  },
};

describe('programs that search knowledge', () => {
  it('are those of the examples', () => {
    assert.deepEqual(knowledgePrograms.map(({ id }) => id).toSorted(), Object.keys(examples).toSorted());
  });

  for (const [id, { path, before, after, removed = before }] of Object.entries(examples)) {
    describe(id, () => {
      it('has its user file', () => assert.equal(fileOf(id).path, join(home, path)));

      it('gets the entry, and all else stays as it is', async () => {
        assert.equal(await changed(id, before, byNode), after);
        assert.equal(await changed(id, after, byNode), after, 'a second time');
        const text = await changed(id, before.replaceAll('\n', '\r\n'), byNode);
        assert.equal(text, after.replaceAll('\n', '\r\n'), 'line ends of Windows');
      });

      it('gets it in a new file', async () => {
        assert.equal(await changed(id, await changed(id, '', byNode), byNode), await changed(id, '', byNode));
      });

      it('gets it in place of an older one, with what the user set of it', async () => {
        const older = await changed(id, before, {
          ...byEditor,
          args: ['/old.mjs', 'id-0'],
        });
        assert.match(older, /ELECTRON_RUN_AS_NODE/);
        const newer = await changed(id, older, byNode);
        assert.doesNotMatch(newer, /ELECTRON_RUN_AS_NODE|old\.mjs/);
        const [first] = after.split('switchboard-knowledge');
        assert.ok(newer.startsWith(first ?? ''), newer);
      });

      it('loses it, and all else stays as it is', async () => {
        assert.equal(await changed(id, after), removed);
        assert.equal(await changed(id, await changed(id, before, byEditor)), removed);
        assert.equal(await changed(id, before), before, 'without an entry');
      });

      it('is not written where it is broken, or has something else in our place', async () => {
        await assert.rejects(changed(id, '{[', byNode), UnchangeableFile);
        const top = /mcp\w*/.exec(before)?.[0] ?? '';
        const odd = id === 'codex' ? `${top} = 1\n` : `{ "${top}": [1] }`;
        await assert.rejects(changed(id, odd, byNode), UnchangeableFile);
      });
    });
  }

  it('get variables only for the runtime of the editor, and no secret at all', async () => {
    for (const id of Object.keys(examples)) {
      assert.doesNotMatch(await changed(id, '', byNode), /env/i);
      assert.match(await changed(id, '', byEditor), /ELECTRON_RUN_AS_NODE"?[:=\s]+"1"/);
    }
  });

  it('have the server switched on again', async () => {
    const off = '{"mcpServers":{"switchboard-knowledge":{"disabled":true,"timeout":5,"url":"https://x"}}}';
    const { mcpServers } = JSON.parse(await changed('cline', off, byNode)) as { mcpServers: object };
    const [server] = Object.values(mcpServers) as object[];
    assert.deepEqual(server, { timeout: 5, command: 'node', args: ['/s/bridge.mjs', 'id-1'] });
    const disabled = '[mcp_servers.switchboard-knowledge]\nenabled = false\ncommand = "x"\n';
    assert.doesNotMatch(await changed('codex', disabled, byNode), /enabled/);
  });

  it('are refused comments where the program reads none', async () => {
    for (const id of ['claude-code', 'cline', 'cursor']) {
      await assert.rejects(changed(id, '{\n  // mine\n}', byNode), { line: 2 });
    }
    await assert.rejects(changed('qwen-code', '{\n  "a": 1,\n}', byNode), { line: 3 });
  });

  it('have their file where a variable or another file says', () => {
    const at = (...names: string[]) => join('/', 'x', ...names);
    const moved: [string, string, string][] = [
      ['claude-code', 'CLAUDE_CONFIG_DIR', at('.claude.json')],
      ['codex', 'CODEX_HOME', at('config.toml')],
      ['opencode', 'XDG_CONFIG_HOME', at('opencode', 'opencode.json')],
      ['kilo', 'XDG_CONFIG_HOME', at('kilo', 'kilo.json')],
      ['openclaw', 'OPENCLAW_CONFIG_PATH', join('/', 'x')],
    ];
    for (const [id, name, path] of moved) assert.equal(fileOf(id, { [name]: join('/', 'x') }).path, path);
    const withComments = join(home, '.config', 'kilo', 'kilo.jsonc');
    assert.equal(fileOf('kilo', {}, [withComments]).path, withComments);
  });

  it('are known by the names they were measured to give themselves', () => {
    const measured = {
      'claude-code': 'claude-code',
      codex: 'codex-mcp-client',
      opencode: 'opencode',
      'qwen-code': 'qwen-cli-mcp-client-switchboard-knowledge',
      cline: '@cline/core',
      openclaw: 'openclaw-bundle-mcp',
      kilo: 'kilo',
    };
    for (const [id, self] of Object.entries(measured)) {
      const name = knowledgePrograms.find((each) => each.id === id)?.name ?? '';
      assert.ok(fits({ program: id, name }, self), self);
    }
    assert.ok(!fits({ program: 'qwen-code', name: 'Qwen Code' }, 'claude-code'));
  });
});

describe('tables of TOML', () => {
  const remove = async (text: string) => changed('codex', text);

  it('go with those inside of them, and comments around them stay', async () => {
    const text =
      '# mine\n[mcp_servers.switchboard-knowledge]\ncommand = "x"\n\n[mcp_servers.switchboard-knowledge.env]\nA = "1"\n\n# of b\n[b]\nc = 1\n';
    assert.equal(await remove(text), '# mine\n\n# of b\n[b]\nc = 1\n');
  });

  it('go wherever their parts are, and a heading of the list stays', async () => {
    const text =
      '[mcp_servers]\n[mcp_servers.switchboard-knowledge]\na = 1\n[z]\nb = 2\n[mcp_servers.switchboard-knowledge.env]\nA = "1"';
    assert.equal(await remove(text), '[mcp_servers]\n\n[z]\nb = 2\n');
  });

  it('stay if only their name begins alike', async () => {
    const text = '[mcp_servers.switchboard-knowledge-2]\ncommand = "x"\n';
    assert.equal(await remove(text), text);
  });

  it('stay where they are written as dotted keys', async () => {
    await assert.rejects(remove('mcp_servers.switchboard-knowledge.command = "x"\n'), UnchangeableFile);
  });
});

const name = fc.constantFrom('a', 'b', '"c d"', 'switchboard-knowledge-2');
const tomlPart = fc.oneof(
  name.map((each) => `[mcp_servers.${each}]\ncommand = "x" # why\nargs = [\n  "y", # z\n]\n`),
  name.map((each) => `[mcp_servers.${each}.env]\nA = """\n[b]\n"""\n`),
  name.map((each) => `[${each}]\nk = { l = 1 }\n`),
  fc.constantFrom('# note\n', '\n', '[[list]]\nn = 1\n', '[mcp_servers]\n'),
);

describe('a TOML file, however it is written', () => {
  it('loses nothing but the entry when that was added and goes again', async () => {
    const read = await formats.toml();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(tomlPart, { maxLength: 6 }), async (parts) => {
        const text = parts.join('');
        let after: string;
        try {
          after = await changed('codex', text, byEditor);
        } catch (error) {
          assert.ok(error instanceof UnchangeableFile, String(error));
          return;
        }
        count++;
        const back = await changed('codex', after);
        assert.deepEqual(read.parse(back), read.parse(text));
        assert.equal(back.trim(), text.trim());
      }),
      { numRuns: 300, seed: 20_261_123 },
    );
    assert.ok(count > 50, `only ${count} were changed`);
  });
});
