import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { carryOutPush, planPush, pushAsNewApp } from '../../../src/flows/sync/pushFlow.ts';
import { carryOutPublish, planPublish } from '../../../src/flows/sync/publishFlow.ts';
import { withCatalog } from '../../../src/platform/openapi/catalog.ts';
import { isMissingOnServer } from '../../../src/platform/platformErrors.ts';
import { formatDuration } from '../../../src/base/text/formatTime.ts';
import { type FlowServer, pullEach, pullFlow } from '../../../src/flows/sync/pullFlow.ts';
import { startPlatform } from '../../servers/platform/platformServer.ts';
import { openapiUnderTest } from '../../support/openapiUnderTest.ts';
import { flowText, modelNode, plainNodes } from '../../support/flowText.ts';

const never = new AbortController().signal;
const yes = async () => true;
const no = async () => assert.fail('asked to confirm');

describe('workflows as code', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  async function start(yaml = flowText(), version = '1.16.1') {
    const platform = await startPlatform({ openapi: {}, version });
    const tested = openapiUnderTest({ baseUrl: platform.url, key: platform.console.signIn().token });
    toClean.push(
      () => platform.stop(),
      () => tested.http.dispose(),
    );
    const app = platform.console.addFlow(yaml);
    const { client } = tested;
    const { defaultWorkspaceId: workspaceId = '' } = await client.account(never);
    const server: FlowServer = { origin: new URL(platform.url).origin, workspaceId, client };
    const pull = () => pullFlow(server, { appId: app.id, path: 'a.yml' }, never);
    return { platform, app, server, pull, context: tested.context };
  }

  const secret = { id: 'k', name: 'KEY', value_type: 'secret', value: 'hunter2' };

  it('is byte for byte the same after pull, push and pull', async () => {
    const { server, pull, app, platform } = await start(flowText({ environment: [secret] }));
    const first = await pull();
    assert.doesNotMatch(first.text, /hunter2/);
    const plan = await planPush(server, first.link, first.text, never);
    assert.deepEqual([plan.state, plan.changes, plan.hasSecrets], ['same', [], true]);
    const result = await carryOutPush(server, plan, no, never);
    assert.deepEqual(result?.emptySecrets, []);
    assert.equal((await pull()).text, first.text);
    assert.match(platform.console.draftOf(app.id), /hunter2/, "the draft's secret is as before");
  });

  it('pushes what changed, and is in step after it, comments or not', async () => {
    const { server, pull, app, platform } = await start();
    const { link, text } = await pull();
    const edited = `# by hand\n${text.replace('gpt-4o', 'claude')}`;
    const plan = await planPush(server, link, edited, never);
    assert.deepEqual([plan.state, plan.changes], ['changedHere', ['LLM "Write": model gpt-4o → claude']]);
    const result = await carryOutPush(server, plan, no, never);
    assert.match(platform.console.draftOf(app.id), /claude/);
    const again = await planPush(server, result!.link, edited, never);
    assert.deepEqual([again.state, again.changes], ['same', []]);
  });

  it('is pushed and in step though the draft cannot be read any more', async () => {
    const { server, pull, app, platform } = await start();
    const { link, text } = await pull();
    const edited = text.replace('gpt-4o', 'claude');
    const plan = await planPush(server, link, edited, never);
    const gone = async () => assert.fail('the network is gone');
    const importDsl: FlowServer['client']['importDsl'] = async (...request) => {
      const outcome = await server.client.importDsl(...request);
      Object.assign(client, { exportDsl: gone, missingPlugins: gone, canPublish: gone });
      return outcome;
    };
    const client = { ...server.client, importDsl };
    const result = await carryOutPush({ ...server, client }, plan, no, never);
    assert.match(platform.console.draftOf(app.id), /claude/);
    const again = await planPush(server, result!.link, edited, never);
    assert.deepEqual([again.state, again.changes], ['same', []]);
  });

  it("tells a colleague's change, and never overwrites one of a moment ago", async () => {
    const { server, pull, app, platform } = await start();
    const { link, text } = await pull();
    const edited = text.replace('gpt-4o', 'claude');
    platform.console.edit(app.id, flowText({ app: { name: 'Theirs' } }));
    const plan = await planPush(server, link, edited, never);
    assert.equal(plan.state, 'changedBoth');
    assert.ok(plan.changes.includes('App: name Theirs → Small flow'));
    const theirs = flowText({ app: { name: 'Newer' } });
    platform.console.edit(app.id, theirs);
    await assert.rejects(
      carryOutPush(server, plan, no, never),
      (error: SwitchboardError) => error.code === 'conflict',
    );
    assert.match(platform.console.draftOf(app.id), /Newer/);
    assert.equal((await planPush(server, link, text, never)).state, 'changedThere');
  });

  it('asks before an import of another version, and does nothing without', async () => {
    const { server, pull, app, platform } = await start();
    const { link, text } = await pull();
    const newer = text.replace('0.7.0', '9.9.0').replace('gpt-4o', 'claude');
    const plan = await planPush(server, link, newer, never);
    const before = platform.console.draftOf(app.id);
    assert.equal(await carryOutPush(server, plan, async () => false, never), undefined);
    assert.equal(platform.console.draftOf(app.id), before);
    let asked = '';
    const confirm = async ({ importedVersion }: { importedVersion: string }) => {
      asked = importedVersion;
      return true;
    };
    assert.ok(await carryOutPush(server, plan, confirm, never));
    assert.equal(asked, '9.9.0');
    assert.match(platform.console.draftOf(app.id), /claude/);
  });

  it('names the triggers that are reset, and refuses another mode', async () => {
    const { server, pull } = await start();
    const { link } = await pull();
    const trigger = { id: 't', type: 'trigger-schedule', title: 'Nightly' };
    const plan = await planPush(server, link, flowText({ nodes: [...plainNodes(), trigger] }), never);
    assert.deepEqual(plan.resetTriggers, ['Schedule Trigger "Nightly"']);
    const chatflow = flowText({ app: { mode: 'advanced-chat' } });
    for (const text of [chatflow, 'x: 1', flowText({ app: { mode: 'chat' } })]) {
      await assert.rejects(planPush(server, link, text, never), SwitchboardError);
    }
  });

  it('makes a new app, and says which secrets are empty', async () => {
    const { server, platform } = await start();
    const count = platform.console.apps.length;
    const text = flowText({
      environment: [{ ...secret, value: '' }],
      nodes: [...plainNodes(), modelNode('m', 'M', 'x')],
    });
    const result = await pushAsNewApp(server, { path: 'new.yml', text, name: 'Copy' }, yes, never);
    assert.equal(platform.console.apps.length, count + 1);
    assert.deepEqual(result?.emptySecrets, ['KEY']);
    assert.equal(platform.console.apps.at(-1)?.id, result?.link.appId);
    assert.equal(platform.console.apps.at(-1)?.draft.app.name, 'Copy');
    assert.deepEqual((await planPush(server, result.link, text, never)).state, 'same');
  });

  describe('on 1.18, as documented', () => {
    const newer = () => start(flowText(), '1.18.0');

    it('asks for the catalog when it is told to, once, and never without the operation', async () => {
      const { platform, server, app, context } = await newer();
      const fetched = () => platform.requests.filter(({ path }) => path.endsWith('/_catalog')).length;
      assert.equal(fetched(), 1, 'the account was the first call');
      await server.client.exportDraft(app.id, never);
      assert.equal(fetched(), 1, 'it is remembered');
      const { authorization, 'x-dify-catalog': hash } = platform.requests.at(-1)!.headers;
      assert.ok(authorization);
      assert.match(String(hash), /^[0-9a-f]{64}$/);
      const [asked] = platform.requests.filter(({ path }) => path.endsWith('/_catalog'));
      assert.equal(asked!.headers.authorization, undefined, 'the token is not for this call');
      const stale = new SwitchboardError('request', 'x', { status: 412, serverCode: 'catalog_stale' });
      let sent = 0;
      const refusing = async () => {
        sent++;
        throw stale;
      };
      const caller = withCatalog(context, { ask: refusing, send: refusing, open: refusing });
      const send = (path: string) => caller.send({ method: 'GET', path }, never);
      await assert.rejects(send('/apps/1/nothing'), isMissingOnServer);
      assert.equal(sent, 1, 'what the server does not have is not sent again');
      await assert.rejects(send('/apps/1/dsl'), stale);
      assert.equal(sent, 3, 'all else once');
    });

    it('is refused by the platform where the draft changes at the last moment', async () => {
      const { server, pull, app, platform } = await newer();
      const { link, text } = await pull();
      const plan = await planPush(server, link, text.replace('gpt-4o', 'claude'), never);
      const client: FlowServer['client'] = {
        ...server.client,
        importDsl(...args) {
          platform.console.edit(app.id, flowText({ app: { name: 'Theirs' } }));
          return server.client.importDsl(...args);
        },
      };
      await assert.rejects(
        carryOutPush({ ...server, client }, plan, no, never),
        (error: SwitchboardError) => error.code === 'conflict',
      );
      assert.match(platform.console.draftOf(app.id), /Theirs/);
      const again = await planPush(server, link, text, never);
      assert.ok(await carryOutPush(server, again, no, never));
    });

    it('tells what the platform finds before a push', async () => {
      const { server, pull } = await newer();
      const { link, text } = await pull();
      assert.deepEqual((await planPush(server, link, text, never)).issues, []);
      const { issues } = await planPush(server, link, text.replace('gpt-4o', 'no-such-model'), never);
      const found = { message: 'Model no-such-model not found.', severity: 'error', nodeId: 'llm' };
      assert.deepEqual(issues, [found]);
    });

    it('publishes the draft that was shown, with a note', async () => {
      const { server, app, platform } = await newer();
      assert.equal(await server.client.canPublish(app.id, never), true);
      const plan = await planPublish(server, app.id, flowText({ app: { name: 'Mine' } }), never);
      assert.equal(plan.changes?.[0], 'App: name Mine → Small flow');
      assert.equal(await carryOutPublish(server, plan, 'Tuesday', never), '');
      assert.deepEqual(platform.console.notes, ['Tuesday']);
      platform.console.edit(app.id, flowText({ app: { name: 'Theirs' } }));
      await assert.rejects(
        carryOutPublish(server, plan, '', never),
        (error: SwitchboardError) => error.code === 'conflict',
      );
      assert.equal(platform.console.notes.length, 1);
    });
  });

  it('knows on 1.16 that it can neither publish nor check', async () => {
    const { server, app, pull, platform } = await start();
    assert.equal(await server.client.canPublish(app.id, never), false);
    const { link, text } = await pull();
    const plan = await planPush(server, link, text.replace('gpt-4o', 'claude'), never);
    assert.deepEqual(plan.issues, []);
    assert.ok(await carryOutPush(server, plan, no, never), 'a field that it refuses is not sent');
    assert.ok(platform.requests.every(({ headers }) => headers['x-dify-catalog'] === undefined));
  });

  it('pulls a hundred within the limit of a minute, tells the time, and stops where it is told to', async () => {
    let nowMs = Date.parse('2026-11-23T12:00:00Z');
    const platform = await startPlatform({
      openapi: { flows: Array.from({ length: 100 }, () => ({ yaml: flowText() })) },
      now: () => nowMs,
    });
    const tested = openapiUnderTest({ baseUrl: platform.url, key: platform.console.signIn().token });
    toClean.push(
      () => platform.stop(),
      () => tested.http.dispose(),
    );
    const flows = platform.console.apps.filter(({ draft }) => draft.app.name === 'Small flow');
    const server = { origin: platform.url, workspaceId: 'w', client: tested.client };
    const pulled: string[] = [];
    const pull = async ({ id }: { id: string }, signal: AbortSignal) => {
      pulled.push((await pullFlow(server, { appId: id, path: 'a.yml' }, signal)).link.appId);
    };
    const left: number[] = [];
    const waits: number[] = [];
    const begin = nowMs;
    const { failed } = await pullEach(flows, pull, {
      signal: never,
      report: ({ leftMs }) => left.push(leftMs),
      async wait(ms) {
        waits.push(ms);
        nowMs += ms;
      },
    });
    assert.deepEqual(failed, []);
    assert.deepEqual(
      pulled,
      flows.map(({ id }) => id),
    );
    assert.equal(formatDuration(left[0]!, 'about'), '2 min');
    assert.equal(waits.length, 1);
    assert.ok(nowMs - begin >= 55_000, `a minute was waited for: ${nowMs - begin} ms`);
    // The wait can be stopped, too, and what is there stays.
    pulled.length = 0;
    const controller = new AbortController();
    const stopped = pullEach(flows, pull, {
      ...{ signal: controller.signal, report: () => undefined },
      async wait(_ms, signal) {
        controller.abort();
        signal.throwIfAborted();
      },
    });
    await assert.rejects(stopped);
    assert.ok(pulled.length > 0 && pulled.length < 60, String(pulled.length));
  });

  it('pulls workflows and chatflows only', async () => {
    const { server, platform } = await start();
    const chat = platform.console.apps.find(({ mode }) => mode === 'chat');
    await assert.rejects(
      pullFlow(server, { appId: chat!.id, path: 'a.yml' }, never),
      /Only workflows and chatflows can be pulled; the mode is "chat"/,
    );
  });
});
