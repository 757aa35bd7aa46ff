import assert from 'node:assert/strict';
import type { Protocol } from '../../src/relay/messages.ts';
import { type RelayServer, startRelay } from '../servers/sandbox.ts';
import type { VendorKind } from '../support/vendorBodies.ts';
import {
  type Asked,
  type Contestant,
  type Stage,
  stagedModels,
} from '../support/vendorMatrix/contestants.ts';
import { MatrixConversation } from '../support/vendorMatrix/conversation.ts';
import { type LitellmProxy, type ProxiedModel, startLitellm } from './litellmProxy.ts';

/** The proxy's provider for each kind. The sandbox doesn't play Bedrock, Azure and Gemini's native form. */
const providers = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'o-series': 'openai',
  claude: 'anthropic',
  'claude-thinking': 'anthropic',
  'gemini-3': 'openai',
  'deepseek-v4': 'deepseek',
  'deepseek-r1': 'deepseek',
  'kimi-k2.5': 'moonshot',
  mistral: 'mistral',
  'vllm-strict': 'hosted_vllm',
  'no-vision': 'openai',
  'no-tools': 'openai',
} satisfies Partial<Record<VendorKind, string>>;
type ServedKind = keyof typeof providers;
const kinds = Object.keys(providers) as ServedKind[];

const further: readonly ProxiedModel[] = [
  {
    // The proxy lists all deployments of a model with the mode of one.
    ...{ name: 'listed-for-responses', vendorModel: 'vendor/openai-responses-only' },
    ...{ provider: 'openai/responses', info: { mode: 'responses' } },
  },
  { name: 'bridged', vendorModel: 'vendor/openai-chat', provider: 'custom_openai' },
];

function contestant(kind: ServedKind, modelId = `vendor/${kind}`): Contestant {
  return { name: kind, kind, modelId };
}

describe('a LiteLLM proxy before vendors that refuse', () => {
  const stage: Stage = { asked: [], thoughts: new Set(), failsNext: false, isFresh: false };
  let vendor: RelayServer;
  let proxy: LitellmProxy;
  before(async () => {
    const models = stagedModels(stage);
    const only = models.find(({ id }) => id === 'vendor/openai-responses')!;
    models.push({ ...only, id: `${only.id}-only` });
    vendor = await startRelay({ models, knowsEndpoints: true });
    proxy = await startLitellm(vendor, [
      ...kinds.map((kind) => ({
        ...{ name: `vendor/${kind}`, vendorModel: `vendor/${kind}`, provider: providers[kind] },
        // Without this the proxy refuses efforts for a Claude it doesn't know.
        ...(kind === 'claude-thinking' && { info: { supports_reasoning: true } }),
      })),
      ...further,
    ]);
  });
  after(async () => {
    await proxy?.stop();
    await vendor?.stop();
  });

  /** Requests that reached the vendors during a conversation without failures. */
  async function talk(
    first: Contestant,
    course: (talk: MatrixConversation) => Promise<void>,
    protocol?: Protocol,
  ): Promise<Asked[]> {
    vendor.clearRequests();
    const overrides = protocol ? [{ id: first.modelId, protocol }] : [];
    const conversation = await MatrixConversation.open({ ...proxy, overrides }, stage, first);
    await course(conversation);
    const { asked } = stage;
    const faults = conversation.takeFaults();
    conversation.close();
    assert.ok(faults.length === 0, `\n${faults.join('\n')}`);
    return asked;
  }

  const protocolsOf = (asked: readonly Asked[]) => [...new Set(asked.map(({ protocol }) => protocol))];
  const newestOf = (asked: readonly Asked[], kind: ServedKind) =>
    JSON.stringify(asked.findLast(({ contestant: { name } }) => name === kind)?.body);

  async function twice(conversation: MatrixConversation): Promise<void> {
    await conversation.briefly();
    await conversation.briefly();
  }

  for (const kind of kinds) {
    it(`passes on all that happens with ${kind} as ${providers[kind]}`, () =>
      talk(contestant(kind), (conversation) => conversation.everything()));
  }

  it('goes on from model to model and back, with calls of each', async () => {
    const course: readonly ServedKind[] = [
      ...['openai-chat', 'mistral', 'openai-responses', 'claude-thinking'],
      ...['deepseek-v4', 'kimi-k2.5', 'vllm-strict', 'gemini-3'],
    ] as ServedKind[];
    const asked = await talk(contestant('openai-chat'), async (conversation) => {
      for (const kind of [...course, ...course.toReversed()]) {
        conversation.select(contestant(kind));
        await conversation.briefly();
      }
    });
    const refusals = asked.flatMap(({ contestant: { name }, refusal }) => (refusal ? [name] : []));
    assert.deepEqual(refusals.toSorted(), [
      ...['deepseek-v4', 'gemini-3', 'gemini-3', 'kimi-k2.5', 'openai-chat', 'openai-responses'],
    ]);
    // Twice a plain answer, a call with its answer, and two calls with theirs.
    assert.equal(asked.length - refusals.length, course.length * 10);
    assert.match(newestOf(asked, 'claude-thinking'), /"type":"thinking","thinking":"[^"]/);
    assert.match(newestOf(asked, 'openai-responses'), /"encrypted_content":"gAAAA/);
    assert.match(newestOf(asked, 'deepseek-v4'), /"reasoning_content":"I am scripted/);
    assert.match(newestOf(asked, 'gemini-3'), /"thought_signature":"[\w+/]{43}="/);
  });

  it('passes the responses protocol on for a model that it lists so, with its reasoning items', async () => {
    const asked = await talk(contestant('openai-responses', 'listed-for-responses'), twice);
    assert.deepEqual(protocolsOf(asked), ['responses']);
    // From two plain answers, and calls and answers of four rounds.
    assert.equal(newestOf(asked, 'openai-responses').split('"encrypted_content":"gAAAA').length - 1, 9);
  });

  it('bridges chat completions to responses, where reasoning is lost', async () => {
    const first = contestant('openai-responses', 'listed-for-responses');
    const asked = await talk(first, twice, 'chat-completions');
    assert.deepEqual(protocolsOf(asked), ['responses']);
    assert.doesNotMatch(newestOf(asked, 'openai-responses'), /encrypted_content":"|"type":"reasoning"/);
  });

  for (const [first, path] of [
    [contestant('openai-chat', 'bridged'), 'chat-completions'],
    [contestant('mistral'), 'chat-completions'],
    [contestant('deepseek-v4'), 'chat-completions'],
    [contestant('kimi-k2.5'), 'chat-completions'],
    [contestant('claude-thinking'), 'messages'],
  ] as const) {
    it(`bridges responses to ${path} for ${first.name}, with the reasoning of its calls`, async () => {
      const asked = await talk(first, twice, 'responses');
      assert.deepEqual(protocolsOf(asked), [path]);
      const reasons = { 'deepseek-v4': 'reasoning_content', 'kimi-k2.5': 'reasoning_content' };
      const field = first.kind === 'claude-thinking' ? 'signature' : reasons[first.kind as 'kimi-k2.5'];
      if (!field) return;
      // Passed back from the first request on: the vendor never had to refuse.
      assert.ok(asked.every(({ refusal }) => refusal === undefined));
      assert.match(newestOf(asked, first.kind as ServedKind), new RegExp(`"${field}":"[^"]`));
    });
  }
});
