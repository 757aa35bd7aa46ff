import assert from 'node:assert/strict';
import { join } from 'node:path';
import { changeText } from '../../../src/clients/clientFiles.ts';
import { clientPrograms, knowledgePrograms } from '../../../src/clients/clientPrograms.ts';
import type { ClientProgram, Machine, Target } from '../../../src/clients/clientProgram.ts';
import { variableFor } from '../../../src/clients/programEntries.ts';
import { formats } from '../../../src/clients/formats/allFormats.ts';

const relay = 'https://relay.example.com';
const key = 'sk-Abc123Def456Ghi789';

/** A program's files after the command, by their path below the home folder. */
async function configured(
  id: string,
  options: Partial<Target> & { files?: Record<string, string>; environment?: NodeJS.ProcessEnv } = {},
): Promise<Record<string, string>> {
  const { files: there = {}, environment = {}, ...target } = options;
  const home = join('/', 'home', 'ann');
  const machine: Machine = { home, environment, exists: (path) => path.slice(home.length + 1) in there };
  const result: Record<string, string> = {};
  const earlier: object[] = [];
  for (const { path, format, edits } of program(id).files(machine)) {
    const name = path.startsWith(home) ? path.slice(home.length + 1) : path;
    result[name] = '';
    if (!format) continue;
    const wanted: Target = {
      ...{ baseUrl: relay, models: [small], protocol: protocolOf(id), variable: 'RELAY_API_KEY' },
      ...target,
    };
    const read = await formats[format]();
    result[name] = changeText(read, there[name] ?? '', (current) => edits(current, wanted, earlier));
    earlier.push(read.parse(result[name]));
  }
  return result;
}

const small = { id: 'vendor/model-1', name: 'Model 1', contextWindow: 128_000, maxTokens: 8192 };
const other = { id: 'model-2', name: 'Model 2', contextWindow: 64_000, maxTokens: 4096 };

function program(id: string): ClientProgram {
  const found = clientPrograms.find((each) => each.id === id);
  assert.ok(found, id);
  return found;
}

function protocolOf(id: string): Target['protocol'] {
  return Object.keys(program(id).endpoints)[0] as Target['protocol'];
}

describe('the programs of others', () => {
  it('ask where each protocol is, with the key in its header', () => {
    const asked = clientPrograms.flatMap(({ id, endpoints }) =>
      Object.entries(endpoints).map(
        ([protocol, { suffix, path, keyHeader }]) => `${id}, ${protocol}: ${suffix}${path} ${keyHeader}`,
      ),
    );
    const chat = 'chat-completions: /v1/chat/completions authorization';
    const messages = 'messages: /v1/messages x-api-key';
    assert.deepEqual(asked, [
      'claude-code, messages: /v1/messages?beta=true authorization',
      'codex, responses: /v1/responses authorization',
      ...['openclaw', 'opencode'].flatMap((id) => [`${id}, ${chat}`, `${id}, ${messages}`]),
      `qwen-code, ${chat}`,
      ...[`continue, ${chat}`, `continue, ${messages}`],
      `cline, ${chat}`,
      ...[`pi, ${chat}`, `pi, ${messages}`],
      `aider, ${chat}`,
    ]);
  });

  it('are named and started as their makers do', () => {
    const all = new Set([...clientPrograms, ...knowledgePrograms]);
    assert.deepEqual(
      [...all].map(({ name, command }) => `${name}: ${command}`),
      [
        ...[
          'Claude Code: claude',
          'Codex: codex',
          'OpenClaw: openclaw',
          'opencode: opencode',
          'Qwen Code: qwen',
        ],
        ...['Continue: cn', 'Cline: cline', 'pi: pi', 'aider: aider', 'Kilo: kilo', 'Cursor: cursor'],
      ],
    );
  });
});

