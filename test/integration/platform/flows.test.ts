import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { carryOutPush, planPush, pushAsNewApp } from '../../../src/flows/sync/pushFlow.ts';
import { type FlowServer, pullFlow } from '../../../src/flows/sync/pullFlow.ts';
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

  async function start(yaml = flowText()) {
    const platform = await startPlatform({ openapi: {} });
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
    return { platform, app, server, pull };
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

  it('pulls workflows and chatflows only', async () => {
    const { server, platform } = await start();
    const chat = platform.console.apps.find(({ mode }) => mode === 'chat');
    await assert.rejects(
      pullFlow(server, { appId: chat!.id, path: 'a.yml' }, never),
      /Only workflows and chatflows can be pulled; the mode is "chat"/,
    );
  });
});
