import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { withPerson, type PersonScript } from './person.ts';
import type { ListScript } from './scriptedQuickPick.ts';

const run = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`switchboard.${command}`, ...args);

const choose =
  (name: string): ListScript =>
  (list) =>
    list.accept(name);

const confirm =
  (action: string, seen: { title?: string; labels?: string[] } = {}): ListScript =>
  async (list) => {
    await list.item(action);
    Object.assign(seen, { title: list.title, labels: list.labels });
    await list.accept(action);
  };

describe('knowledge bases, by their commands', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  const write = (path: string, text: string) => vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(text));
  const configuration = () => vscode.workspace.getConfiguration('switchboard');

  async function withCommand(script: PersonScript, command: string, ...args: unknown[]) {
    let result: unknown;
    const asked = await withPerson(script, async () => {
      result = await run(command, ...args);
    });
    return { result, asked };
  }

  const connect = () =>
    withCommand({ types: [`${platform.url}/v1`, platform.datasetKey] }, 'connectPlatform');
  const upload = async (base: string, path: string) => {
    const script = { lists: [choose(base), confirm('Upload')] };
    const { result } = await withCommand(script, 'addToKnowledgeBase', uriOf(path));
    assert.ok(result);
  };

  beforeEach(async () => {
    platform = await startPlatform({
      indexing: 'instant',
      seed: [
        { dataset: 'Harbour', documents: [{ name: 'old.md', text: 'Pilots board at the outer buoy.' }] },
        { dataset: 'Empty' },
      ],
    });
    await write('notes/rules.md', '# Rules\n\nBoats wait outside the wall.\n\nThree knots in the basin.\n');
    await write('notes/tides.ts', 'export const high = 4.2;\n');
    await write('notes/.env', 'KEY=1\n');
  });
  afterEach(async () => {
    await withPerson({}, () => run('removeKeys'));
    await configuration().update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uriOf('notes'), { recursive: true });
    await platform.stop();
  });

  describe('connecting the platform', () => {
    it('recognises the key of an app, shows the request and the server response, and saves nothing', async () => {
      const { result, asked } = await withCommand(
        { types: [platform.url, platform.keys.app] },
        'connectPlatform',
      );
      assert.deepEqual(result, { connected: false });
      assert.match(asked[1]?.judged ?? '', /knowledge base key/);
      const warning = asked.find(({ kind }) => kind === 'warning');
      assert.match(warning?.text ?? '', /This is the key of the app "Tide helper"/);
      assert.equal(warning?.buttons?.[0], 'Change Key');
      assert.match(warning?.detail ?? '', /\/v1\/datasets[\s\S]*401[\s\S]*Access token is invalid/);
      assert.match(warning?.detail ?? '', /Nothing has been saved yet\./);
      assert.doesNotMatch(JSON.stringify(asked), new RegExp(platform.keys.app));
      assert.equal(configuration().get('platform.baseUrl'), '');
    });

    it('tells a wrong key from a wrong address, and offers first what fits', async () => {
      const trying = async (address: string, key: string) => {
        const { result, asked } = await withCommand({ types: [address, key] }, 'connectPlatform');
        assert.deepEqual(result, { connected: false });
        return asked.find(({ kind }) => kind === 'warning');
      };
      const wrongKey = await trying(platform.url, 'dataset-mistyped');
      assert.match(wrongKey?.text ?? '', /rejected the knowledge base key/);
      assert.equal(wrongKey?.buttons?.[0], 'Change Key');
      const wrongAddress = await trying(`${platform.url}/console/api`, platform.datasetKey);
      assert.match(wrongAddress?.text ?? '', /No application platform answers at .*\/console\/api/);
      assert.deepEqual(wrongAddress?.buttons?.slice(0, 2), [`Use ${platform.url}`, 'Change Address']);
      const nobody = await trying('http://127.0.0.1:9', platform.datasetKey);
      assert.equal(nobody?.buttons?.[0], 'Change Address');
      const archived = await trying(platform.url, platform.keys.archived);
      assert.match(archived?.text ?? '', /doesn't allow this/);
      assert.equal(archived?.buttons?.[0], 'Try Again');
    });

    it('leads a stranger who adds a file on to connecting, then to the knowledge bases', async () => {
      const { asked, result } = await withCommand(
        {
          answers: ['Connect Platform…'],
          types: [platform.url, platform.datasetKey],
          lists: [(list) => list.dismiss()],
        },
        'addToKnowledgeBase',
        uriOf('notes/rules.md'),
      );
      assert.match(asked[0]?.text ?? '', /^Connect a platform to use knowledge bases/);
      assert.equal(result, undefined);
      assert.equal(configuration().get('platform.baseUrl'), platform.url);
    });

    it('tells how many knowledge bases there are', async () => {
      const { result, asked } = await connect();
      assert.deepEqual(result, { connected: true, address: platform.url, knowledgeBases: 2 });
      assert.match(asked.at(-1)?.text ?? '', /Connected to .*: 2 knowledge bases\.$/);
    });

    it('lists the key among those that can be forgotten, by what it opens', async () => {
      await connect();
      const asked = await withPerson({}, () => run('removeKeys'));
      assert.match(asked.at(-1)?.text ?? '', /Removed 1 key\./);
    });
  });

  describe('adding', () => {
    beforeEach(connect);

    it('sends nothing before it is confirmed', async () => {
      const seen: { title?: string } = {};
      const { result } = await withCommand(
        {
          lists: [
            choose('Harbour'),
            async (list) => {
              await list.item('Upload');
              seen.title = list.title;
              list.dismiss();
            },
          ],
        },
        'addToKnowledgeBase',
        uriOf('notes'),
      );
      assert.equal(result, undefined);
      assert.match(seen.title ?? '', /^Add to Harbour: 2 new, 0 changed, 1 skipped, \d+ B$/);
      assert.equal(platform.count('createByText') + platform.count('createByFile'), 0);
      assert.equal(platform.datasets[0]?.documents.length, 1);
    });

    it('sends what was confirmed, and says what was left out', async () => {
      const seen: { labels?: string[] } = {};
      const { result, asked } = await withCommand(
        { lists: [choose('Harbour'), confirm('Upload 2 documents', seen)] },
        'addToKnowledgeBase',
        uriOf('notes'),
        [uriOf('notes')],
      );
      assert.deepEqual(result, { added: 2, updated: 0, removed: 0, failed: 0, notSent: 0 });
      assert.ok(seen.labels?.includes('$(circle-slash) notes/.env'));
      assert.match(asked.at(-1)?.text ?? '', /Harbour: 2 added\./);
      assert.equal(platform.datasets[0]?.documents.length, 3);
    });

    it('knows the same again as unchanged, and an edited file as an update of the same document', async () => {
      await upload('Harbour', 'notes');
      const before = new Set(platform.datasets[0]?.documents.map(({ id }) => id));
      const unchanged = await withCommand(
        { lists: [choose('Harbour'), confirm('All unchanged')] },
        'addToKnowledgeBase',
        uriOf('notes'),
      );
      assert.equal(unchanged.result, undefined);
      await write('notes/rules.md', '# Rules\n\nBoats wait outside the wall.\n\nTwo knots in the basin.\n');
      const { result } = await withCommand(
        { lists: [choose('Harbour'), confirm('Upload 1 document')] },
        'addToKnowledgeBase',
        uriOf('notes/rules.md'),
        [uriOf('notes/rules.md'), uriOf('notes/tides.ts')],
      );
      assert.deepEqual(result, { added: 0, updated: 1, removed: 0, failed: 0, notSent: 0 });
      const documents = platform.datasets[0]?.documents ?? [];
      assert.deepEqual(new Set(documents.map(({ id }) => id)), before);
      assert.ok(documents.some(({ text }) => text?.includes('Two knots')));
    });

    it('lets single files be left out, and all be taken in', async () => {
      const titles: string[] = [];
      const { result } = await withCommand(
        {
          lists: [
            choose('Empty'),
            async (list) => {
              await list.press('notes/rules.md');
              titles.push(list.title);
              list.pressButton('Include All');
              titles.push(list.title);
              await list.press('notes/tides.ts');
              await list.accept('Upload 1 document');
            },
          ],
        },
        'addToKnowledgeBase',
        uriOf('notes'),
      );
      assert.deepEqual(result, { added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 });
      assert.match(titles[0] ?? '', /1 new/);
      assert.match(titles[1] ?? '', /2 new/);
      assert.match(platform.datasets[1]?.documents[0]?.text ?? '', /knots/);
    });

    it('adds the file of the active editor, and the selection with its lines', async () => {
      const editor = await vscode.window.showTextDocument(uriOf('README.md'));
      const whole = await withCommand(
        { lists: [choose('Empty'), confirm('Upload 1 document')] },
        'addToKnowledgeBase',
      );
      assert.deepEqual(whole.result, { added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 });
      editor.selection = new vscode.Selection(0, 2, 2, 0);
      const seen: { labels?: string[] } = {};
      const part = await withCommand(
        { lists: [choose('Empty'), confirm('Upload 1 document', seen)] },
        'addSelectionToKnowledgeBase',
      );
      assert.deepEqual(part.result, { added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 });
      assert.ok(seen.labels?.includes('$(check) README.md:1-2'), seen.labels?.join('\n'));
      const sent = platform.datasets[1]?.documents.at(-1);
      assert.match(sent?.name ?? '', /1-2/);
      assert.match(sent?.text ?? '', /# Tide Tables/);
    });

    it('creates a knowledge base on the way, with the rules that were chosen', async () => {
      const { result } = await withCommand(
        {
          lists: [choose('Create Knowledge Base'), confirm('Upload 1 document')],
          types: ['Manuals', '400', '40'],
          picks: ['Economical', 'Custom', 'All Members'],
        },
        'addToKnowledgeBase',
        uriOf('notes/rules.md'),
      );
      assert.deepEqual(result, { added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 });
      const created = platform.datasets.find(({ name }) => name === 'Manuals');
      assert.equal(created?.technique, 'economy');
      assert.deepEqual(created?.documents[0]?.processRule, {
        mode: 'custom',
        rules: {
          pre_processing_rules: [],
          segmentation: { separator: '\n\n', max_tokens: 400, chunk_overlap: 40 },
        },
      });
    });

    it('tells what failed without stopping the rest, and sends that again', async () => {
      await upload('Empty', 'notes/rules.md');
      const restore = platform.misbehave({ does: 'empty-message', document: /tides/ });
      const { result, asked } = await withCommand(
        { lists: [choose('Empty'), confirm('Upload')] },
        'addToKnowledgeBase',
        uriOf('notes'),
      );
      assert.deepEqual(result, { added: 0, updated: 0, removed: 0, failed: 1, notSent: 0 });
      assert.match(asked.at(-1)?.text ?? '', /1 failed/);
      restore();
      const again = await withCommand({}, 'retryFailedUploads');
      assert.deepEqual(again.result, [{ added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 }]);
      assert.equal(platform.datasets[1]?.documents.length, 2);
    });

    it('goes on with the other knowledge bases where one cannot be asked', async () => {
      const restore = platform.misbehave({ does: 'empty-message' });
      await write('notes/pumps.md', '# Pumps\n');
      for (const name of ['Harbour', 'Empty']) await upload(name, 'notes/pumps.md');
      restore();
      platform.others.switchApi('Harbour', false);
      const { result, asked } = await withCommand({}, 'retryFailedUploads');
      assert.deepEqual(result, [{ added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 }]);
      assert.match(
        asked.find(({ kind }) => kind === 'error')?.text ?? '',
        /^Couldn't retry the upload to Harbour\. .*API access/,
      );
      platform.others.switchApi('Harbour', true);
      const again = await withCommand({}, 'retryFailedUploads');
      assert.deepEqual(again.result, [{ added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 }]);
    });

    it('says why a file cannot go', async () => {
      const seen: { labels?: string[] } = {};
      await withCommand(
        { lists: [choose('Harbour'), confirm('All files skipped', seen)] },
        'addToKnowledgeBase',
        uriOf('notes/.env'),
      );
      assert.ok(seen.labels?.some((label) => label.includes('.env')));
    });
  });

  describe('a linked folder', () => {
    const link = (action: string) =>
      withCommand({ lists: [choose('Harbour'), confirm(action)] }, 'syncFolder', uriOf('notes/sub'));
    beforeEach(async () => {
      await connect();
      await write('notes/sub/one.md', 'One.\n');
    });

    it('is synced, and what is gone is deleted only when that was confirmed', async () => {
      await write('notes/sub/two.md', 'Two.\n');
      const first = await link('Upload 2 documents');
      assert.deepEqual(first.result, { added: 2, updated: 0, removed: 0, failed: 0, notSent: 0 });
      await vscode.workspace.fs.delete(uriOf('notes/sub/two.md'));
      await write('notes/sub/three.md', 'Three.\n');
      const sent = await withCommand(
        { lists: [confirm('Upload 1 document')] },
        'syncFolder',
        uriOf('notes/sub'),
      );
      assert.deepEqual(sent.result, { added: 1, updated: 0, removed: 0, failed: 0, notSent: 0 });
      const choices: boolean[] = [];
      const buttons: ListScript = async (list) => {
        const deletes = () => void choices.push(list.labels.some((label) => /[Dd]elete 1/.test(label)));
        await list.item('Delete 1 document');
        list.pressButton('Exclude All');
        deletes();
        list.pressButton('Include All');
        deletes();
        list.dismiss();
      };
      await withCommand({ lists: [buttons] }, 'syncFolder', uriOf('notes/sub'));
      assert.deepEqual(choices, [false, false]);
      const seen: { title?: string; labels?: string[] } = {};
      const second = await withCommand(
        { lists: [confirm('Delete 1 document', seen)] },
        'syncFolder',
        uriOf('notes/sub'),
      );
      assert.match(seen.title ?? '', /^Sync with Harbour: .*1 deleted locally/);
      assert.deepEqual(second.result, { added: 0, updated: 0, removed: 1, failed: 0, notSent: 0 });
      assert.ok(!platform.datasets[0]?.documents.some(({ text }) => text?.includes('Two.')));
    });

    it('asks twice before it removes more than it keeps', async () => {
      await link('Upload 1 document');
      await vscode.workspace.fs.delete(uriOf('notes/sub/one.md'));
      const { result, asked } = await withCommand(
        { lists: [confirm('Delete 1 document')] },
        'syncFolder',
        uriOf('notes/sub'),
      );
      assert.equal(result, undefined);
      assert.match(asked.at(-1)?.text ?? '', /delete 1 document of "Harbour" and keep 0/);
      assert.ok(platform.datasets[0]?.documents.some(({ text }) => text?.includes('One.')));
    });
  });

  describe('searching', () => {
    beforeEach(connect);

    it('opens the local file at the lines of the segment', async () => {
      await upload('Harbour', 'notes/rules.md');
      const { result } = await withCommand(
        { types: ['knots basin'], lists: [choose('Harbour'), (list) => list.accept('notes/rules.md')] },
        'searchKnowledgeBase',
      );
      assert.ok(typeof result === 'object' && result !== null && 'opened' in result);
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.uri.toString(), uriOf('notes/rules.md').toString());
      assert.match(editor.document.getText(editor.selection), /knots/);
    });

    it('says of each result whether its file still has it, and compares what has changed', async () => {
      const path = 'notes/truth.md';
      const passage = 'Ferries leave the northern quay at seven every morning.';
      await write(path, `# Ferries\n\n${passage}\n`);
      await upload('Harbour', path);
      const find = async (answers: string[] = [], isOpened = true) => {
        let description: string | undefined;
        const { asked, result } = await withCommand(
          {
            types: ['ferries quay'],
            answers,
            lists: [
              choose('Harbour'),
              async (list) => {
                description = (await list.item(path)).description;
                if (isOpened) await list.accept(path);
                else list.dismiss();
              },
            ],
          },
          'searchKnowledgeBase',
        );
        return { asked, description, result };
      };
      assert.match((await find()).description ?? '', /lines? [13]/);

      await write(path, `Above.\n\nAbove.\n\n# Ferries\n\n${passage}\n`);
      const document = await vscode.workspace.openTextDocument(uriOf(path));
      await eventually(() => assert.match(document.getText(), /^Above/));
      const below = await find();
      // It has no commit, so nobody knows where the words were.
      assert.match(below.description ?? '', / lines 5–7$/);
      const editor = vscode.window.activeTextEditor;
      assert.match(editor?.document.getText(editor.selection) ?? '', /Ferries/);

      await write(path, '# Boats\n\nNothing leaves here any more.\n');
      const changed = await find(['Compare']);
      assert.match(changed.description ?? '', /Changed since it was indexed/);
      const told = changed.asked.find(({ buttons }) => buttons?.includes('Compare'));
      assert.match(told?.text ?? '', /It's no longer in notes\/truth\.md/);
      await eventually(() => {
        const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
        assert.ok(input instanceof vscode.TabInputTextDiff, 'no diff is open');
        assert.equal(input.modified.toString(), uriOf(path).toString());
        assert.equal(input.original.scheme, 'switchboard-source');
      });
      const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab!;
      assert.equal(label, 'truth.md (Indexed Segment ↔ File)');
      const left = await vscode.workspace.openTextDocument((input as vscode.TabInputTextDiff).original);
      assert.match(left.getText(), /Ferries leave the northern quay/);

      await vscode.workspace.fs.delete(uriOf(path));
      const gone = await find();
      assert.match(gone.description ?? '', /File is gone/);
      assert.match(gone.asked.map(({ text }) => text).join('\n'), /notes\/truth\.md is gone/);
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /Ferries leave/);
    });

    it('opens what is not of this workspace as a read-only document', async () => {
      const { result } = await withCommand(
        { types: ['pilots buoy'], lists: [choose('Harbour'), (list) => list.accept('old.md')] },
        'searchKnowledgeBase',
      );
      assert.deepEqual(result, { found: 1, opened: { document: 'old.md' } });
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.uri.scheme, 'switchboard-source');
      assert.match(document.getText(), /Pilots board at the outer buoy/);
    });

    it('says that nothing was found', async () => {
      let labels: string[] = [];
      const { result } = await withCommand(
        {
          types: ['zeppelin'],
          lists: [
            choose('Harbour'),
            async (list) => {
              await list.item('Nothing was found');
              ({ labels } = list);
              list.dismiss();
            },
          ],
        },
        'searchKnowledgeBase',
      );
      assert.deepEqual(result, { found: 0 });
      assert.equal(labels.length, 1);
    });

    it('does not say so of a knowledge base that was deleted', async () => {
      platform.others.addDataset({ dataset: 'Short-Lived' });
      let labels: string[] = [];
      await withCommand(
        {
          types: ['pilots'],
          lists: [
            async (list) => {
              await list.item('Short-Lived');
              platform.others.deleteDataset('Short-Lived');
              await list.accept('Short-Lived');
            },
            async (list) => {
              await list.item("Couldn't search Short-Lived");
              ({ labels } = list);
              list.dismiss();
            },
          ],
        },
        'searchKnowledgeBase',
      );
      assert.equal(labels.length, 1);
    });

    it('has no other words than the failure for a search that the platform refused', async () => {
      const mend = platform.misbehave({ does: 'outage', on: 'retrieve' });
      const { result } = await withCommand(
        {
          types: ['pilots'],
          lists: [
            async (list) => list.accept('Harbour'),
            async (list) => {
              const { label, detail } = await list.item("Couldn't search Harbour");
              assert.match(label, /^\$\(error\) /);
              assert.ok(detail);
              assert.deepEqual(list.labels, [label]);
              list.dismiss();
            },
          ],
        },
        'searchKnowledgeBase',
      );
      mend();
      assert.deepEqual(result, { found: 0 });
    });
  });

  describe('creating', () => {
    beforeEach(connect);

    it('creates a knowledge base by itself', async () => {
      const { result, asked } = await withCommand(
        { types: ['Charts'], picks: ['High Quality', 'Automatic', 'All Members of the Workspace'] },
        'createKnowledgeBase',
      );
      const created = platform.datasets.find(({ name }) => name === 'Charts');
      assert.ok(created, JSON.stringify(asked));
      assert.equal(result, created.id);
      assert.equal(created.technique, 'high_quality');
      assert.equal(created.permission, 'all_team_members');
      assert.match(JSON.stringify(asked.at(-1)), /Created .*Charts.*Add Files…/);
    });
  });

  describe('searching the only knowledge base', () => {
    beforeEach(connect);

    it('asks for the query at once', async () => {
      platform.others.deleteDataset('Empty');
      const { result, asked } = await withCommand(
        { types: ['pilots buoy'], lists: [(list) => list.accept('old.md')] },
        'searchKnowledgeBase',
      );
      assert.deepEqual(result, { found: 1, opened: { document: 'old.md' } });
      assert.deepEqual(
        asked.map(({ text }) => text),
        ['Search in Harbour'],
      );
    });
  });
});
