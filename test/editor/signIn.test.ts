import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SignInResult } from '../../src/host/apps/signIn.ts';
import type { RunResult } from '../../src/apps/run/performRun.ts';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { inDays } from './inDays.ts';
import { withPerson, type PersonScript } from './person.ts';

const open = 'Copy Code and Open Browser';

describe('signing in to the platform', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const file = vscode.Uri.joinPath(folder.uri, 'signed/tide.md');

  async function withCommand(script: PersonScript, command: string, ...args: unknown[]) {
    let result: unknown;
    const asked = await withPerson(script, async () => {
      result = await vscode.commands.executeCommand(`switchboard.${command}`, ...args);
    });
    return { result, asked };
  }

  /** Approves or denies in the browser, as soon as there is a code. */
  function inBrowser(act: 'approve' | 'deny', server = platform): void {
    void server
      .waitForRequest(({ path }) => path.endsWith('/oauth/device/code'))
      .then(({ ended }) => ended)
      .then(() => server.console[act]());
  }

  async function signIn(): Promise<unknown> {
    inBrowser('approve');
    return (await withCommand({ picks: ['Pilots'], answers: [open] }, 'signIn', platform.url)).result;
  }

  /** Apps that other suites left have the same name. */
  async function runWorkflow() {
    await vscode.window.showTextDocument(file, { selection: new vscode.Range(0, 0, 0, 19) });
    return withCommand({ picks: [platform.url], forms: [{}] }, 'runWorkflow');
  }

  const setAddress = (url: string) =>
    vscode.workspace
      .getConfiguration('switchboard')
      .update('platform.baseUrl', url, vscode.ConfigurationTarget.Global);

  before(() => vscode.workspace.fs.writeFile(file, Buffer.from('High water at noon.\n')));
  beforeEach(async () => {
    platform = await startPlatform({
      openapi: {
        pollSeconds: 1,
        workspaces: [
          { name: 'Harbour office', apps: ['chat'], members: ['Ben', 'Cleo'] },
          { name: 'Pilots', role: 'editor', apps: ['workflow', 'chatflow'] },
        ],
      },
    });
  });
  afterEach(async () => {
    await withPerson({}, () => vscode.commands.executeCommand('switchboard.removeKeys'));
    const configuration = vscode.workspace.getConfiguration('switchboard');
    await configuration.update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await platform.stop();
  });
  after(() => vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, 'signed'), { recursive: true }));

  it('keeps nothing of a sign-in that is refused in the browser', async () => {
    inBrowser('deny');
    const { asked } = await withCommand(
      { types: [platform.url], picks: ['Sign In'], answers: [open] },
      'connectPlatform',
    );
    assert.ok(asked.some(({ text }) => /denied on the platform/.test(text)));
    assert.deepEqual(platform.console.sessions, []);
    assert.equal(vscode.workspace.getConfiguration('switchboard').get('platform.baseUrl'), '');
  });

  const requested = (part: string) => platform.requests.filter(({ path }) => path.includes(part)).length;

  it('waits for nobody whose code was dismissed', async () => {
    const { result, asked } = await withCommand({}, 'signIn', platform.url);
    assert.deepEqual(result, { signedIn: false });
    assert.match(asked[0]?.text ?? '', /^Your code: /);
    assert.deepEqual([requested('/oauth/device/code'), requested('/oauth/device/token')], [1, 0]);
  });

  it('ends a sign-in for which no workspace was chosen, and keeps nothing of it', async () => {
    inBrowser('approve');
    const { result } = await withCommand({ picks: [], answers: [open] }, 'signIn', platform.url);
    assert.deepEqual(result, { signedIn: false });
    assert.ok(requested('/oauth/device/token') > 0);
    assert.deepEqual(platform.console.sessions, []);
    assert.equal((await withCommand({}, 'removeKeys')).result, 0);
    assert.equal(vscode.workspace.getConfiguration('switchboard').get('platform.baseUrl'), '');
  });

  it('asks before a code and a token go unencrypted', async () => {
    const { result, asked } = await withCommand({}, 'signIn', 'http://192.0.2.7');
    assert.deepEqual(result, { signedIn: false });
    assert.match(asked[0]?.text ?? '', /^Send the key to http:\/\/192\.0\.2\.7 unencrypted\?$/);
  });

  it('goes from an address to the answer of an app, without a key', async () => {
    inBrowser('approve');
    const { result, asked } = await withCommand(
      { types: [platform.url], picks: ['Sign In', 'Pilots'], answers: [open] },
      'connectPlatform',
    );
    assert.deepEqual(result, {
      connected: false,
      signedIn: { signedIn: true, address: platform.url, workspace: 'Pilots', apps: 2 },
    });
    const code = asked.find(({ text }) => text.startsWith('Your code: '));
    assert.match(code?.text ?? '', /^Your code: [A-Z]{4}-[A-Z]{4}$/);
    assert.ok(code?.detail?.includes(`${platform.url}/device`));
    const [session] = platform.console.sessions;
    assert.match(session?.label ?? '', /^Switchboard on .+ \([0-9a-f]{8}\)$/);
    assert.doesNotMatch(JSON.stringify(asked), new RegExp(session?.token ?? 'none'));

    const answer = (await runWorkflow()).result as RunResult | undefined;
    assert.equal(answer?.status, 'succeeded');
    assert.match(String(answer.outputs['text']), /> High water at noon\./);
    const sent = platform.requests.find(({ path }) => path.endsWith(':run'));
    assert.deepEqual(sent?.json, { inputs: { text: 'High water at noon.' } });
    assert.equal(sent.headers.authorization, `Bearer ${session?.token}`);
  });

  it('asks to sign in again before the sign-in ends, and offers it where it has ended', async () => {
    await signIn();
    const offered = ({ asked }: Awaited<ReturnType<typeof withCommand>>) =>
      asked.filter(({ buttons }) => buttons?.includes('Sign In Again…')).map(({ text }) => text);
    const later = await inDays(11, runWorkflow);
    assert.deepEqual(offered(later), []);
    const [soon] = offered(await inDays(12.5, runWorkflow));
    assert.match(soon ?? '', /^Your sign-in to .* has expired or expires soon\. Sign in again/);
    assert.deepEqual(offered(await inDays(12.6, runWorkflow)), [], 'once');
    const ended = await inDays(14.5, runWorkflow);
    assert.match(offered(ended).join(), /Your sign-in to .* has expired, and ".*" has no key of its own\./);
    assert.equal((ended.result as RunResult | undefined)?.status, undefined);
  });

  it('shares a knowledge base with some members, whom the sign-in lists and a key does not', async () => {
    await signIn();
    const created = () =>
      withCommand(
        {
          types: ['Shared'],
          picks: ['Economical', 'Automatic', 'Some Members…', 'Harbour office'],
        },
        'createKnowledgeBase',
      );
    platform.others.addDataset({ dataset: 'Log' });
    await withCommand(
      { types: [platform.url, platform.datasetKey], picks: ['Enter Knowledge Base Key'] },
      'connectPlatform',
    );
    const { result } = await created();
    const base = platform.datasets.find(({ name }) => name === 'Shared');
    assert.equal(base?.id, result);
    assert.deepEqual([base?.permission, base?.memberIds.length], ['partial_members', 2]);
    const listed = platform.requests.filter(({ path }) => path.endsWith('/members'));
    assert.ok(listed.length > 0);
    assert.ok(listed.every(({ headers }) => headers.authorization?.startsWith('Bearer dfoa_')));
  });

  it('shows another workspace, and says when the platform has ended the sign-in', async () => {
    await signIn();
    const { result } = await withCommand({ picks: ['Harbour'] }, 'selectWorkspace');
    assert.equal(result, 'Harbour office');
    platform.console.signIn(platform.console.sessions[0]?.label);
    const { asked } = await withCommand({ picks: ['Harbour'] }, 'selectWorkspace');
    assert.ok(asked.some(({ text }) => /has expired or was revoked/.test(text)));
  });

  it('signs in again, and out for good', async () => {
    await signIn();
    assert.equal(((await signIn()) as SignInResult).apps, 2);
    assert.equal(platform.console.sessions.length, 1, 'in place of the one before');
    const { result } = await withCommand({}, 'signOut');
    assert.equal(result, true);
    assert.deepEqual(platform.console.sessions, []);
    const { asked } = await withCommand({}, 'signOut');
    assert.match(asked[0]?.text ?? '', /not signed in/);
  });

  it('signs in at the address of the console where that of the API offers none', async () => {
    const api = await startPlatform();
    await setAddress(api.url);
    inBrowser('approve');
    const { result } = await withCommand(
      { types: [platform.url], picks: ['Pilots'], answers: [open] },
      'signIn',
    );
    assert.deepEqual(result, { signedIn: true, address: platform.url, workspace: 'Pilots', apps: 2 });
    assert.equal(vscode.workspace.getConfiguration('switchboard').get('platform.baseUrl'), api.url);
    assert.ok(api.requests.every(({ headers }) => headers.authorization === undefined));
    await api.stop();
  });

  it('revokes a sign-in whose key is removed, or says that it could not', async () => {
    await signIn();
    assert.equal(platform.console.sessions.length, 1);
    const done = await withCommand({}, 'removeKeys');
    assert.deepEqual(platform.console.sessions, []);
    assert.doesNotMatch(JSON.stringify(done.asked), /couldn't be notified/);

    const gone = await startPlatform({ openapi: { pollSeconds: 1 } });
    inBrowser('approve', gone);
    await setAddress(gone.url);
    await withCommand({ answers: [open] }, 'signIn');
    await gone.stop();
    const { result, asked } = await withCommand({}, 'removeKeys');
    assert.equal(result, 1);
    assert.ok(asked.some(({ text }) => text.includes(`${gone.url} here. The platform couldn't be notified`)));
  });
});
