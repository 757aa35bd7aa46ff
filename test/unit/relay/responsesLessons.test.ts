import assert from 'node:assert/strict';
import {
  createProfiles,
  type ModelFacts,
  type ModelProfiles,
} from '../../../src/relay/profile/modelFacts.ts';
import { askOffline } from '../../support/askOffline.ts';
import { type Reply, replayNetwork } from '../../support/replayNetwork.ts';

const refuses = (message: string, more: object = {}, status = 400): Reply => ({
  ...{ status, type: 'application/json' },
  pieces: [
    JSON.stringify({ error: { message, type: 'invalid_request_error', code: null, param: null, ...more } }),
  ],
});
const needsResponses = refuses(
  "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
  { param: 'reasoning_effort' },
);
const absent = refuses('Invalid URL (POST /v1/responses)', {}, 404);
const byResponses: Reply = {
  pieces: [
    'data: {"type":"response.output_text.delta","output_index":0,"delta":"Hi."}\n\n',
    'data: {"type":"response.completed","response":{"status":"completed","output":[]}}\n\n',
  ],
};
const byChat: Reply = {
  pieces: ['data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\n'],
};
const tools = [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }];

async function ask(replies: Reply[], known: ModelFacts = {}, more: Partial<ModelProfiles> = {}) {
  const http = replayNetwork(...replies);
  const profiles = { ...createProfiles(new Map([['m', known]])), ...more };
  const { code, events } = await askOffline(http, { tools, reasoningEffort: 'high' }, undefined, {
    profiles,
  });
  return {
    code,
    facts: profiles.facts('m'),
    paths: http.sent.map(({ url }) => new URL(url).pathname),
    last: String(http.sent.at(-1)?.body),
    adapted: events.flatMap((event) => (event.type === 'adapted' ? [event.to] : [])),
    refused: events.flatMap((event) => (event.type === 'parameterRefused' ? [event.refused] : [])),
  };
}

describe('a model that needs the responses protocol', () => {
  const [chat, responses] = ['/v1/chat/completions', '/v1/responses'];

  it('is asked by it, with the effort that was chosen, and from then on', async () => {
    const { code, facts, paths, last, refused } = await ask([needsResponses, byResponses]);
    assert.equal(code, undefined);
    assert.deepEqual(paths, [chat, responses]);
    assert.deepEqual(facts, { protocol: 'responses' });
    assert.match(last, /"effort":"high"/);
    assert.deepEqual(refused, []);
  });

  it('gets tools without reasoning where the relay lacks it, and the user is told', async () => {
    const { code, facts, paths, last, adapted } = await ask([needsResponses, absent, needsResponses, byChat]);
    assert.equal(code, undefined);
    assert.deepEqual(paths, [chat, responses, chat, chat]);
    assert.deepEqual(facts, { protocol: 'chat-completions', lacksResponses: true, effortWithTools: false });
    assert.match(last, /"reasoning_effort":"none"/);
    assert.deepEqual(adapted, ['no-reasoning']);
  });

  it('is refused for good where that is refused, too', async () => {
    const { code, paths } = await ask([needsResponses, absent, needsResponses]);
    assert.equal(code, 'model', 'the relay does not offer it, which another model helps against');
    assert.ok(paths.length <= 6, paths.join());
  });

  it('is asked as the user wants it', async () => {
    const { paths, facts } = await ask(
      [needsResponses, byChat],
      {},
      { chosenProtocol: () => 'chat-completions' },
    );
    assert.ok(!paths.includes(responses));
    assert.equal(facts.protocol, undefined);
    const refused = await ask([needsResponses], {}, { chosenProtocol: () => 'chat-completions' });
    assert.equal(refused.code, 'settings');
    const chosen = await ask([absent, byChat], {}, { chosenProtocol: () => 'responses' });
    assert.ok(!chosen.paths.includes(chat));
  });

  it('is asked again in another form, once for each part that is refused', async () => {
    const { code, facts, last, refused } = await ask(
      [
        refuses('Encrypted content is not supported with this model.', { param: 'include' }),
        refuses("Unsupported parameter: 'reasoning.summary'.", { param: 'reasoning.summary' }),
        refuses("Unsupported value: 'high' is not supported. Supported values are: 'low'."),
        byResponses,
      ],
      { protocol: 'responses' },
    );
    assert.equal(code, undefined);
    assert.deepEqual([facts.responses?.encryptedReasoning, facts.responses?.summaries], [false, false]);
    assert.deepEqual(refused, ['reasoningEffort=high']);
    assert.doesNotMatch(last, /include|"reasoning"/);
  });
});
