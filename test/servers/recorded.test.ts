import assert from 'node:assert/strict';
import { asObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import dify from '../fixtures/recorded/dify-1.14.2.txt';
import newApiKeys from '../fixtures/recorded/newapi-keys.txt';
import newApiProtocols from '../fixtures/recorded/newapi-protocols.txt';
import { findRecorded, readRecorded, type RecordedReply } from '../support/recorded.ts';
import type { RelayKeyName } from './relay/keys.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';

/** Fields whose contents differ for each key, app or model. */
const free = new Set(['inputs', 'model_limits']);

function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  const object = asObject(value);
  return object
    ? Object.fromEntries(
        Object.keys(object)
          .toSorted()
          .map((name) => [name, free.has(name) ? 'value' : formOf(object[name])]),
      )
    : 'value';
}

/** Removes unique ids, sums, and the framework's list of similar addresses. */
const withoutIds = (text: string) =>
  text
    .replace(/request id: \w+|＄[\d.]+| You have requested this URI [^"]*/g, '')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id');

/** A refusal has the same text, a success the same fields, as far as the recording has them. */
async function assertLike(
  response: Response,
  { title, status, headers, body }: RecordedReply,
): Promise<void> {
  const told = await response.text();
  assert.equal(response.status, status, `${title}: ${told}`);
  if (headers['content-type']?.startsWith('text/html')) return assert.equal(told.trim(), body);
  const known = parseJson(body);
  if (known === undefined) {
    const names = [...body.matchAll(/"(\w+)":/g)].map(([name]) => name);
    assert.deepEqual(
      names.filter((name) => !told.includes(name)),
      [],
      title,
    );
  } else if (response.ok) {
    assert.deepEqual(formOf(parseJson(told)), formOf(known), title);
  } else {
    assert.deepEqual(parseJson(withoutIds(told)), parseJson(withoutIds(body)), title);
  }
}

const platformReplies = readRecorded(dify);

const askedOf = (method: string, path: string) =>
  `${method} ${withoutIds(path)
    .replace(/\?.*/, '')
    .replace(/\/\d{20}\//, '/id/')}`;

/** The reply to such a request that has this text in its request or body. */
function recorded(asked: string, status: number, says = ''): RecordedReply {
  return (
    platformReplies.find(
      (reply) =>
        askedOf(reply.method, reply.path) === asked &&
        reply.status === status &&
        `${reply.sent}\n${reply.body}`.includes(says),
    ) ?? assert.fail(`${asked} -> ${status} ${says} was not recorded.`)
  );
}

const nowhere = '213e07b7-a0fc-4222-94bb-03f28bdbbf74';
const automatic = { process_rule: { mode: 'automatic' }, doc_form: 'text_model' };
const settings = { indexing_technique: 'economy', ...automatic };
const user = 'ann';
const inputs = { name: 'Ann', count: 1, tone: 'formal' };

function formWith(fields: Record<string, string>, name: string, content: string): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([content], { type: 'text/markdown' }), name);
  return form;
}
const fileForm = (content: string) => formWith({ data: JSON.stringify(settings) }, 'guide.md', content);

