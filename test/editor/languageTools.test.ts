import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type PlatformServer, startPlatform } from '../servers/sandbox.ts';
import { type ModelUser, startModelUser } from './modelUser.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson } from './person.ts';
import type { ListScript } from './scriptedQuickPick.ts';

const run = (command: string) => vscode.commands.executeCommand(`switchboard.${command}`);

// The editor confirms its own questions in tests; test/e2e holds the texts.
describe("our tools among the editor's, as another extension calls them", function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let other: ModelUser;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);

  before(async () => {
    other = await startModelUser();
    platform = await startPlatform({
      indexing: 'instant',
      seed: [
        { dataset: 'Harbour', documents: [{ name: 'old.md', text: 'Pilots board at the outer buoy.' }] },
        { dataset: 'Empty' },
      ],
    });
    await vscode.workspace.fs.writeFile(
      uriOf('told/rules.md'),
      Buffer.from('Boats wait outside the wall.\n'),
    );
    await vscode.workspace.fs.writeFile(uriOf('told/.env'), Buffer.from('KEY=1\n'));
  });
  after(async () => {
    await vscode.workspace.fs.delete(uriOf('told'), { recursive: true });
    await platform.stop();
  });
  beforeEach(async () => {
    await withPerson({ types: [platform.url, platform.datasetKey] }, () => run('connectPlatform'));
    platform.clearRequests();
  });
  afterEach(disconnect);

  async function disconnect(): Promise<void> {
    await withPerson({}, () => run('removeKeys'));
    const settings = vscode.workspace.getConfiguration('switchboard');
    await settings.update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
  }

  /** Older editors list a tool only while it applies. */
  const eventuallyThere = (name: string) => eventually(() => assert.ok(other.tools().includes(name), name));

  it('say what is missing while no platform is connected', async () => {
    await disconnect();
    const { text = '' } = await other.call('switchboard_search_knowledge', { query: 'x' });
    assert.match(text, /No platform is connected/);
  });

  it('are there with a platform', async () => {
    await eventuallyThere('switchboard_add_to_knowledge_base');
    await eventuallyThere('switchboard_search_knowledge');
  });

  it('search the knowledge bases that are named, and tell which there are', async () => {
    const { text = '' } = await other.call('switchboard_search_knowledge', {
      query: 'Where do pilots board?',
      knowledge_bases: ['Harbour'],
    });
    assert.match(text, /outer buoy/);
    assert.ok(!text.includes(platform.datasetKey));
    const unknown = await other.call('switchboard_search_knowledge', { query: 'x', knowledge_bases: ['Y'] });
    assert.match(unknown.text ?? '', /- Harbour/);
  });

  it('list the knowledge bases, and read more of what was found', async () => {
    const listed = await other.call('switchboard_list_knowledge_bases', {});
    assert.match(listed.text ?? '', /- Harbour/);
    const query = { query: 'Where do pilots board?', knowledge_bases: ['Harbour'] };
    const { text = '' } = await other.call('switchboard_search_knowledge', query);
    const [, n = ''] = /cite="\[(\d+)\]"/.exec(text) ?? [];
    const read = await other.call('switchboard_read_source', { source: Number(n) });
    assert.match(read.text ?? '', /^<source-[\s\S]*outer buoy/);
    const unknown = await other.call('switchboard_read_source', { source: 999 });
    assert.match(unknown.text ?? '', /There is no source \[999\]/);
  });

  it('check what the editor does not, and send nothing then', async () => {
    const { text = '' } = await other.call('switchboard_search_knowledge', { top_k: 3 });
    assert.match(text, /The input is not valid/);
    const secret = await other.call('switchboard_add_to_knowledge_base', { paths: ['told/.env'] });
    assert.match(secret.text ?? '', /\.env/);
    const outside = await other.call('switchboard_add_to_knowledge_base', { paths: ['../../etc/passwd'] });
    assert.ok(outside.text && !outside.text.startsWith('Uploaded'), outside.text);
    assert.equal(platform.requests.length, 0);
  });

  it('upload files only as the user confirms them', async () => {
    const upload = async (isConfirmed: boolean) => {
      let result: { text?: string } = {};
      const lists: ListScript[] = [
        (list) => list.accept('Empty'),
        async (list) => {
          await list.item('Upload 1 document');
          if (isConfirmed) await list.accept('Upload 1 document');
          else list.dismiss();
        },
      ];
      await withPerson({ lists }, async () => {
        result = await other.call('switchboard_add_to_knowledge_base', { paths: ['told/rules.md'] });
      });
      return result.text ?? '';
    };
    assert.match(await upload(false), /did not confirm/);
    assert.ok(platform.requests.every(({ method }) => method === 'GET'));
    assert.match(await upload(true), /"added":1/);
  });

  it('run the workflows that the user offers, and no other', async () => {
    const { name, key } = platform.apps.workflow;
    await withPerson({ types: [platform.url, key] }, () => run('addApp'));
    const none = await other.call('switchboard_run_workflow', { workflow: name });
    assert.equal(none.text, 'The user offers no workflow.');
    await withPerson({}, async () => {
      assert.deepEqual(await run('offerWorkflows'), [name]);
    });
    await eventuallyThere('switchboard_run_workflow');
    platform.clearRequests();
    const unknown = await other.call('switchboard_run_workflow', { workflow: 'Unknown' });
    assert.match(unknown.text ?? '', new RegExp(`- ${name}`));
    const wrong = await other.call('switchboard_run_workflow', { workflow: name, inputs: { nothing: 1 } });
    assert.match(wrong.text ?? '', /nothing: the workflow has no such input/);
    const ran = () => platform.requests.filter(({ path }) => path === '/v1/workflows/run');
    assert.equal(ran().length, 0);
    const inputs = { text: 'High water at noon. Low water at six.' };
    const done = await other.call('switchboard_run_workflow', { workflow: name, inputs });
    assert.match(done.text ?? '', /A text of 8 words/);
    assert.deepEqual(
      ran().map(({ json }) => (json as { inputs: object }).inputs),
      [inputs],
    );
    assert.ok(!JSON.stringify(done).includes(key));
  });
});