describe('Claude Code', () => {
  const file = join('.claude', 'settings.json');

  it('gets address, model and limits, and the key from the shell: references in its file are not expanded', async () => {
    assert.deepEqual(JSON.parse((await configured('claude-code'))[file]!), {
      env: {
        ANTHROPIC_BASE_URL: relay,
        ANTHROPIC_MODEL: 'vendor/model-1',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: '8192',
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: '128000',
      },
    });
  });

  it('is left with one key, since it would send every one that it finds', async () => {
    const before = {
      permissions: { allow: ['Read'] },
      apiKeyHelper: 'get-key',
      env: { ANTHROPIC_API_KEY: 'sk-ant-old', ANTHROPIC_AUTH_TOKEN: 'sk-old', OTHER: '1' },
    };
    const files = { [file]: JSON.stringify(before, undefined, 2) };
    const withKey = JSON.parse((await configured('claude-code', { files, keyInFile: key }))[file]!);
    assert.deepEqual(withKey.permissions, before.permissions);
    assert.deepEqual([withKey.apiKeyHelper, withKey.env.ANTHROPIC_API_KEY], [undefined, undefined]);
    assert.deepEqual([withKey.env.ANTHROPIC_AUTH_TOKEN, withKey.env.OTHER], [key, '1']);
    const without = JSON.parse((await configured('claude-code', { files }))[file]!);
    assert.equal(without.env.ANTHROPIC_AUTH_TOKEN, undefined);
  });

  it('has its file where the variable says', async () => {
    const environment = { CLAUDE_CONFIG_DIR: join('/', 'etc', 'claude') };
    assert.deepEqual(Object.keys(await configured('claude-code', { environment })), [
      join('/', 'etc', 'claude', 'settings.json'),
    ]);
  });

  it('says what of its file would win over a terminal', () => {
    const current = { env: { ANTHROPIC_MODEL: 'x', ANTHROPIC_BASE_URL: relay, A: 'b' }, apiKeyHelper: 'y' };
    const variables = { ANTHROPIC_BASE_URL: relay, ANTHROPIC_MODEL: 'm' };
    const names = program('claude-code').overrides?.(current, variables);
    assert.deepEqual(names, ['ANTHROPIC_MODEL', 'apiKeyHelper']);
  });
});

describe('Codex', () => {
  const file = join('.codex', 'config.toml');

  it('gets its provider before the first table, and the name of a variable', async () => {
    const files = { [file]: '# mine\n[mcp_servers.a]\ncommand = "b" # run\n' };
    assert.equal(
      (await configured('codex', { files }))[file],
      [
        'model = "vendor/model-1"',
        'model_provider = "relay"',
        'model_context_window = 128000',
        '',
        '# mine',
        '[mcp_servers.a]',
        'command = "b" # run',
        '',
        '[model_providers.relay]',
        'name = "Relay"',
        `base_url = "${relay}/v1"`,
        'wire_api = "responses"',
        'env_key = "RELAY_API_KEY"',
        '',
      ].join('\n'),
    );
  });

  it('has one key, wherever it is', async () => {
    const first = (await configured('codex', { keyInFile: key }))[file]!;
    assert.match(first, /^experimental_bearer_token = "sk-Abc123Def456Ghi789"$/m);
    assert.doesNotMatch(first, /env_key/);
    const second = (await configured('codex', { files: { [file]: first } }))[file]!;
    assert.match(second, /^env_key = "RELAY_API_KEY"$/m);
    assert.doesNotMatch(second, /sk-Abc/);
  });

  it("leaves a provider of the same name alone that is somebody else's", async () => {
    const theirs = '[model_providers.relay]\nname = "Work"\nbase_url = "https://work.example/v1"\n';
    const text = (await configured('codex', { files: { [file]: theirs } }))[file]!;
    assert.ok(text.includes(theirs));
    assert.match(text, /^model_provider = "relay-2"$/m);
    assert.match(text, /^\[model_providers\.relay-2\]$/m);
  });
});