describe('the sandbox, beside what a running platform said', () => {
  let sandbox: Sandbox;
  let datasets: Caller;
  let flow: Caller;

  /** Sends with one key; `like` compares with the recorded answer to the same request. */
  class Caller {
    constructor(private readonly key: string) {}

    /** @param path after `/v1`; @param body sent as JSON unless it is a form */
    send(method: string, path: string, body?: object): Promise<Response> {
      const isJson = body !== undefined && !(body instanceof FormData);
      const type = isJson && { 'Content-Type': 'application/json' };
      return fetch(`${sandbox.platform.url}/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${this.key}`, ...type },
        ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
    }

    async json(path: string): Promise<JsonObject> {
      const value: unknown = await (await this.send('GET', path)).json();
      return asObject(value) ?? assert.fail('It is no object.');
    }

    /** @param says tells recordings of the same request apart */
    async like(status: number, method: string, path: string, body?: object, says?: string): Promise<void> {
      const reply = recorded(askedOf(method, `/v1${path}`), status, says);
      await assertLike(await this.send(method, path, body), reply);
    }
  }
  type AppName = 'chat' | 'formFlow' | 'noProvider' | 'unavailable' | 'workflow';
  const appCaller = (name: AppName) => new Caller(sandbox.platform.apps[name].key);

  beforeEach(async () => {
    sandbox = await startSandbox({ platform: { embeddingModels: [] } });
    datasets = new Caller(sandbox.platform.datasetKey);
    flow = appCaller('formFlow');
  });
  afterEach(() => sandbox.stop());

  const createDataset = async () => {
    await datasets.like(200, 'POST', '/datasets', { name: 'Real one', indexing_technique: 'economy' });
    return `/datasets/${sandbox.platform.datasets[0]?.id}`;
  };

  it('answers GET /v1/ with a page, whatever the key', async () => {
    for (const key of ['', sandbox.platform.datasetKey, sandbox.platform.keys.unknown])
      await new Caller(key).like(404, 'GET', '/');
  });

  it('refuses keys, also those of the other half', async () => {
    const stranger = new Caller(sandbox.platform.keys.unknown);
    await stranger.like(401, 'GET', '/datasets');
    await stranger.like(401, 'GET', '/info');
    await flow.like(401, 'GET', '/datasets');
    await datasets.like(401, 'GET', '/info');
  });

  it('has knowledge bases with the same fields, and refuses in the same words', async () => {
    await datasets.like(200, 'GET', '/datasets', undefined, '"data": []');
    const wanted = { name: 'Real one', indexing_technique: 'economical' };
    await datasets.like(400, 'POST', '/datasets', wanted);
    const dataset = await createDataset();
    await datasets.like(200, 'GET', '/datasets', undefined, 'Real one');
    await datasets.like(200, 'GET', dataset);
    await datasets.like(200, 'PATCH', dataset, { description: 'New' });
    await datasets.like(200, 'GET', `${dataset}/tags`);
    await datasets.like(200, 'GET', '/workspaces/current/models/model-types/text-embedding');
    await datasets.like(404, 'GET', `/datasets/${nowhere}`);
    await datasets.like(404, 'GET', `/datasets/${nowhere}/documents`);
    await datasets.like(404, 'POST', `/datasets/${nowhere}/document/create_by_file`, fileForm('Guide'));
    sandbox.platform.others.switchApi('Real one', false);
    await datasets.like(403, 'GET', dataset);
    await datasets.like(403, 'GET', `${dataset}/documents`);
    sandbox.platform.misbehave({ does: 'outage' });
    await datasets.like(500, 'GET', dataset);
  });

  it('has the fault of tags', async () => {
    await datasets.like(200, 'GET', '/datasets/tags');
    await datasets.like(400, 'POST', '/datasets/tags', { name: 'harbour tag' });
    await datasets.send('POST', '/datasets/tags', { name: 'another' });
    await datasets.like(400, 'GET', '/datasets/tags');
  });

  it('takes documents, indexes them and gives their segments', async () => {
    const dataset = await createDataset();
    await datasets.like(200, 'GET', `${dataset}/documents`, undefined, '"data": []');
    await datasets.like(200, 'POST', `${dataset}/document/create_by_file`, fileForm('Guide'));
    const pier = { ...settings, name: 'code.ts', text: 'Boats moor at the eastern pier.' };
    await datasets.like(200, 'POST', `${dataset}/document/create_by_text`, pier);
    const { id, batch } = sandbox.platform.datasets[0]?.documents[0] ?? assert.fail('It was not taken.');
    for (let look = 0; look < 5; look++)
      await datasets.like(200, 'GET', `${dataset}/documents/${batch}/indexing-status`);
    const document = `${dataset}/documents/${id}`;
    const indexed = async () => {
      for (let look = 0; look < 5; look++) await datasets.json(`${dataset}/documents`);
    };
    await datasets.like(200, 'GET', `${dataset}/documents`, undefined, '"data": [{');
    await datasets.like(200, 'GET', `${document}?metadata=all`);
    await datasets.like(200, 'GET', `${document}/segments`);
    const taps = { segments: [{ content: 'Water taps are at the southern mole.' }] };
    await datasets.like(200, 'POST', `${document}/segments`, taps);
    const { data } = await datasets.json(`${document}/segments`);
    const segment = `${document}/segments/${String(firstOf(data)['id'])}`;
    await datasets.like(200, 'POST', segment, { segment: { content: 'Fuel at the northern quay.' } });
    await datasets.like(204, 'DELETE', segment);
    await datasets.like(200, 'POST', `${dataset}/retrieve`, { query: 'zebra17' }, '"records": []');
    await datasets.like(200, 'POST', `${dataset}/retrieve`, { query: 'southern mole' }, '"segment"');
    const changed = { name: 'guide.md', text: 'Changed', ...automatic };
    await datasets.like(200, 'POST', `${document}/update_by_text`, changed);
    await indexed();
    await datasets.like(200, 'POST', `${document}/update_by_file`, fileForm('Edited'));
    const gone = `${dataset}/documents/${nowhere}/update_by_file`;
    await datasets.like(404, 'POST', gone, fileForm('Edited'));
    sandbox.platform.others.deleteDocument('Real one', 'code.ts');
    await indexed();
    await datasets.like(204, 'DELETE', document);
  });

  it('keeps metadata', async () => {
    const dataset = await createDataset();
    await datasets.like(200, 'GET', `${dataset}/metadata`, undefined, '"doc_metadata": []');
    await datasets.like(201, 'POST', `${dataset}/metadata`, { type: 'string', name: 'owner' });
    await datasets.like(200, 'GET', `${dataset}/metadata`, undefined, 'owner');
    await datasets.like(200, 'POST', `${dataset}/documents/metadata`, { operation_data: [] });
  });

  it('has apps that describe themselves with the same fields', async () => {
    await flow.like(200, 'GET', '/info');
    const told = await flow.json('/parameters');
    const plain = asObject(parseJson(recorded('GET /v1/parameters', 200, '"user_input_form": []').body));
    assert.deepEqual(fieldsOf(told), fieldsOf(plain));
    assert.deepEqual(fieldsOf(told['system_parameters']), fieldsOf(plain?.['system_parameters']));
    const entries = told['user_input_form'] as JsonObject[];
    // The recorded form is cut in its sixth entry.
    const form = recorded('GET /v1/parameters', 200, 'Your name');
    for (const kind of ['text-input', 'paragraph', 'number', 'select', 'checkbox']) {
      const [, fields = '{}'] = new RegExp(`"${kind}": (\\{[^{}]*\\})`).exec(form.body) ?? [];
      const entry = entries.find((each) => kind in each)?.[kind];
      assert.deepEqual(fieldsOf(entry), fieldsOf(parseJson(fields)), kind);
    }
  });

  it('streams the same events with the same fields', async () => {
    const question = { query: 'Hello one', user, inputs, response_mode: 'streaming' };
    const response = await flow.send('POST', '/chat-messages', question);
    assert.equal(response.headers.get('Content-Type'), 'text/event-stream; charset=utf-8');
    const text = await response.text();
    assert.ok(text.startsWith('event: ping\n\ndata: '));
    const events = eventsIn(text);
    for (const expected of eventsIn(recorded('POST /v1/chat-messages', 200, '"first"').body)) {
      const event = events.find((each) => each['event'] === expected['event']);
      assert.deepEqual(fieldsOf(event), fieldsOf(expected), String(expected['event']));
      assert.deepEqual(fieldsOf(event?.['data']), fieldsOf(expected['data']), String(expected['event']));
    }
  });

  it('keeps conversations, messages and files with the same fields', async () => {
    const question = { query: 'Hello two', user, inputs, response_mode: 'streaming' };
    const text = await (await flow.send('POST', '/chat-messages', question)).text();
    const id = String(eventsIn(text)[0]?.['conversation_id']);
    await flow.like(200, 'GET', `/conversations?user=${user}`, undefined, 'alpha');
    const { data } = await flow.json(`/messages?conversation_id=${id}&user=${user}`);
    const known = asObject(parseJson(recorded('GET /v1/messages', 200, 'second elsewhere').body));
    assert.deepEqual(fieldsOf(firstOf(data)), fieldsOf(firstOf(known?.['data'])));
    const message = `/messages/${String(firstOf(data)['id'])}`;
    await flow.like(200, 'POST', `${message}/feedbacks`, { rating: 'like', user });
    await flow.like(200, 'POST', `/conversations/${id}/name`, { name: 'Renamed', user });
    await flow.like(201, 'POST', '/files/upload', formWith({ user }, 'guide.md', '# Guide'));
    await flow.like(200, 'POST', `/chat-messages/${nowhere}/stop`, { user });
    await flow.like(204, 'DELETE', `/conversations/${id}`, { user });
    await appCaller('workflow').like(200, 'POST', `/workflows/tasks/${nowhere}/stop`, { user });
  });

  it('refuses questions to apps in the same words', async () => {
    const question = { query: 'hello', user, inputs, response_mode: 'streaming' };
    await appCaller('noProvider').like(400, 'POST', '/chat-messages', question, 'Provider');
    const sync = { ...question, response_mode: 'sync' };
    await flow.like(400, 'POST', '/chat-messages', sync, 'response_mode\\n');
    await appCaller('unavailable').like(400, 'GET', '/parameters');
    assert.equal((await appCaller('unavailable').send('GET', '/info')).status, 200);
  });
});

