import assert from 'node:assert/strict';
import { asObject, parseJson } from '../../src/base/json.ts';
import recordedText from '../fixtures/recorded/dify-1.16.1-openapi.txt';
import { readRecorded } from '../support/recorded.ts';
import { type PlatformServer, startPlatform } from './sandbox.ts';

const replies = readRecorded(recordedText);
const nowhere = '00000000-0000-4000-8000-000000000000';

/** Field names of objects, and the first item of lists; fields in `free` differ for each app. */
function formOf(value: unknown): unknown {
  const free = new Set(['parameters', 'input_schema', 'data']);
  if (Array.isArray(value)) return value.slice(0, 1).map(formOf);
  const object = asObject(value);
  if (!object) return 'value';
  const names = Object.keys(object).toSorted();
  return Object.fromEntries(names.map((name) => [name, free.has(name) ? 'value' : formOf(object[name])]));
}

const withoutIds = (text: string) =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replace(/\[type=missing, input_value=.*/, '');

describe('the user-level API of the sandbox, beside what a running platform said', () => {
  let platform: PlatformServer;
  let token = '';

  beforeEach(async () => {
    platform = await startPlatform({ openapi: {} });
    ({ token } = platform.console.signIn());
  });
  afterEach(() => platform.stop());

  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${platform.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const idOf = (name: string) =>
    platform.console.apps.find(({ draft }) => draft.app.name === name)?.id ?? assert.fail(name);
  const workspace = () => platform.console.apps[0]?.workspace.id ?? '';

  /** Compares an answer with the recorded one whose title and body have these. */
  async function like(response: Response, says: string): Promise<void> {
    const told = await response.text();
    const reply = replies.find(
      ({ status, body, sent, title }) =>
        status === response.status && withoutIds(`${title}\n${sent}\n${body}`).includes(says),
    );
    assert.ok(reply, `${response.status} "${says}" was not recorded: ${told}`);
    const known = parseJson(reply.body);
    if (known === undefined) return;
    const compare = response.ok ? formOf : (value: unknown) => parseJson(withoutIds(JSON.stringify(value)));
    assert.deepEqual(compare(parseJson(told)), compare(known), reply.title);
  }

  it('says what it is, and of what it does not have', async () => {
    await like(await send('GET', '/openapi/v1/_version'), '"edition"');
    await like(await send('GET', '/openapi/v1/_health'), '"ok"');
    await like(await send('GET', '/openapi/v1/catalog'), '/catalog');
    await like(await send('POST', '/openapi/v1/account', {}), 'method_not_allowed');
    assert.match(await (await send('GET', '/openapi/v1/')).text(), /^<!doctype html>/);
    await like(
      await send('GET', '/openapi/v1/apps', undefined, { 'User-Agent': 'difyctl/0.1.0' }),
      'difyctl',
    );
  });

  it('is a page where it is off, and fails without bearers', async () => {
    await platform.stop();
    platform = await startPlatform({});
    const off = await send('GET', '/openapi/v1/_version');
    assert.deepEqual([off.status, off.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
    await platform.stop();
    platform = await startPlatform({ openapi: { bearer: false } });
    assert.equal((await send('GET', '/openapi/v1/_version')).status, 200);
    assert.equal((await send('GET', '/openapi/v1/account')).status, 500);
  });

  it('knows tokens, and takes any other for a failure of its own', async () => {
    await like(await send('GET', '/openapi/v1/account'), '"subject_email"');
    await like(await fetch(`${platform.url}/openapi/v1/account`), 'bearer required');
    for (const other of ['dfoa_unknown', platform.appKey, platform.datasetKey]) {
      const refused = await send('GET', '/openapi/v1/account', undefined, {
        Authorization: `Bearer ${other}`,
      });
      await like(refused, 'internal_server_error');
    }
    await like(await send('GET', '/v1/info'), 'Access token is invalid');
    await like(await send('GET', '/openapi/v1/account/sessions'), '"prefix"');
    await like(await send('GET', '/openapi/v1/account/sessions?limit=500'), 'equal to 200');
    await like(await send('DELETE', `/openapi/v1/account/sessions/${nowhere}`), 'session not found');
    await like(await send('DELETE', '/openapi/v1/account/sessions/self'), 'revoked');
    await like(await send('GET', '/openapi/v1/account'), 'internal_server_error');
  });

  it('hands a token out once, to who polls slowly enough', async () => {
    const device = '/openapi/v1/oauth/device';
    const client = { client_id: 'difyctl' };
    await like(
      await send('POST', `${device}/code`, { client_id: 'switchboard', device_label: 'x' }),
      'unsupported',
    );
    const missing = await send('POST', `${device}/code`, client);
    assert.match(await missing.text(), /1 validation error for DeviceCodeRequest\\ndevice_label/);
    const started = await send('POST', `${device}/code`, {
      ...client,
      device_label: 'Switchboard on laptop',
    });
    const { device_code: code } = (await started.clone().json()) as { device_code: string };
    await like(started, 'verification_uri');
    const poll = () => send('POST', `${device}/token`, { ...client, device_code: code });
    await like(await poll(), 'authorization_pending');
    await like(await poll(), 'slow_down');
    await like(await send('GET', `${device}/lookup?user_code=ZZZZ-ZZZZ`), '"valid":false');
    await platform.stop();
    let now = Date.now();
    platform = await startPlatform({ openapi: {}, now: () => now });
    const again = await send('POST', `${device}/code`, { ...client, device_label: 'x' });
    const fresh = (await again.json()) as { device_code: string };
    assert.ok(platform.console.approve());
    const polled = () => send('POST', `${device}/token`, { ...client, device_code: fresh.device_code });
    await like(await polled(), 'default_workspace_id');
    now += 10_000;
    await like(await polled(), 'expired_token');
  });

  it('lists and describes apps', async () => {
    const list = (query: string) => send('GET', `/openapi/v1/apps?workspace_id=${workspace()}${query}`);
    const page = (await (await list('&limit=3')).json()) as { data: object[]; has_more: boolean };
    assert.deepEqual([page.data.length, page.has_more], [3, true]);
    assert.doesNotMatch(await (await list('&limit=100')).text(), /Agent of the new kind/);
    await like(await list('&mode=agent'), '"enum"');
    await like(await list('&limit=200'), 'AppListParams');
    await like(await send('GET', '/openapi/v1/apps'), 'workspace not found');
    const chat = `/openapi/v1/apps/${idOf('Tide helper')}`;
    const described = (await (await send('GET', chat)).json()) as { info: object };
    const known = replies.find(({ body }) => body.startsWith('{"info":{"id"'))?.body ?? '';
    for (const name of Object.keys(described.info)) assert.ok(known.includes(`"${name}"`), name);
    await like(await send('GET', `${chat}?fields=bogus`), 'unknown field');
    await like(await send('GET', `${chat}?workspace_id=${nowhere}`), 'does not match');
    await like(await send('GET', '/openapi/v1/apps/not-a-uuid'), 'app not found');
    platform.console.switchServiceApi(idOf('Tide helper'), false);
    await like(await send('GET', chat), 'service_api_disabled');
  });

  it('refuses runs as it was seen to', async () => {
    const run = (name: string, body: object) => send('POST', `/openapi/v1/apps/${idOf(name)}:run`, body);
    await like(await run('Tide helper', { inputs: {} }), 'query_required_for_chat');
    await like(await run('Tide helper', { query: 'x' }), '"missing","loc":["inputs"]');
    await like(await run('Passage planner', { inputs: {}, query: 'Hi' }), 'internal_server_error');
    await like(await run('Agent of the new kind', { inputs: {}, query: 'Hi' }), 'mode_not_runnable');
    const agent = await send('GET', `/openapi/v1/apps/${idOf('Agent of the new kind')}/dsl`);
    assert.match(await agent.text(), /^\{"data":"agent:\\n {2}package_ref: agent_1\\nagent_packages:/);
    const talk = { inputs: {}, query: 'x' };
    await like(await run('Tide helper', { ...talk, conversation_id: nowhere }), 'Conversation Not Exists.');
    await like(await run('Tide helper', { ...talk, conversation_id: 'nope' }), 'must be a valid UUID');
    await like(
      await run('Summarise', { inputs: { text: 'x' }, query: 'x' }),
      'query_not_supported_for_workflow',
    );
    await like(
      await run('Summarise', { inputs: { text: 'x' }, workflow_id: nowhere }),
      'Workflow not found with id',
    );
    await like(
      await run('Summarise', { inputs: { text: 'x' }, workflow_id: 'nope' }),
      'Invalid workflow_id format',
    );
    const failed = await (await run('Summarise', { inputs: {} })).text();
    assert.match(failed, /^event: ping\n\ndata: .*workflow_started[^]*"status":"failed","outputs":null/);
  });

  it('imports as it was seen to', async () => {
    const imports = `/openapi/v1/workspaces/${workspace()}/apps/imports`;
    const take = (yaml_content: string, more: object = {}) =>
      send('POST', imports, { mode: 'yaml-content', yaml_content, ...more });
    await like(await take('just text'), 'must be a mapping');
    await like(await take('version: 0.7.0\nkind: app\n'), 'Missing app data');
    await like(await take('version: 0.7\nkind: app\n'), "<class 'float'>");
    await like(await take('version: 0.7.0\napp: {mode: chat, name: x}\n'), 'Missing model_config');
    const chat = 'version: 0.7.0\napp: {mode: chat, name: x}\nmodel_config: {}\n';
    await like(await take(chat), '"status":"completed"');
    await like(await take(chat, { app_id: idOf('Tide helper') }), 'can be overwritten');
    await like(await take(chat, { app_id: nowhere }), 'App not found');
    await like(await take(chat.replace('0.7.0', '9.9.0')), '"status":"pending"');
    await like(await take(chat, { force: true }), 'extra_forbidden');
    await like(await send('POST', imports, { mode: 'yaml-content' }), 'yaml_content is required');
    await like(
      await send('POST', `/openapi/v1/workspaces/${nowhere}/apps/imports`, { yaml_content: 'x' }),
      'workspace not found',
    );
    await like(await send('POST', `${imports}/${nowhere}:confirm`), 'Import information expired');
    const dsl = `/openapi/v1/apps/${idOf('Summarise')}/dsl`;
    await like(await send('GET', `${dsl}?workflow_id=${nowhere}`), 'Workflow version not found');
    await like(await send('GET', `${dsl}?workflow_id=nope`), 'Value error, must be');
    await like(await send('GET', dsl), '{"data":');
  });
});