describe('opencode', () => {
  const file = join('.config', 'opencode', 'opencode.json');

  it('gets a provider with its models and their limits, which it sends', async () => {
    assert.deepEqual(JSON.parse((await configured('opencode', { models: [small, other] }))[file]!), {
      $schema: 'https://opencode.ai/config.json',
      provider: {
        relay: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Relay',
          options: { baseURL: `${relay}/v1`, apiKey: '{env:RELAY_API_KEY}' },
          models: {
            'vendor/model-1': { name: 'Model 1', limit: { context: 128_000, output: 8192 } },
            'model-2': { name: 'Model 2', limit: { context: 64_000, output: 4096 } },
          },
        },
      },
      model: 'relay/vendor/model-1',
    });
  });

  it('takes the version in its address by the messages protocol, too', async () => {
    const text = (await configured('opencode', { protocol: 'messages', keyInFile: key }))[file]!;
    const { relay: entry } = JSON.parse(text).provider;
    assert.deepEqual(
      [entry.npm, entry.options],
      ['@ai-sdk/anthropic', { baseURL: `${relay}/v1`, apiKey: key }],
    );
  });

  it('keeps comments, other providers and what is set of its own models', async () => {
    const name = join('.config', 'opencode', 'opencode.jsonc');
    const before = `{
  // by hand
  "$schema": "mine",
  "provider": {
    "relay": { "options": { "baseURL": "${relay}/v1", "timeout": 5 }, "models": { "old": {} } }, // ours
    "local": { "npm": "x", },
  },
  "theme": "dark",
}
`;
    const text = (await configured('opencode', { files: { [name]: before } }))[name]!;
    const kept = [
      '// by hand',
      '"$schema": "mine"',
      '"timeout": 5',
      '"old": {}',
      '// ours',
      '"local": { "npm": "x", }',
    ];
    for (const part of kept) assert.ok(text.includes(part), part);
    assert.match(text, /"model": "relay\/vendor\/model-1"/);
  });

  it('has its file where the variable says', async () => {
    const environment = { XDG_CONFIG_HOME: join('/', 'x') };
    assert.deepEqual(Object.keys(await configured('opencode', { environment })), [
      join('/', 'x', 'opencode', 'opencode.json'),
    ]);
  });
});