function firstOf(list: unknown): JsonObject {
  return asObject(Array.isArray(list) ? list[0] : undefined) ?? assert.fail('The list is empty.');
}

function fieldsOf(value: unknown): string[] {
  return Object.keys(asObject(value) ?? {}).toSorted();
}

function eventsIn(stream: string): JsonObject[] {
  return stream.split('\n').flatMap((line) => {
    const event = line.startsWith('data: ') && asObject(parseJson(line.slice('data: '.length)));
    return event ? [event] : [];
  });
}

describe('the keys of the sandbox, beside what a running new-api said', () => {
  let sandbox: Sandbox;
  before(async () => void (sandbox = await startSandbox()));
  after(() => sandbox.stop());

  const states: readonly (readonly [RelayKeyName, string])[] = [
    ['good', 'LIMITED'],
    ['exhausted', 'EXHAUSTED'],
    ['expired', 'EXPIRED'],
    ['oneModel', 'RESTRICTED'],
    ['ipNotAllowed', 'OTHERIP'],
    ['disabled', 'DISABLED'],
    ['noBalance', 'BROKEUSER'],
    ['lowTokenQuota', 'NEARLY'],
  ];
  const paths = [
    '/v1/models',
    '/v1/dashboard/billing/subscription',
    '/v1/dashboard/billing/usage',
    '/api/usage/token/',
  ];
  const replies = readRecorded(newApiKeys);

  for (const [name, title] of states) {
    it(`answers a key that is ${name}`, async () => {
      const { url, keys } = sandbox.relay;
      const headers = { Authorization: `Bearer ${keys[name]}` };
      for (const path of paths)
        await assertLike(await fetch(url + path, { headers }), findRecorded(replies, `${title} GET ${path}`));
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          model: 'scripted-tools',
          max_tokens: 4500,
          messages: [{ role: 'user', content: 'hi' }],
        }),
      });
      const asked = findRecorded(replies, `${title} POST /v1/chat/completions`);
      // Refusals only: answers are scripted.
      const body = asked.body.replace('v-second', 'scripted-tools');
      if (asked.status !== 200) await assertLike(response, { ...asked, body });
    });
  }
});

describe('the relay, against recorded replies of the responses protocol', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  after(() => sandbox.stop());

  const replies = readRecorded(newApiProtocols);
  const ask = (stream: boolean) =>
    fetch(`${sandbox.relay.url}/v1/responses`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.relay.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ model: 'scripted-echo', stream },
        input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      }),
    });

  it('answers in one piece', async () => {
    await assertLike(await ask(false), findRecorded(replies, 'POST /v1/responses v-plain whole'));
  });

  it('answers in events, as far as they were written down', async () => {
    const { body } = findRecorded(replies, 'POST /v1/responses v-plain stream');
    const told = await (await ask(true)).text();
    const events = (text: string) => [...text.matchAll(/^event: (.*)\ndata: (\{.*\})$/gm)];
    const known = events(body);
    assert.ok(known.length >= 3);
    const formed = (all: typeof known) => all.map(([, name, data = '']) => [name, formOf(parseJson(data))]);
    assert.deepEqual(formed(events(told).slice(0, known.length)), formed(known));
    assert.match(told, /^event: response\.output_text\.delta$/m);
    assert.match(told, /\nevent: response\.completed\ndata: \{[^\n]*"status":"completed"[^\n]*\n\n$/);
  });
});
