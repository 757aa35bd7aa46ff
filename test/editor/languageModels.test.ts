import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type PlatformServer, type RelayServer, startPlatform, startRelay } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { type ModelUser, startModelUser } from './modelUser.ts';
import { withPerson } from './person.ts';

const run = (command: string) => vscode.commands.executeCommand(`switchboard.${command}`);
const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('switchboard').update(name, value, vscode.ConfigurationTarget.Global);

const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

/** A valid picture, as the editor decodes pictures before passing them on. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

describe("the editor's models, as another extension uses them", function () {
  this.timeout(60_000);
  let relay: RelayServer;
  let platform: PlatformServer;
  let other: ModelUser;
  /** Empty while nothing is connected. */
  let appId = '';
  const sent = () => relay.requests.filter(({ path }) => path === '/v1/chat/completions');
  const bodyOf = (at = -1) => sent().at(at)?.json as Record<string, never>;

  async function connect(): Promise<void> {
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
    await withPerson({ types: [platform.url, platform.appKey] }, async () => {
      const added = (await run('addApp')) as { app?: { id: string } } | undefined;
      appId = `app:${added?.app?.id}`;
    });
    await set('relay.models', [
      { id: 'scripted-echo', name: 'Echo', contextWindow: 20_000, maxTokens: 4_000 },
      { id: 'scripted-thinker', vision: false, toolCalling: false },
      { id: 'scripted-writer', kind: 'other' },
    ]);
    await eventually(async () => {
      const all = await other.models();
      assert.ok(all.some(({ name }) => name === 'Echo') && all.some(({ id }) => id === appId));
    });
  }
  async function disconnect(): Promise<void> {
    appId = '';
    await withPerson({}, () => run('removeKeys'));
    await eventually(async () => assert.deepEqual(await other.models(), []));
    await set('relay.baseUrl', undefined);
    await set('relay.models', undefined);
  }

  before(async () => {
    other = await startModelUser();
    relay = await startRelay({ pauseMs: 1 });
    platform = await startPlatform();
    await connect();
  });
  after(async () => {
    await disconnect();
    await relay.stop();
    await platform.stop();
  });
  beforeEach(() => {
    relay.clearRequests();
    platform.clearRequests();
  });
  // Connecting shows the panel, which is hidden only before each test.
  afterEach(async () => {
    if (!appId) await connect();
  });

  it('are gone with the key: none without one, and looking for them asks nobody', async () => {
    await disconnect();
    const asked = await withPerson({}, async () => {
      assert.deepEqual(await other.models(), []);
    });
    assert.deepEqual(asked, []);
  });

  it("are the relay's once it is connected, with what is known of them, and the platform's chat apps", async () => {
    const models = await other.models();
    assert.deepEqual(
      models.find(({ id }) => id === 'scripted-echo'),
      {
        ...{ id: 'scripted-echo', name: 'Echo', family: 'scripted-echo', vendor: 'switchboard' },
        maxInputTokens: 16_000,
      },
    );
    assert.ok(models.length > 20);
    const notForChat = ['scripted-writer', 'scripted-embedding', 'scripted-whisper-1'];
    assert.ok(!models.some(({ id }) => notForChat.includes(id)));
    assert.ok(!JSON.stringify(models).includes(relay.key));
  });

  it('answer as they write, count without the network, and are not asked about', async () => {
    const asked = await withPerson({}, async () => {
      const { text, error } = await other.ask('scripted-echo', [{ text: 'Hello from outside' }]);
      assert.equal(error, undefined);
      assert.match(text, /> Hello from outside/);
    });
    assert.deepEqual(asked, []);
    const before = relay.requests.length;
    const few = await other.count('scripted-echo', 'Hello');
    const many = await other.count('scripted-echo', 'Hello '.repeat(100));
    assert.ok(few > 0 && many > 50 * few);
    assert.equal(relay.requests.length, before);
  });

  it('spend of the daily budget, and are sent nothing where the user does not want it passed', async () => {
    await other.ask('scripted-echo', [{ text: 'Hello' }]);
    relay.clearRequests();
    await set('chat.dailyBudget', { tokens: 1 });
    const asked = await withPerson({}, async () => {
      const { error } = await other.ask('scripted-echo', [{ text: 'Hello' }]);
      await set('chat.dailyBudget', undefined);
      assert.match(error?.message ?? '', /^Stopped at your daily budget\./);
    });
    assert.match(
      asked[0]?.text ?? '',
      /today's budget of 1 token: [1-9][\d,]* used so far, about [\d,]+ more\.$/,
    );
    assert.deepEqual(asked[0]?.buttons, ['Continue Once', 'Continue Today', 'Stop']);
    assert.deepEqual(sent(), []);
  });

  it('are those of each relay that is connected, and each is asked with its own key', async () => {
    const further = await startRelay({ list: 'good' });
    try {
      const add = { picks: ['Add Another'], types: [further.url, further.keys.oneModel] };
      await withPerson(add, () => run('connectRelay'));
      const origin = new URL(further.url).origin;
      const id = await eventually(async () => {
        const ofFurther = (await other.models()).filter((model) => model.id.startsWith(`relay:${origin}/`));
        assert.equal(ofFurther.length, 1, 'the models that its key may use');
        return ofFurther[0]?.id ?? '';
      });
      relay.clearRequests();
      const { error } = await other.ask(id, [{ text: 'Hello' }]);
      assert.equal(error, undefined);
      const asked = further.requests.filter(({ path }) => path === '/v1/chat/completions');
      assert.deepEqual(
        asked.map(({ headers }) => headers.authorization),
        [`Bearer ${further.keys.oneModel}`],
      );
      assert.deepEqual(sent(), []);
    } finally {
      await set('relay.connections', undefined);
      await further.stop();
    }
  });

  it('call tools, and go on with their results', async () => {
    const question = { text: 'read README.md' };
    const first = await other.ask('scripted-tools', [question], { tools: [readFile] });
    assert.deepEqual(
      first.calls.map(({ name, input }) => [name, input]),
      [['read_file', { path: 'README.md' }]],
    );
    const results = first.calls.map(({ id }) => ({ id, text: 'Once upon a time' }));
    const second = await other.ask(
      'scripted-tools',
      [question, { role: 'assistant', calls: first.calls }, { results }],
      { tools: [readFile] },
    );
    assert.match(second.text, /Once upon a time/);
  });

  it('have to call a tool where that is required', async () => {
    await other.ask('scripted-tools', [{ text: 'read README.md' }], { tools: [readFile], isRequired: true });
    assert.equal(bodyOf()['tool_choice'], 'required');
  });

  it('are shown images; what a model does not take is refused before it is sent', async () => {
    const { text } = await other.ask('scripted-echo', [{ text: 'look', png }]);
    assert.match(text, /shown 1 images/);
    relay.clearRequests();
    const image = await other.ask('scripted-thinker', [{ text: 'look', png }]);
    assert.match(image.error?.message ?? '', /doesn't support images/);
    const tools = await other.ask('scripted-thinker', [{ text: 'read README.md' }], { tools: [readFile] });
    assert.match(tools.error?.message ?? '', /doesn't support tools/);
    assert.equal(sent().length, 0);
  });

  it('answer two requests at once, each its own', async () => {
    const names = ['README.md', 'LICENSE', 'package.json', 'tsconfig.json'];
    const answers = await Promise.all(
      names.map((name) => other.ask('scripted-tools', [{ text: `read ${name}` }], { tools: [readFile] })),
    );
    assert.deepEqual(
      answers.map(({ calls }) => calls.map(({ input }) => input)),
      names.map((path) => [{ path }]),
    );
  });

  const askAndCancel = async () => {
    const { text, error } = await other.ask('fault/stall-mid-answer', [{ text: 'go on' }], {
      stopsAtText: true,
    });
    assert.ok(text.length > 0);
    await sent()[0]?.ended;
    assert.equal(sent()[0]?.closedEarly, true);
    return error;
  };
  const [, minor = 0] = vscode.version.split('.').map(Number);
  if (minor >= 127) {
    it('stop when they are cancelled: the socket closes, and nothing is thrown', async () => {
      assert.equal(await askAndCancel(), undefined);
    });
  } else {
    it('end by the timeouts where the editor does not pass on that they are cancelled', async () => {
      await set('network.idleTimeoutSeconds', 1);
      const error = await askAndCancel();
      await set('network.idleTimeoutSeconds', undefined);
      assert.match(error?.message ?? '', /no data for 1 s /);
    });
  }

  it("fail by the editor's kinds of error, in our words and the server's", async () => {
    const failing = async (model: string) => (await other.ask(model, [{ text: 'hi' }])).error;
    const vendor = await failing('fault/vendor-401');
    assert.deepEqual([vendor?.code, vendor?.isKind], ['NoPermissions', true]);
    assert.match(vendor?.message ?? '', /rejected the relay's credentials/);
    assert.equal((await failing('fault/503-no-channel'))?.code, 'NotFound');
    const cut = await failing('fault/cut-mid-answer');
    assert.match(cut?.message ?? '', /cut off/);
    assert.ok(!JSON.stringify([vendor, cut]).includes(relay.key));
  });

  it('are apps of the platform too, which go on with their conversation', async () => {
    const first = await other.ask(appId, [{ text: 'When is high water?' }]);
    assert.equal(first.error, undefined);
    assert.ok(first.text.length > 0);
    const again = await other.ask(appId, [
      { text: 'When is high water?' },
      { role: 'assistant', text: first.text },
      { text: 'And low water?' },
    ]);
    assert.equal(again.error, undefined);
    const asked = platform.requests.filter(({ path }) => path === '/v1/chat-messages');
    const bodies = asked.map(({ json }) => json as { query: string; conversation_id?: string });
    assert.deepEqual(
      bodies.map(({ query }) => query),
      ['When is high water?', 'And low water?'],
    );
    assert.ok(bodies[1]?.conversation_id);
    const image = await other.ask(appId, [{ text: 'look', png }]);
    assert.match(image.error?.message ?? '', /accept only text/);
  });
});
