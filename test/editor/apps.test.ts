import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AppRecord } from '../../src/apps/appRegistry.ts';
import type { BatchResult } from '../../src/host/apps/run/runBatch.ts';
import type { AddAppResult } from '../../src/host/apps/addApp.ts';
import type { RunResult } from '../../src/apps/run/performRun.ts';
import type { FormView } from '../../src/shared/apps.ts';
import { startPlatform, type PlatformServer } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson, type Asked, type PersonScript } from './person.ts';
import type { ListScript } from './scriptedQuickPick.ts';

describe('apps of the platform, by their commands', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  /** The apps of the running test, by id. */
  const apps = new Map<string, AppRecord>();
  const { showOpenDialog, withProgress } = vscode.window;
  const window = vscode.window as Record<'showErrorMessage' | 'showOpenDialog' | 'withProgress', unknown>;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);

  async function withCommand(script: PersonScript, command: string, ...args: unknown[]) {
    let result: unknown;
    const asked = await withPerson(script, async () => {
      result = await vscode.commands.executeCommand(`switchboard.${command}`, ...args);
    });
    return { result, asked };
  }
  async function running(script: PersonScript, command: string, ...args: unknown[]) {
    const { result, asked } = await withCommand(script, command, ...args);
    return { result: result as RunResult | undefined, asked };
  }
  const add = async (key: string, script: PersonScript = {}) => {
    const { result, asked } = await withCommand({ types: [platform.url, key], ...script }, 'addApp');
    const found = result as AddAppResult | undefined;
    if (found?.app) apps.set(found.app.id, found.app);
    return { result: found, asked };
  };
  const added = async (key: string, { url } = platform): Promise<AppRecord> => {
    const { result } = await add(key, { types: [url, key] });
    return result?.app ?? assert.fail('The app was not added.');
  };
  const nodeOf = (app: AppRecord) => ({ type: 'app', app, hasKey: true });
  const onApp = (command: string, app: AppRecord, script: PersonScript = {}) =>
    withCommand(script, `apps.${command}`, nodeOf(app));
  const said = (asked: readonly Asked[], kind: Asked['kind']) =>
    asked.filter((each) => each.kind === kind).map(({ text }) => text);
  const sent = (path: string) =>
    platform.requests.filter((request) => request.path === path).map(({ json }) => json as Sent);
  const player = () => {
    const { label = '', input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputCustom);
    return { label, uri: input.uri };
  };
  const activeText = () => vscode.window.activeTextEditor?.document.getText() ?? '';

  async function select(path: string, from: [number, number], to: [number, number]): Promise<void> {
    const selection = new vscode.Range(...from, ...to);
    await vscode.window.showTextDocument(uriOf(path), { selection });
  }

  before(async () => {
    platform = await startPlatform();
    await vscode.workspace.fs.writeFile(
      uriOf('notes/tide.md'),
      Buffer.from('# Tides\n\nHigh water at noon.\nLow water at six.\n'),
    );
    await vscode.workspace.fs.writeFile(uriOf('notes/.env'), Buffer.from('KEY=1\n'));
  });
  beforeEach(() => platform.clearRequests());
  afterEach(async () => {
    Object.assign(window, { showOpenDialog, withProgress });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // An app that was removed has no key and no remembered answers.
    for (const app of apps.values()) await onApp('remove', app, { presses: ['Remove'] });
    apps.clear();
  });
  after(async () => {
    await vscode.workspace.fs.delete(uriOf('notes'), { recursive: true });
    await platform.stop();
  });

  describe('adding an app', () => {
    it('recognises the key of knowledge bases, says what to do, and keeps nothing', async () => {
      const { result, asked } = await add(platform.datasetKey);
      assert.deepEqual(result, { added: false });
      assert.match(asked[1]?.judged ?? '', /doesn't look like an app key/);
      const warning = asked.find(({ kind }) => kind === 'warning');
      assert.match(warning?.text ?? '', /This is a knowledge base key/);
      assert.equal(warning?.buttons?.[0], 'Change Key');
      assert.match(warning?.detail ?? '', /\/v1\/info[\s\S]*401[\s\S]*Access token is invalid/);
      assert.doesNotMatch(JSON.stringify(asked), new RegExp(platform.datasetKey));
      assert.equal((await withCommand({}, 'removeKeys')).result, 0);
    });

    it('tries the key, shows name and kind, and keeps the key for that origin alone', async () => {
      const { result, asked } = await add(platform.apps.workflow.key);
      assert.equal(result?.added, true);
      assert.deepEqual([result.app?.name, result.app?.kind], ['Summarise', 'workflow']);
      assert.deepEqual(said(asked, 'information'), ['Added app "Summarise" (workflow).']);
      const paths = platform.requests.map(({ path, headers }) => `${path} ${headers.authorization ?? ''}`);
      assert.deepEqual(paths, [
        `/v1/info Bearer ${platform.apps.workflow.key}`,
        `/v1/parameters Bearer ${platform.apps.workflow.key}`,
        `/v1/site Bearer ${platform.apps.workflow.key}`,
      ]);
      const keys = await withCommand({ picks: [] }, 'removeKeys');
      assert.equal(keys.result, 1);
    });

    it('gives an app whose key was forgotten its key back, and keeps one app of one key', async () => {
      const first = await added(platform.apps.workflow.key);
      const second = await added(platform.apps.workflow.key);
      assert.equal(second.id, first.id);
      const { asked } = await withCommand({ picks: [] }, 'removeKeys');
      assert.equal(said(asked, 'pick').length, 1);
      assert.equal((await added(platform.apps.workflow.key)).id, first.id);
    });

    it('keeps an app that is not set up only when the user insists', async () => {
      const { key } = platform.apps.unavailable;
      const { asked, result } = await add(key);
      assert.equal(result?.added, false);
      const warning = asked.find(({ kind }) => kind === 'warning');
      assert.match(warning?.text ?? '', /not ready for use.*Publish it/);
      assert.equal(warning?.buttons?.[0], 'Try Again');
      const insisted = await add(key, { presses: ['Save Anyway'] });
      assert.equal(insisted.result?.app?.name, platform.apps.unavailable.name);
      assert.equal((await onApp('remove', insisted.result.app, {})).result, false);
      assert.equal((await onApp('remove', insisted.result.app, { presses: ['Remove'] })).result, true);
    });
  });

  describe('running a workflow', () => {
    const fill = { 'Text to summarise': 'The tide turns.' };
    beforeEach(() => added(platform.apps.workflow.key));

    it('puts the selection into the first text that is required, and opens what came of it', async () => {
      await select('notes/tide.md', [2, 0], [2, 19]);
      const seen: FormView[] = [];
      const { result, asked } = await running({ forms: [{ seen }] }, 'runWorkflow');
      assert.equal(result?.status, 'succeeded');
      assert.deepEqual(result.steps, ['Start', 'Count the words', 'Write the summary', 'End']);
      assert.deepEqual(sent('/v1/workflows/run')[0]?.inputs, { text: 'High water at noon.' });
      assert.match(sent('/v1/workflows/run')[0]?.user ?? '', /^switchboard-[0-9a-f-]{36}$/);
      const [text] = seen[0]?.fields ?? [];
      assert.deepEqual(
        [text?.label, text?.isRequired, text?.value, text?.origin],
        ['Text to summarise', true, 'High water at noon.', 'notes/tide.md, line 3'],
      );
      assert.equal(vscode.window.activeTextEditor?.document.languageId, 'markdown');
      assert.match(
        activeText(),
        /^# Summarise\n\n## text\n\n# Summary\n[^]*## counts\n\n```json[^]*"words": 4[^]*## file\n\n- \[summary\.md\]\(<http/,
      );
      assert.match(said(asked, 'information')[0] ?? '', /^"Summarise" is done: .*412 tokens/);
    });

    it('takes all of a file from the menu of an editor, and a file for a field by the file policy', async () => {
      await select('notes/tide.md', [0, 0], [0, 0]);
      const { result } = await running(
        { forms: [{ fill: { 'File to summarise as well': { type: 'editor' } } }] },
        'runWorkflow',
        uriOf('notes/tide.md'),
      );
      assert.equal(result?.status, 'succeeded');
      const [request] = sent('/v1/workflows/run');
      assert.match(String(request?.inputs['text']), /^# Tides/);
      assert.deepEqual(Object.keys(Object(request?.inputs['source'])), [
        'type',
        'transfer_method',
        'upload_file_id',
      ]);
      assert.equal(platform.requests.filter(({ path }) => path === '/v1/files/upload').length, 1);
    });

    it('leads the user who runs too early to what is missing, and remembers what was filled in', async () => {
      const seen: FormView[] = [];
      await running({ forms: [{}, { fill, seen }] }, 'runWorkflow');
      assert.equal(seen[0]?.fields[0]?.problem, 'Required');
      assert.deepEqual(sent('/v1/workflows/run')[0]?.inputs, { text: 'The tide turns.' });
      await running({ forms: [{}] }, 'runWorkflow');
      assert.deepEqual(sent('/v1/workflows/run')[1]?.inputs, { text: 'The tide turns.' });
    });

    it('keeps secrets out of the form, and says so', async () => {
      await select('notes/.env', [0, 0], [0, 5]);
      const { asked } = await withCommand({}, 'runWorkflow');
      assert.match(said(asked, 'warning')[0] ?? '', /may contain secrets.*added to the form/);
      assert.deepEqual(sent('/v1/workflows/run'), []);
    });

    it('runs nothing when the form is dismissed', async () => {
      const { result } = await withCommand({ forms: [{ press: '' }] }, 'runWorkflow');
      assert.equal(result, undefined);
      assert.deepEqual(sent('/v1/workflows/run'), []);
    });

    it('stops the run on the platform when it is cancelled', async () => {
      const hold = platform.apps.hold('workflow', 3);
      const cancelling = new vscode.CancellationTokenSource();
      window.withProgress = (options: vscode.ProgressOptions, task: Task) =>
        withProgress.call(vscode.window, options, (progress) => task(progress, cancelling.token));
      void hold.reached.then(() => cancelling.cancel());
      const { result, asked } = await running({ forms: [{ fill }] }, 'runWorkflow');
      assert.equal(result?.status, 'stopped');
      const taskId = await hold.reached;
      assert.deepEqual(
        platform.apps.stops.map((stop) => [stop.taskId, stop.hit]),
        [[taskId, true]],
      );
      assert.deepEqual(said(asked, 'information'), ['"Summarise" was stopped.']);
    });

    it('names the step that failed with its reason, and runs again with the same answers', async () => {
      const app = await added(platform.apps.workflowFails.key);
      let runAgain = () => {};
      const again = new Promise<void>((resolve) => (runAgain = resolve));
      const errors: string[] = [];
      await withPerson({ forms: [{ fill: { 'Text to summarise': 'Once more' } }, {}] }, async () => {
        window.showErrorMessage = async (message: string) => {
          errors.push(message);
          if (errors.length > 1) runAgain();
          return errors.length > 1 ? undefined : 'Run Again…';
        };
        const result = await vscode.commands.executeCommand<RunResult>('switchboard.apps.run', nodeOf(app));
        assert.equal(result.status, 'failed');
        await again;
      });
      const reason = `"${app.name}" failed at "Count the words". Server response: NameError: name 'tides' is not defined`;
      assert.deepEqual(errors, [reason, reason]);
      assert.deepEqual(
        sent('/v1/workflows/run').map(({ inputs }) => inputs),
        [{ text: 'Once more' }, { text: 'Once more' }],
      );
    });

    it('runs over the rows of a table, once each, and then over those that are left', async () => {
      const table = uriOf('notes/batch.csv');
      const write = (text: string) => vscode.workspace.fs.writeFile(table, Buffer.from(text));
      await write('text,note\nOne.,a\n"Two,\ntwo.",=b\n');
      const over = async (script: PersonScript) => {
        const { result, asked } = await withCommand(script, 'runBatch', table, [table]);
        return { result: result as BatchResult | undefined, asked };
      };
      assert.equal(
        (await over({ forms: [{ press: 'Continue' }] })).result,
        undefined,
        'nothing runs unasked',
      );
      await vscode.window.showTextDocument(table);
      let start: vscode.Uri | undefined;
      window.showOpenDialog = async ({ defaultUri }: vscode.OpenDialogOptions) => void (start = defaultUri);
      await withCommand({}, 'runBatch');
      assert.equal(start?.path, table.path, 'the open table is offered');
      const first = await over({ forms: [{}], presses: ['Run 2 Times'] });
      assert.ok(first.result?.type === 'ran', JSON.stringify(first));
      assert.equal(first.result.succeeded, 2);
      const question = first.asked.find(({ kind }) => kind === 'warning');
      assert.equal(question?.text, 'Run "Summarise" up to 2 times?');
      assert.match(
        question.detail ?? '',
        /notes\/batch\.csv\nText to summarise: column "text"\nNot sent: column note\nResults: .*batch\.results\.csv/,
      );
      assert.deepEqual(
        sent('/v1/workflows/run')
          .map(({ inputs }) => inputs)
          .toSorted((a, b) => String(a['text']).localeCompare(String(b['text']))),
        [{ text: 'One.' }, { text: 'Two,\ntwo.' }],
      );
      assert.match(
        activeText(),
        /^row,text,note,run status[^]*\n2,One\.,a,succeeded,[^]*\n3,"Two,\ntwo\.",'=b,succe/,
      );

      platform.clearRequests();
      await write('text,note\nOne.,a\nThree.,c\n');
      const second = await over({ forms: [{}], presses: ['Run the Remaining 1'] });
      assert.ok(second.result?.type === 'ran');
      assert.equal(second.result.results, first.result.results);
      assert.deepEqual(
        sent('/v1/workflows/run').map(({ inputs }) => inputs),
        [{ text: 'Three.' }],
      );

      platform.clearRequests();
      await write('text,note\n,a\n');
      const invalid = await over({ forms: [{}] });
      assert.equal(invalid.result?.type, 'invalid');
      assert.match(activeText(), /Nothing was sent[^]*- Row 2, Text to summarise: Required/);
      assert.deepEqual(sent('/v1/workflows/run'), []);
    });

    it('says when a run waits for a person', async () => {
      const app = await added(platform.apps.workflowPauses.key);
      const script = { forms: [{ fill: { Notice: 'Lock closed.' } }] };
      const { result, asked } = await running(script, 'apps.run', nodeOf(app));
      assert.equal(result?.status, 'paused');
      assert.match(
        said(asked, 'warning')[0] ?? '',
        /waiting for human input.*Approval by the harbour master/,
      );
    });

    it('has the form of a run that waits filled in, and opens what comes of it', async () => {
      const newer = await startPlatform({ version: '1.16.1' });
      const { key, name } = newer.apps.workflowPauses;
      const app = await added(key, newer);
      const seen: FormView[] = [];
      const script: PersonScript = {
        forms: [
          { fill: { Notice: 'Lock closed.' } },
          { press: '' },
          { fill: { urgency: 'this week' }, press: 'Approve', seen },
        ],
        presses: ['Fill In Form…', 'Fill In Form…'],
      };
      const asked = await withPerson(script, async () => {
        await vscode.commands.executeCommand('switchboard.apps.run', nodeOf(app));
        await eventually(() => assert.match(activeText(), /## decision\n\napprove/));
      });
      assert.match(
        said(asked, 'warning')[0] ?? '',
        /is waiting for human input: Approval by the harbour master\.$/,
      );
      assert.match(activeText(), /## comment\n\nNone\.\n\n## urgency\n\nthis week/);
      assert.match(seen[0]?.text ?? '', /^Publish this\?\n\n> Lock closed\.\n\nComment: None\./);
      assert.match(seen[0]?.note ?? '', /^Open until .*Can't be undone\.$/);
      assert.equal(said(asked, 'information').at(-1)?.startsWith(`"${name}" is done`), true);
      await newer.stop();
    });

    it('says what to do about an app that is not set up', async () => {
      const { result: insisted } = await add(platform.apps.unavailable.key, { presses: ['Save Anyway'] });
      const app = insisted?.app ?? assert.fail('The app was not kept.');
      const { asked } = await onApp('run', app);
      assert.match(said(asked, 'error')[0] ?? '', /not ready for use.*Publish it on the platform/);
    });
  });

  describe('running a completion', () => {
    it('leads on to adding an app where there is none, and opens the text', async () => {
      await select('notes/tide.md', [3, 0], [3, 17]);
      const { result } = await running(
        {
          answers: ['Add Platform App…'],
          types: [platform.url, platform.apps.completion.key],
          forms: [{ fill: { Style: 'whisper' } }],
        },
        'runCompletion',
      );
      await added(platform.apps.completion.key);
      assert.equal(result?.text, '*low water at six.*');
      assert.equal(activeText(), '*low water at six.*');
      const { document } = vscode.window.activeTextEditor ?? {};
      // Nothing asks to be saved when it is closed.
      assert.deepEqual(
        [document?.uri.scheme, document?.languageId, document?.isDirty],
        ['switchboard-app', 'markdown', false],
      );
      assert.deepEqual(sent('/v1/completion-messages')[0]?.inputs, {
        query: 'Low water at six.',
        style: 'whisper',
      });
    });
  });

  describe('an app as an action on selections', () => {
    let files = 0;
    let path = '';
    const lines = 'One.\nLow water at six.\nThree.\n';
    let app: AppRecord;

    beforeEach(async () => {
      app = await added(platform.apps.completion.key);
      // The editor keeps unsaved changes of a file that was written before.
      path = `notes/pinned${++files}.md`;
      await vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(lines));
    });

    const pin = async (output: string) => (await onApp('pin', app, { picks: [output] })).result;
    const changed = async () => (await vscode.workspace.openTextDocument(uriOf(path))).getText();
    const offered = async () => {
      const { selection } = vscode.window.activeTextEditor!;
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        ...[uriOf(path), selection],
      );
      return actions.filter(({ title }) => title.endsWith('(Switchboard)'));
    };

    it('is pinned with its field and the use of its output, and replaces what is selected at once', async () => {
      assert.deepEqual(await pin('Replace the Selection'), { field: 'query', output: 'replace' });
      await select(path, [1, 0], [1, 3]);
      const [action, ...others] = await offered();
      assert.deepEqual([action?.title, others], ['Rewrite (Switchboard)', []]);
      const { result } = await running({}, 'runOnSelection', ...(action?.command?.arguments ?? []));
      assert.equal(result?.text, 'LOW');
      assert.equal(await changed(), 'One.\nLOW water at six.\nThree.\n');
      assert.deepEqual(sent('/v1/completion-messages')[0]?.inputs, { query: 'Low', style: 'shout' });
      await select(path, [1, 0], [2, 0]);
      await running({ picks: ['Rewrite'] }, 'runOnSelection');
      assert.equal(await changed(), 'One.\nLOW WATER AT SIX.\nThree.\n');
      await vscode.commands.executeCommand('undo');
      assert.equal(await changed(), 'One.\nLOW water at six.\nThree.\n');
    });

    it('inserts its output below the selection, or opens it', async () => {
      await pin('Insert Below');
      await select(path, [1, 0], [1, 3]);
      await running({}, 'runOnSelection', app.id);
      assert.equal(await changed(), 'One.\nLow water at six.\nLOW\nThree.\n');
      await select(path, [0, 0], [1, 0]);
      await running({}, 'runOnSelection', app.id);
      assert.equal(await changed(), 'One.\nONE.\nLow water at six.\nLOW\nThree.\n');
      await pin('Open in an Editor');
      await select(path, [0, 0], [0, 3]);
      await running({}, 'runOnSelection', app.id);
      assert.equal(activeText(), 'ONE');
      assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'switchboard-app');
    });

    it('shows its form first where a field is missing or the text seems to hold a secret', async () => {
      await pin('Replace the Selection');
      const secret = `token = "ghp_${'a1B2'.repeat(9)}"`;
      await vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(secret));
      await select(path, [0, 0], [0, secret.length]);
      await running({ forms: [{ press: '' }] }, 'runOnSelection', app.id);
      assert.deepEqual(sent('/v1/completion-messages'), []);
      assert.equal(await changed(), secret);
    });

    it('opens its output where the selection was changed meanwhile, or the user keeps the file', async () => {
      await pin('Replace the Selection');
      await select(path, [1, 0], [1, 3]);
      const hold = platform.apps.hold('completion');
      const ended = running({}, 'runOnSelection', app.id);
      await hold.reached;
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uriOf(path), new vscode.Range(1, 1, 1, 2), 'O');
      edit.insert(uriOf(path), new vscode.Position(0, 0), 'Zero.\n');
      await vscode.workspace.applyEdit(edit);
      hold.release();
      const { asked } = await ended;
      assert.equal(activeText(), 'LOW');
      assert.match(said(asked, 'warning')[0] ?? '', /changed during the run\. The output was opened instead/);
      assert.match(await changed(), /^Zero\.\nOne\.\nLOw water/);

      const before = Buffer.from(await vscode.workspace.fs.readFile(uriOf('package.json'))).toString();
      await select('package.json', [0, 0], [1, 0]);
      const kept = await running({}, 'runOnSelection', app.id);
      assert.match(said(kept.asked, 'warning').join('\n'), /wasn't changed\. The output was opened instead/);
      assert.equal((await vscode.workspace.openTextDocument(uriOf('package.json'))).getText(), before);
    });

    it('says what is missing, and is unpinned', async () => {
      await pin('Replace the Selection');
      await select(path, [0, 0], [0, 0]);
      const nothing = await running({}, 'runOnSelection', app.id);
      assert.deepEqual(said(nothing.asked, 'information'), ['Select the text first.']);
      await select(path, [0, 0], [0, 3]);
      await onApp('unpin', app);
      assert.deepEqual(await offered(), []);
      const { asked } = await running({}, 'runOnSelection');
      assert.match(said(asked, 'information')[0] ?? '', /^No pinned apps\./);
      const chat = await added(platform.apps.chat.key);
      const { asked: refused } = await onApp('pin', chat);
      assert.match(said(refused, 'warning')[0] ?? '', /has no field for text/);
    });
  });

  describe('audio', () => {
    it('writes down a recording as a document, and reads the last answer of a conversation out', async () => {
      const app = await added(platform.apps.form.key);
      await vscode.workspace.fs.writeFile(uriOf('notes/memo.mp3'), Buffer.from('ID3 memo'));
      window.showOpenDialog = async () => [uriOf('notes/memo.mp3')];
      const { result, asked } = await onApp('transcribe', app);
      assert.equal(result, '8 bytes of memo.mp3 were heard.');
      assert.equal(activeText(), result);
      assert.deepEqual(asked.at(-1)?.buttons, ['Add to Chat']);

      const user = platform.requests.map(({ query }) => query.get('user')).find((name) => name) ?? '';
      const response = await fetch(`${platform.url}/v1/chat-messages`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${platform.apps.form.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          ...{ query: 'Where to?', user, response_mode: 'blocking' },
          inputs: { boat: 'Dione', draught: 1.8, harbour: 'Altmühle', name: 'Dione' },
        }),
      });
      const { conversation_id: id = '', answer = '' } = (await response.json()) as Record<string, string>;
      assert.ok(id, JSON.stringify(answer));
      const conversation = { id, name: '../Where to?', inputs: {} };
      const line = { type: 'conversation', parent: nodeOf(app), conversation };
      const spoken = await withCommand({}, 'apps.speak', line);
      assert.equal(spoken.result, answer.length * 417);
      const first = player();
      assert.equal(first.label, '-Where to-.mp3');
      await vscode.commands.executeCommand('workbench.action.keepEditor');
      await withCommand({}, 'apps.speak', line);
      const second = player();
      assert.notEqual(second.uri.path, first.uri.path);
      const size = async ({ uri }: typeof first) => (await vscode.workspace.fs.readFile(uri)).length;
      assert.equal(await size(first), spoken.result, 'What plays in another tab can be played on.');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await eventually(() => assert.rejects(size(first)));
      await assert.rejects(size(second), 'What is closed is nowhere.');

      const quiet = await added(platform.apps.chat.key);
      const mute = { ...line, parent: nodeOf(quiet) };
      const { asked: saidMute } = await withCommand({}, 'apps.speak', mute);
      assert.match(said(saidMute, 'warning')[0] ?? '', /^Text to speech is off in/);
      const off = await onApp('transcribe', quiet);
      assert.match(said(off.asked, 'warning')[0] ?? '', /^Speech to text is off in/);
    });
  });

  describe('what is known of an app', () => {
    it('is shown as a read-only document, with its form', async () => {
      const app = await added(platform.apps.form.key);
      const { result } = await onApp('info', app);
      assert.match(String(result), /^# ⚓ Passage planner[\s\S]*chat app[\s\S]*\*\*Harbour\*\*.*Altmühle/);
      assert.equal(activeText(), result);
      assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'switchboard-app');
    });

    it('gets another key, once that was seen to work, and says so', async () => {
      const app = await added(platform.apps.chat.key);
      assert.equal((await onApp('changeKey', app, { types: ['app-wrong'] })).result, undefined);
      assert.equal((await onApp('changeKey', app)).result, false);
      const { result, asked } = await onApp('changeKey', app, { types: [platform.apps.chat.key] });
      assert.equal(result, true);
      assert.deepEqual(said(asked, 'information'), ['Changed the key of "Tide helper".']);
    });

    it('changes its name here alone, and takes the platform’s back', async () => {
      const app = await added(platform.apps.chat.key);
      assert.equal((await onApp('rename', app, { types: ['Mine'] })).result, 'Mine');
      assert.equal((await onApp('rename', { ...app, name: 'Mine' }, { types: [''] })).result, 'Tide helper');
    });
  });

  describe('history', () => {
    it('lists, renames and deletes the conversations that the platform keeps of a chat app', async () => {
      const { key, name } = platform.apps.chat;
      await added(key);
      await added(platform.apps.workflow.key);
      const user = userOf(key) ?? assert.fail('Nobody asked for the form.');
      const lists = () => platform.requests.filter(({ path }) => path === '/v1/conversations').length;
      for (const query of ['When is high water?', 'Where is the lock?']) await chat(key, user, query);
      const labels: string[][] = [];
      const listed: ListScript = async (list) => {
        await list.item(`$(cloud-download) ${name}`);
        assert.equal(lists(), 0, 'Nobody is asked before somebody wants it.');
        list.pressButton('Load All');
        await list.item('Where is the lock?');
        labels.push(list.labels);
        await list.press('Where is the lock?');
      };
      const renamed: ListScript = async (list) => {
        await list.item('The lock');
        list.dismiss();
      };
      await withCommand({ lists: [listed, renamed], types: ['The lock'] }, 'showHistory');
      const [shown = []] = labels;
      const ofApp = (all: readonly string[]) => all.slice(all.indexOf(name), all.indexOf(name) + 3);
      assert.deepEqual(ofApp(shown), [name, 'Where is the lock?', 'When is high water?']);
      assert.deepEqual(await namesOf(key, user), ['The lock', 'When is high water?']);

      const before = lists();
      const again: ListScript = async (list) => {
        await list.item('The lock');
        assert.deepEqual(ofApp(list.labels), [name, 'The lock', 'When is high water?']);
        assert.equal(lists(), before, 'What was loaded is known.');
        await chat(key, user, 'What is the depth?');
        list.pressButton('Load All');
        await list.item('What is the depth?');
        list.dismiss();
      };
      await withCommand({ lists: [again] }, 'showHistory');
    });

    const userOf = (key: string) =>
      platform.requests
        .filter(({ headers }) => headers.authorization === `Bearer ${key}`)
        .map(({ query }) => query.get('user'))
        .find((user) => user);
    const headers = (key: string) => ({
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
    });
    async function chat(key: string, user: string, query: string): Promise<void> {
      const body = JSON.stringify({ query, inputs: {}, user, response_mode: 'blocking' });
      const response = await fetch(`${platform.url}/v1/chat-messages`, {
        method: 'POST',
        headers: headers(key),
        body,
      });
      assert.equal(response.status, 200);
      await response.text();
    }
    async function namesOf(key: string, user: string): Promise<string[]> {
      const response = await fetch(`${platform.url}/v1/conversations?user=${user}`, {
        headers: headers(key),
      });
      const { data } = (await response.json()) as { data: { name: string }[] };
      return data.map(({ name }) => name).toSorted();
    }
  });
});

interface Sent {
  inputs: Record<string, unknown>;
  user: string;
}

type Task = (
  progress: vscode.Progress<{ message?: string }>,
  token: vscode.CancellationToken,
) => Thenable<unknown>;
