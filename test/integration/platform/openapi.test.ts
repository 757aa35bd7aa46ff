import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { parse, stringify } from 'yaml';
import { type ErrorCode, SwitchboardError } from '../../../src/base/errors/errors.ts';
import { asObject } from '../../../src/base/json.ts';
import { findOpenapi } from '../../../src/platform/openapi/accountCaller.ts';
import { isMissingOnServer } from '../../../src/platform/platformErrors.ts';
import type { OpenapiOptions } from '../../servers/platform/openapi/openapiOptions.ts';
import { startPlatform } from '../../servers/platform/platformServer.ts';
import { appUnderTest, hearAnswer } from '../../support/appUnderTest.ts';
import { openapiUnderTest } from '../../support/openapiUnderTest.ts';

const never = new AbortController().signal;

const fails = (code: ErrorCode, why?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SwitchboardError, String(error));
  assert.equal(error.code, code, error.message);
  if (why) assert.match(error.why ?? '', why);
  return true;
};

describe('the client of the user-level API', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  async function start(openapi: OpenapiOptions = {}, version = '1.16.1') {
    const server = await startPlatform({ openapi, version });
    const session = server.console.signIn();
    const tested = openapiUnderTest({ baseUrl: server.url, key: session.token });
    toClean.push(
      () => server.stop(),
      () => tested.http.dispose(),
    );
    const appNamed = (name: string) => {
      const found = server.console.apps.find(({ draft }) => draft.app.name === name);
      assert.ok(found, name);
      return found;
    };
    return { server, session, ...tested, appNamed };
  }

  async function listed({ client }: Awaited<ReturnType<typeof start>>, workspaceId: string) {
    const apps = [];
    for await (const page of client.apps(workspaceId, never)) apps.push(...page);
    return apps;
  }

  it('is found by its version, and not where it is off or the console answers', async () => {
    const { context, server } = await start();
    assert.equal(await findOpenapi(context, never), '1.16.1');
    assert.equal(server.requests.at(-1)?.headers.authorization, undefined, 'the token is not for this call');
    const off = await startPlatform();
    toClean.push(() => off.stop());
    const connection = { baseUrl: off.url, key: '' };
    assert.equal(await findOpenapi({ ...context, connection }, never), undefined);
  });

  it('says whose the sign-in is, and which workspaces there are', async () => {
    const workspaces = [{ name: 'Harbour office' }, { name: 'Pilots', role: 'normal' as const }];
    const { client } = await start({ workspaces });
    const account = await client.account(never);
    assert.equal(account.email, 'admin@example.com');
    const found = await client.workspaces(never);
    assert.deepEqual(
      found.map(({ name, role }) => [name, role]),
      [
        ['Harbour office', 'owner'],
        ['Pilots', 'normal'],
      ],
    );
    assert.equal(account.defaultWorkspaceId, found[0]?.id);
  });

  it('lists every app with API access, over short pages', async () => {
    const tested = await start();
    const { server, appNamed, client } = tested;
    for (let count = 0; count < 110; count++) {
      server.console.addFlow(flow(`Flow ${count}`, 'return'), false);
    }
    const hidden = appNamed('Flow 7');
    server.console.switchServiceApi(hidden.id, false);
    const { defaultWorkspaceId = '' } = await client.account(never);
    const apps = await listed(tested, defaultWorkspaceId);
    assert.equal(apps.length, server.apps.all.length + 109);
    assert.ok(!apps.some(({ id }) => id === hidden.id));
    const summarise = apps.find(({ name }) => name === 'Summarise');
    assert.equal(summarise?.mode, 'workflow');
    assert.ok((summarise.updatedAtMs ?? 0) > Date.now() - 60_000, 'a time without zone is UTC');
  });

  it('tells a token that has ended from a server that failed', async () => {
    const { client, server, session, appNamed, app } = await start();
    const unpublished = server.console.addFlow(flow('Draft only', 'return'), false);
    const { failure } = await hearAnswer(
      app(unpublished.id).runWorkflow({ inputs: {}, stream: true }, never),
    );
    assert.equal(failure?.code, 'app-unavailable');
    assert.match(failure.message, /unpublished/);
    const again = server.requests.filter(({ path }) => path.endsWith('/workflow:run'));
    assert.deepEqual(again, [], 'a run that failed is not run again');
    server.console.signIn('test');
    assert.ok(!server.console.sessions.includes(session), 'the same label again ends the first sign-in');
    await assert.rejects(client.account(never), fails('key'));
    const before = server.requests.length;
    await assert.rejects(client.exportDsl(appNamed('Summarise').id, {}, never), fails('key'));
    assert.ok(server.requests.length - before <= 3, 'a 500 is not repeated');
  });

  it('waits as long as the server asks for, once its 60 requests a minute are used', async () => {
    const { client } = await start({ requestsPerMinute: 1 });
    await client.account(never);
    await assert.rejects(client.account(never), (error: SwitchboardError) => {
      assert.ok((error.retryAfterMs ?? 0) > 50_000);
      return fails('rate-limit')(error);
    });
  });

  it('exports and imports an app, byte for byte the same', async () => {
    const { client, server, appNamed } = await start();
    const { defaultWorkspaceId = '' } = await client.account(never);
    const app = appNamed('Summarise');
    const first = await client.exportDsl(app.id, {}, never);
    assert.match(first, /^app:\n {2}description: /);
    const over = await client.importDsl(defaultWorkspaceId, { yaml: first, appId: app.id }, never);
    assert.deepEqual([over.status, over.appId, over.mode], ['completed', app.id, 'workflow']);
    assert.equal(await client.exportDsl(app.id, {}, never), first);
    const made = await client.importDsl(defaultWorkspaceId, { yaml: first, name: 'Copy' }, never);
    assert.notEqual(made.appId, app.id);
    assert.equal(
      (parse(server.console.draftOf(made.appId ?? '')) as { app: { name: string } }).app.name,
      'Copy',
    );
  });

  it('gives secrets as text only where they are asked for, and blanks them by a push', async () => {
    const { client, server } = await start();
    const { defaultWorkspaceId = '' } = await client.account(never);
    const app = server.console.addFlow(flow('Secretive', 'return'));
    const plain = await client.exportDsl(app.id, {}, never);
    assert.doesNotMatch(plain, /s3cret/);
    assert.match(await client.exportDsl(app.id, { includeSecret: true }, never), /s3cret/);
    await client.importDsl(defaultWorkspaceId, { yaml: plain, appId: app.id }, never);
    assert.doesNotMatch(server.console.draftOf(app.id), /s3cret/);
  });

  it('has an import of another version confirmed, once', async () => {
    const { client } = await start();
    const { defaultWorkspaceId = '' } = await client.account(never);
    const imported = (version: unknown, appId?: string) => {
      const yaml = stringify({ ...(parse(flow('Other', 'return')) as object), version });
      return client.importDsl(defaultWorkspaceId, { yaml, ...(appId && { appId }) }, never);
    };
    assert.equal((await imported('0.3.0')).status, 'completed-with-warnings');
    const pending = await imported('9.9.0');
    assert.deepEqual([pending.status, pending.appId], ['pending', undefined]);
    const done = await client.confirmImport(defaultWorkspaceId, pending.id, never);
    assert.ok(done.appId);
    await assert.rejects(
      client.confirmImport(defaultWorkspaceId, pending.id, never),
      fails('request', /expired or does not exist/),
    );
    await assert.rejects(imported('abc'), fails('request', /Invalid version: 'abc'/));
    await assert.rejects(imported(0.7), fails('request', /expected str, got <class 'float'>/));
    await assert.rejects(
      imported('0.7.0', '00000000-0000-4000-8000-000000000000'),
      fails('request', /App not found/),
    );
  });

  it('refuses what the account may not do, in words', async () => {
    const workspaces = [
      { name: 'Harbour office' },
      { name: 'Pilots', role: 'normal' as const, apps: ['chat' as const] },
    ];
    const { client, server, appNamed } = await start({ workspaces });
    const [, pilots] = await client.workspaces(never);
    const foreign = server.console.apps.find(({ workspace }) => workspace.name === 'Pilots');
    await assert.rejects(client.exportDsl(foreign?.id ?? '', {}, never), fails('not-permitted'));
    const yaml = flow('Pilot', 'return');
    await assert.rejects(client.importDsl(pilots?.id ?? '', { yaml }, never), fails('not-permitted'));
    const chat = appNamed('Tide helper');
    server.console.switchServiceApi(chat.id, false);
    await assert.rejects(client.describe(chat.id, never), fails('app-unavailable', /service_api_disabled/));
    await assert.rejects(client.describe('not-a-uuid', never), fails('request', /app not found/));
    const workflowId = '00000000-0000-4000-8000-000000000000';
    await assert.rejects(
      client.exportDsl(appNamed('Summarise').id, { workflowId }, never),
      fails('request', /Workflow version not found/),
    );
  });

  it('runs the published version of a workflow, with less in its steps', async () => {
    const { client, server, app } = await start();
    const { defaultWorkspaceId = '' } = await client.account(never);
    const entry = server.console.addFlow(flow('Greeter', 'return'));
    const run = async () =>
      hearAnswer(app(entry.id).runWorkflow({ inputs: { who: 'Ada' }, stream: true }, never));
    const outputsOf = (heard: Awaited<ReturnType<typeof run>>) =>
      heard.events.flatMap((event) => (event.type === 'runFinished' ? [event.run.outputs] : []));
    const first = await run();
    assert.equal(first.failure, undefined);
    assert.deepEqual(outputsOf(first), [{ text: 'Hello Ada' }]);
    await client.importDsl(defaultWorkspaceId, { yaml: flow('Greeter', 'fail'), appId: entry.id }, never);
    assert.deepEqual(outputsOf(await run()), [{ text: 'Hello Ada' }], 'the draft does not run');
    server.console.publish(entry.id);
    const failed = await run();
    const [end] = failed.events.flatMap((event) => (event.type === 'runFinished' ? [event.run] : []));
    assert.equal(end?.status, 'failed');
    assert.match(end.error ?? '', /ValueError: boom/);
    assert.ok(!server.requests.some(({ json }) => json && typeof json === 'object' && 'user' in json));
  });

  it('says what an app asks for, and offers nothing that a sign-in has no route for', async () => {
    const { app, appNamed } = await start();
    const planner = app(appNamed('Passage planner').id);
    const { name, kind } = await planner.info(never);
    assert.deepEqual([name, kind], ['Passage planner', 'chat']);
    const { form } = await planner.parameters(never);
    assert.ok(form.length > 0);
    for (const of of ['Passage planner', 'Tide helper']) {
      const read = await app(appNamed(of).id).parameters(never);
      const { suggestsAfterAnswer, transcribes, speaks, repliesByAnnotation } = read;
      const offered = [suggestsAfterAnswer, transcribes, speaks, repliesByAnnotation];
      assert.deepEqual(offered, [false, undefined, undefined, undefined], of);
    }
    const request = { inputs: { query: 'Low water', style: 'shout' }, stream: true };
    const rewritten = await hearAnswer(app(appNamed('Rewrite').id).complete(request, never));
    assert.equal(rewritten.failure, undefined);
    assert.match(rewritten.text, /LOW WATER/);
  });

  it('chats as the account, apart from what an app key began', async () => {
    const { app, appNamed, server } = await start();
    const { id } = appNamed('Tide helper');
    const keyed = appUnderTest({ baseUrl: server.url, key: server.appKey });
    toClean.push(() => keyed.http.dispose());
    const conversationOf = ({ events }: Awaited<ReturnType<typeof hearAnswer>>) =>
      events.flatMap((event) => (event.type === 'started' ? (event.conversationId ?? []) : []))[0] ?? '';
    const first = await hearAnswer(app(id).chat({ query: 'Hello', inputs: {}, stream: true }, never));
    assert.equal(first.failure, undefined);
    const conversationId = conversationOf(first);
    const question = { query: 'what did I say before?', inputs: {}, stream: true, conversationId };
    assert.match((await hearAnswer(app(id).chat(question, never))).text, /Hello/);
    assert.equal((await hearAnswer(keyed.client.chat(question, never))).failure?.code, 'conversation-over');
    await assert.rejects(app(id).messages(conversationId, undefined, never), isMissingOnServer);
  });

  it('runs apps of 1.18 by paths that name the mode', async () => {
    const { app, appNamed, server } = await start({}, '1.18.0');
    const client = app(appNamed('Tide helper').id);
    const ask = () => hearAnswer(client.chat({ query: 'Hello', inputs: {}, stream: true }, never));
    for (const tries of [3, 1]) {
      server.clearRequests();
      assert.match((await ask()).text, /Hello/);
      // The first run finds out the path, and that the server wants its catalog's hash.
      const runs = server.requests.filter(({ path }) => path.endsWith(':run'));
      assert.ok(runs.length <= tries, `${runs.length}`);
      assert.match(runs.at(-1)?.path ?? '', /\/chat:run$/);
    }
    const request = { inputs: { text: 'High water.' }, stream: true };
    const summary = await hearAnswer(app(appNamed('Summarise').id).runWorkflow(request, never));
    assert.equal(summary.failure, undefined);
    const gone = await hearAnswer(app('00000000-0000-4000-8000-000000000000').runWorkflow(request, never));
    assert.equal(gone.failure?.status, 404);
  });

  it('fills in the form that a run waits for, and follows the run to its end', async () => {
    const { app, appNamed } = await start();
    const client = app(appNamed('Notice to mariners').id);
    const run = await hearAnswer(
      client.runWorkflow({ inputs: { notice: 'The lock is closed.' }, stream: true }, never),
    );
    const [form] = run.events.flatMap((event) => (event.type === 'paused' ? (event.forms ?? []) : []));
    const [runId] = run.events.flatMap((event) => (event.type === 'started' ? (event.runId ?? []) : []));
    assert.ok(form?.token && runId);
    assert.match((await client.humanInputForm(form.token, never)).content, /The lock is closed/);
    const inputs = { comment: 'Fine.' };
    await assert.rejects(
      client.submitHumanInput(form.token, { action: 'approve', inputs }, never),
      fails('request', /Missing required inputs: urgency/),
    );
    const whole = { ...inputs, urgency: 'today' };
    await client.submitHumanInput(form.token, { action: 'approve', inputs: whole }, never);
    const { events } = await hearAnswer(client.followRun(runId, never));
    const [end] = events.flatMap((event) => (event.type === 'runFinished' ? [event.run] : []));
    assert.deepEqual([end?.status, end?.outputs['decision']], ['succeeded', 'approve']);
    await assert.rejects(
      client.submitHumanInput(form.token, { action: 'approve', inputs: whole }, never),
      fails('request', /already been submitted/),
    );
  });

  it('stops a run on the platform, and gives it a file of the account', async () => {
    const { app, appNamed, server } = await start();
    const client = app(appNamed('Summarise').id);
    const file = Buffer.from('Low water at six.');
    const upload = { name: 'tide.md', size: file.byteLength, open: () => Readable.from([file]) };
    const id = await client.upload(upload, never);
    const source = { type: 'document', transfer_method: 'local_file', upload_file_id: id };
    const request = { inputs: { text: 'Tides', source }, stream: true };
    const whole = await hearAnswer(client.runWorkflow(request, never));
    const [end] = whole.events.flatMap((event) => (event.type === 'runFinished' ? [event.run] : []));
    assert.equal(asObject(end?.outputs['counts'])?.['sources'], 2);
    const hold = server.apps.hold('workflow', 2);
    const stop = new AbortController();
    void hold.reached.then(() => stop.abort());
    const stopped = await hearAnswer(client.runWorkflow(request, stop.signal));
    assert.equal(stopped.failure?.code, 'cancelled');
    assert.deepEqual(
      server.apps.stops.map(({ hit }) => hit),
      [true],
    );
    hold.release();
  });

  it('ends the sign-in on the platform', async () => {
    const { client, server, session } = await start();
    await client.signOut(never);
    assert.ok(!server.console.sessions.includes(session));
  });
});