describe('OpenClaw', () => {
  const file = join('.openclaw', 'openclaw.json');

  it('gets its models with both limits, and says `api-key` for either way of sending the key', async () => {
    const entryOf = async (options: Partial<Target>) => {
      const { models, agents } = JSON.parse((await configured('openclaw', options))[file]!);
      assert.deepEqual(agents, { defaults: { model: { primary: 'relay/vendor/model-1' } } });
      assert.equal(models.mode, 'merge');
      return models.providers.relay;
    };
    assert.deepEqual(await entryOf({ auth: 'api-key' }), {
      baseUrl: `${relay}/v1`,
      apiKey: '${RELAY_API_KEY}',
      auth: 'api-key',
      api: 'openai-completions',
      models: [{ id: 'vendor/model-1', name: 'Model 1', contextWindow: 128_000, maxTokens: 8192 }],
    });
    const bearer = await entryOf({ auth: 'bearer', protocol: 'messages' });
    assert.deepEqual([bearer.auth, bearer.authHeader, bearer.api], ['api-key', true, 'anthropic-messages']);
  });

  it('is told no more to force a header that it was told to before', async () => {
    const before = { models: { providers: { relay: { baseUrl: `${relay}/v1`, authHeader: true } } } };
    const files = { [file]: JSON.stringify(before) };
    const entryOf = async (auth: Target['auth']) =>
      JSON.parse((await configured('openclaw', { files, auth }))[file]!).models.providers.relay;
    assert.equal((await entryOf('api-key')).authHeader, undefined);
    assert.equal((await entryOf('bearer')).authHeader, true);
  });

  it('keeps comments, other models, and the names and the mode of the user', async () => {
    const before = `{
  // mine
  models: { mode: 'replace', providers: {
    relay: { baseUrl: '${relay}/v1', auth: 'bearer', models: [{ id: 'old', name: 'Old' }, { id: 'vendor/model-1', name: 'Mine', cost: 1 }] },
  } },
  agents: { defaults: { model: 'relay/old' /* now */ } },
}`;
    const text = (await configured('openclaw', { files: { [file]: before } }))[file]!;
    for (const part of [
      '// mine',
      "mode: 'replace'",
      "{ id: 'old', name: 'Old' }",
      "name: 'Mine', cost: 1",
      '/* now */',
    ]) {
      assert.ok(text.includes(part), part);
    }
    assert.match(text, /auth: "api-key"/);
    assert.match(text, /defaults: \{ model: "relay\/vendor\/model-1" \/\* now/);
  });
});

describe('Qwen Code', () => {
  const file = join('.qwen', 'settings.json');

  it('gets the name of a variable, and keeps comments', async () => {
    const files = { [file]: '{\n  // mine\n  "ui": 1\n}\n' };
    const text = (await configured('qwen-code', { files }))[file]!;
    assert.match(text, /^ {2}\/\/ mine\n {2}"ui": 1,$/m);
    assert.deepEqual(JSON.parse(text.replace('// mine', '')), {
      ui: 1,
      modelProviders: {
        openai: [
          {
            ...{ id: 'vendor/model-1', name: 'Model 1', baseUrl: `${relay}/v1`, envKey: 'RELAY_API_KEY' },
            generationConfig: { contextWindowSize: 128_000 },
          },
        ],
      },
      security: { auth: { selectedType: 'openai' } },
      model: { name: 'vendor/model-1' },
    });
  });
});

describe('Continue', () => {
  const file = join('.continue', 'config.yaml');

  it('gets a whole file, and the empty one without which it asks for a key of its own', async () => {
    assert.deepEqual(await configured('continue'), {
      [file]: `name: "Local"
version: "1.0.0"
schema: "v1"
models:
  - name: "Model 1"
    provider: "openai"
    model: "vendor/model-1"
    apiBase: "${relay}/v1"
    apiKey: "\${{ secrets.RELAY_API_KEY }}"
    roles:
      - "chat"
    defaultCompletionOptions:
      contextLength: 128000
      maxTokens: 8192
`,
      [join('.continue', '.onboarding_complete')]: '',
    });
  });

  it('keeps its other models, and what is set of its own', async () => {
    const before = `# mine
name: Work
version: 1.0.0
schema: v1
models:
  - name: Local # slow
    provider: ollama
    model: llama
  - name: Ours
    provider: openai
    model: vendor/model-1
    apiBase: ${relay}/v1
    roles: [edit]
`;
    const text = (await configured('continue', { files: { [file]: before } }))[file]!;
    for (const part of ['# mine', 'name: Work', '- name: Local # slow', '- name: Ours', 'roles: [edit]']) {
      assert.ok(text.includes(part), part);
    }
    assert.equal(text.match(/model: /g)?.length, 2);
    assert.match(text, /^ {4}apiKey: "\$\{\{ secrets\.RELAY_API_KEY \}\}"$/m);
  });
});

describe('Cline', () => {
  it('gets the key in its file, whole and strict: for less it would replace all that it has', async () => {
    const file = join('.cline', 'data', 'settings', 'providers.json');
    const settings = {
      provider: 'openai-compatible',
      apiKey: key,
      model: 'vendor/model-1',
      baseUrl: `${relay}/v1`,
    };
    assert.deepEqual(JSON.parse((await configured('cline', { keyInFile: key }))[file]!), {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      providers: {
        'openai-compatible': { settings, updatedAt: '1970-01-01T00:00:00.000Z', tokenSource: 'manual' },
      },
    });
    const files = { [file]: '{\n  // mine\n}' };
    await assert.rejects(configured('cline', { keyInFile: key, files }), { line: 2 });
  });
});

describe('pi', () => {
  const [models, settings] = [join('.pi', 'agent', 'models.json'), join('.pi', 'agent', 'settings.json')];

  it('gets the name of a variable without a sign, and the model in its second file', async () => {
    const files = await configured('pi');
    assert.deepEqual(JSON.parse(files[models]!), {
      providers: {
        relay: {
          ...{ baseUrl: `${relay}/v1`, api: 'openai-completions', apiKey: 'RELAY_API_KEY' },
          models: [{ id: 'vendor/model-1', contextWindow: 128_000, maxTokens: 8192 }],
        },
      },
    });
    assert.deepEqual(JSON.parse(files[settings]!), {
      defaultProvider: 'relay',
      defaultModel: 'vendor/model-1',
    });
  });

  it('calls the provider the same in both files, without the version by the messages protocol', async () => {
    const theirs = '{"providers": {"relay": {"baseUrl": "https://work.example"}}} // mine';
    const files = await configured('pi', { files: { [models]: theirs }, protocol: 'messages' });
    assert.match(
      files[models]!,
      /"relay-2": \{"baseUrl":"https:\/\/relay\.example\.com","api":"anthropic-messages"/,
    );
    assert.equal(JSON.parse(files[settings]!).defaultProvider, 'relay-2');
  });

  it('is not written where it has comments that it does not read', async () => {
    await assert.rejects(configured('pi', { files: { [models]: '/* no */ {}' } }), { line: 1 });
  });
});

describe('aider', () => {
  it('gets the prefix that chooses the protocol, and the key in a variable of its own', async () => {
    const files = { '.aider.conf.yml': '# mine\ndark-mode: true # yes\nopenai-api-key: sk-old\n' };
    assert.equal(
      (await configured('aider', { files }))['.aider.conf.yml'],
      `# mine\ndark-mode: true # yes\nmodel: "openai/vendor/model-1"\nopenai-api-base: "${relay}/v1"\n`,
    );
  });
});

describe('a second relay', () => {
  const second = 'https://second.example.com:8443';

  it('has a variable of its own, so that no key goes to another relay', () => {
    assert.equal(variableFor(relay, relay), 'RELAY_API_KEY');
    assert.equal(variableFor(second, relay), 'RELAY_SECOND_EXAMPLE_COM_8443_API_KEY');
    assert.equal(variableFor(`${second}#2`, relay), 'RELAY_SECOND_EXAMPLE_COM_8443_2_API_KEY');
  });

  for (const id of ['codex', 'openclaw', 'opencode', 'pi', 'qwen-code', 'continue']) {
    it(`stands beside the first one in the files of ${id}`, async () => {
      const files = await configured(id);
      const variable = variableFor(second, relay);
      const [text = ''] = Object.values(await configured(id, { files, baseUrl: second, variable }));
      for (const part of [relay, second, 'RELAY_API_KEY', variable]) assert.ok(text.includes(part), part);
    });
  }
});

describe('every program', () => {
  it('is checked by the words that it takes for one question, or for a look at its settings', () => {
    const lines = clientPrograms.flatMap(({ id, check }) =>
      check ? [`${id} ${check.arguments.join(' ')}${check.asksModel ? ' (asks)' : ''}`] : [],
    );
    assert.deepEqual(lines.toSorted(), [
      'aider --no-git --yes-always --message hi (asks)',
      'claude-code -p hi (asks)',
      'codex exec --skip-git-repo-check hi (asks)',
      'continue -p hi (asks)',
      'openclaw config validate',
      'opencode run hi (asks)',
      'pi -p hi (asks)',
      'qwen-code -p hi (asks)',
    ]);
  });

  for (const { id, keyPlaces, variables, variable = 'RELAY_API_KEY' } of clientPrograms) {
    it(`${id} has the key in its file only where it is wanted there`, async () => {
      const texts = Object.values(await configured(id)).join('\n');
      assert.ok(!texts.includes('sk-'), texts);
      if (keyPlaces[0] !== 'file')
        assert.ok(texts.includes(variable) || /^(ANTHROPIC|AIDER)_/.test(variable));
      const models: Target['models'] = [small];
      const target: Target = { baseUrl: relay, models, protocol: protocolOf(id), variable: 'RELAY_API_KEY' };
      assert.ok(!JSON.stringify(variables?.(target) ?? {}).includes('sk-'));
      if (!keyPlaces.includes('file')) return;
      const withKey = Object.values(await configured(id, { keyInFile: key })).join('\n');
      assert.equal(withKey.split(key).length - 1, 1);
      assert.ok(!withKey.includes(`{env:${variable}}`));
    });

    it(`${id} is as it should be after the first time`, async () => {
      const once = await configured(id);
      assert.deepEqual(await configured(id, { files: once }), once);
    });
  }
});
