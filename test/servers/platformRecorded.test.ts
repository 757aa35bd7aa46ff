import assert from 'node:assert/strict';
import { asObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import dify from '../fixtures/recorded/dify-1.14.2.txt';
import { readRecorded } from '../support/recorded.ts';
import { AppCalls, readStream } from './platform/apps/appCalls.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

const replies = readRecorded(dify);

/** A recorded body, by what the reply's title begins with. */
function recorded(title: string, says = ''): JsonObject {
  const found = replies.find((reply) => reply.title.startsWith(title) && reply.body.includes(says));
  return asObject(parseJson(found?.body ?? '')) ?? assert.fail(`${title} was not recorded.`);
}

/** The events of a recorded stream, as far as it was kept. */
function recordedEvents(says: string): JsonObject[] {
  const found = replies.find(
    ({ title, sent }) => title.startsWith('POST /v1/chat-messages') && sent.includes(says),
  );
  return (found?.body ?? '').split('\n').flatMap((line) => {
    const event = line.startsWith('data: ') && asObject(parseJson(line.slice('data: '.length)));
    return event ? [event] : [];
  });
}

const keys = (value: unknown) => Object.keys(asObject(value) ?? {}).toSorted();
const first = (list: unknown) => (Array.isArray(list) ? (list[0] as unknown) : undefined);

describe('sandbox apps, beside what a running server said', () => {
  let sandbox: Sandbox;
  let calls: AppCalls;
  const inputs = { name: 'Ann', count: 1, tone: 'formal' };
  before(async () => {
    sandbox = await startSandbox();
    calls = new AppCalls(sandbox.platform, sandbox.platform.apps.formFlow);
  });
  after(() => sandbox.stop());
  const json = async (response: Promise<Response>) => {
    const body: unknown = await (await response).json();
    return asObject(body) ?? assert.fail('It is no object.');
  };

  it('describe themselves with the same fields', async () => {
    assert.deepEqual(keys(await json(calls.get('/info'))), keys(recorded('GET /v1/info -> 200')));
    const told = await json(calls.get('/parameters'));
    const plain = recorded('GET /v1/parameters', '"user_input_form": []');
    assert.deepEqual(keys(told), keys(plain));
    assert.deepEqual(keys(told['system_parameters']), keys(plain['system_parameters']));
    const entries = told['user_input_form'] as JsonObject[];
    // The recorded form is cut in its sixth entry.
    const form = replies.find(
      ({ title, body }) => title.startsWith('GET /v1/parameters') && body.includes('Your name'),
    );
    for (const kind of ['text-input', 'paragraph', 'number', 'select', 'checkbox']) {
      const [, fields = '{}'] = new RegExp(`"${kind}": (\\{[^{}]*\\})`).exec(form?.body ?? '') ?? [];
      assert.deepEqual(keys(entries.find((entry) => kind in entry)?.[kind]), keys(parseJson(fields)), kind);
    }
  });

  it('stream the same events with the same fields', async () => {
    const response = await calls.start('Hello one', { inputs });
    assert.equal(response.headers.get('Content-Type'), 'text/event-stream; charset=utf-8');
    const text = await response.text();
    assert.ok(text.startsWith('event: ping\n\ndata: '));
    const { events } = readStream(text);
    for (const expected of recordedEvents('"first"')) {
      const event = events.find((each) => each.event === expected['event']) as JsonObject | undefined;
      assert.deepEqual(keys(event), keys(expected), String(expected['event']));
      assert.deepEqual(keys(event?.['data']), keys(expected['data']), String(expected['event']));
    }
  });

  it('keep conversations and messages with the same fields', async () => {
    const { events } = await calls.ask('Hello two', { inputs });
    const id = events[0]?.conversation_id ?? '';
    const listed = await json(calls.get('/conversations?limit=50'));
    const conversations = recorded('GET /v1/conversations', 'alpha');
    assert.deepEqual(keys(listed), keys(conversations));
    assert.deepEqual(keys(first(listed['data'])), keys(first(conversations['data'])));
    const messages = await json(calls.get(`/messages?conversation_id=${id}`));
    const known = recorded('GET /v1/messages', 'second elsewhere');
    assert.deepEqual(keys(messages), keys(known));
    assert.deepEqual(keys(first(messages['data'])), keys(first(known['data'])));
    const renamed = await json(calls.post(`/conversations/${id}/name`, { name: 'Renamed' }));
    assert.deepEqual(keys(renamed), keys(recorded('POST /v1/conversations/')));
    const uploaded = await json(calls.upload('guide.md', '# Guide'));
    assert.deepEqual(keys(uploaded), keys(recorded('POST /v1/files/upload')));
    const stopped = await json(calls.post('/chat-messages/112bd8e4-39eb-4142-b5b0-d1bdad569af9/stop'));
    assert.deepEqual(stopped, recorded('POST /v1/chat-messages/112bd8e4-39eb-4142-b5b0-d1bdad569af9/stop'));
    const gone = await calls.send('DELETE', `/conversations/${id}`, { user: calls.user });
    assert.equal(
      gone.status,
      replies.find(({ title }) => title.startsWith('DELETE /v1/conversations/'))?.status,
    );
  });

  it('refuse in the same words', async () => {
    const { platform } = sandbox;
    const notSetUp = new AppCalls(platform, platform.apps.noProvider);
    assert.deepEqual(
      await json(notSetUp.start('hello')),
      recorded('POST /v1/chat-messages -> 400', 'Provider'),
    );
    const unpublished = new AppCalls(platform, platform.apps.unavailable);
    assert.equal((await unpublished.get('/info')).status, 200);
    assert.deepEqual(
      await json(unpublished.get('/parameters')),
      recorded('GET /v1/parameters', 'app_unavailable'),
    );
    assert.deepEqual(
      await json(calls.start('block one', { inputs: {}, response_mode: 'sync' })),
      recorded('POST /v1/chat-messages -> 400', 'response_mode'),
    );
    const unknown = { key: platform.keys.unknown, name: '', describe: '', mode: 'chat' as const };
    const stranger = new AppCalls(platform, unknown);
    assert.deepEqual(await json(stranger.get('/info')), recorded('GET /v1/info -> 401'));
  });
});