function flow(name: string, code: 'return' | 'fail'): string {
  const node = (id: string, data: object) => ({ id, type: 'custom', data, position: { x: 0, y: 0 } });
  const edge = (source: string, target: string) => ({ source, target, sourceHandle: 'source' });
  return stringify({
    app: { name, mode: 'workflow' },
    kind: 'app',
    version: '0.7.0',
    workflow: {
      environment_variables: [
        { id: 'e1', name: 'token', value: 's3cret', value_type: 'secret', selector: ['env', 'token'] },
      ],
      graph: {
        nodes: [
          node('start', {
            ...{ type: 'start', title: 'Start' },
            variables: [
              { type: 'text-input', variable: 'who', label: 'Who', required: true, max_length: 20 },
            ],
          }),
          node('code', {
            ...{ type: 'code', title: 'Check', code_language: 'python3' },
            code: code === 'fail' ? "def main(a):\n    raise ValueError('boom')" : 'def main(a): return {}',
            variables: [{ variable: 'a', value_selector: ['start', 'who'] }],
            outputs: { result: { type: 'string' } },
          }),
          node('greet', {
            ...{ type: 'template-transform', title: 'Greet', template: 'Hello {{ who }}' },
            variables: [{ variable: 'who', value_selector: ['code', 'result'] }],
          }),
          node('end', {
            ...{ type: 'end', title: 'End' },
            outputs: [{ variable: 'text', value_selector: ['greet', 'output'] }],
          }),
        ],
        edges: [edge('start', 'code'), edge('code', 'greet'), edge('greet', 'end')],
      },
    },
  });
}
