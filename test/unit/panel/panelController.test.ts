import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async/promises.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { RelayCatalog } from '../../../src/chat/models/relayCatalog.ts';
import type { PanelHost, PanelMemory } from '../../../src/panel/panelHost.ts';
import { PanelNotices } from '../../../src/panel/panelNotices.ts';
import type { Question } from '../../../src/chat/calls/toolBox.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import type { PanelState, Starter, ToHost, ToPage } from '../../../src/shared/protocol.ts';
import { attachmentParts } from '../../support/attachmentParts.ts';
import { channelPair } from '../../support/channelPair.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import type { RestoredParts } from '../../../src/chat/edits/editReviews.ts';
import { FileReview } from '../../../src/tools/review/fileReview.ts';
import { panelMemory, panelParts } from '../../support/panelParts.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { promptParts } from '../../support/promptParts.ts';
import type { PromptFile } from '../../../src/chat/project/promptFiles.ts';

const answer = (text: string): ModelEvent[] => [
  { type: 'requestSent' },
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];

function setUp(...scripts: ModelEvent[][]) {
  const { streamModel, requests } = scriptedModel(...scripts);
  const catalog = new RelayCatalog({
    listModels: async () => [{ id: 'm1', name: 'Model One', vendor: 'v' }],
    merge: (listed) => listed,
  });
  const chat = new ChatController(
    chatDependencies({
      streamModel,
      defaultModel: () => catalog.state.models[0]?.id,
      now: () => 1000,
    }),
  );
  return { catalog, chat, requests, ...attachPanel(chat, catalog) };
}

const noCatalog = () => new RelayCatalog({ listModels: async () => [], merge: (listed) => listed });

function attachPanel(
  chat: ChatController,
  catalog = noCatalog(),
  attachments = attachmentParts().controller(),
  memory = panelMemory(),
  editedAttachments = attachmentParts().controller(),
) {
  const called: string[] = [];
  const questions = new Map<string, Question>();
  const host: PanelHost = {
    connection: () => ({ state: 'connected', address: 'https://relay.example' }),
    memory,
    async pickModel() {
      called.push('pickModel');
      return picking.modelId;
    },
    callsTools: () => false,
    showModelDetails: (modelId) => called.push(`details ${modelId}`),
    defaultParameters: () => ({}),
    refusedParameters: () => [],
    modelPicked: (id) => called.push(`picked ${id}`),
    connectRelay: () => called.push('connectRelay'),
    openRelaySite: () => called.push('openRelaySite'),
    openSettings: (of) => called.push(`settings ${of ?? 'all'}`),
    showLog: () => called.push('showLog'),
    diagnoseConnection: () => called.push('diagnoseConnection'),
    addApp: () => called.push('addApp'),
    changeAppKey: ({ name }) => called.push(`key of ${name}`),
    openPlatform: (address) => called.push(`platform ${address}`),
    readPicture: async () => undefined,
    openPicture: async (_chatId, file) => void called.push(`open ${file}`),
    savePicture: async (_chatId, file) => void called.push(`save ${file}`),
    chooseTools: () => called.push('chooseTools'),
    watchStarters(listener) {
      watching.push(listener);
      return { dispose: () => void watching.splice(watching.indexOf(listener), 1) };
    },
    useStarter: (starter) => called.push(starter),
    trustWorkspace: () => called.push('trustWorkspace'),
    toolCount: () => ({ on: called.includes('chooseTools') ? 9 : 10, total: 11 }),
    questionOf: (id) => questions.get(id),
    showProposal: (id) => called.push(`proposal ${id}`),
    showTerminal: (id) => called.push(`terminal ${id}`),
    async decideHunks(id, decision, { path, keys }) {
      called.push(`${decision} ${id} ${path} ${keys?.join()}`);
    },
    async showChanges(id, path) {
      called.push(`changes ${id} ${path}`);
    },
    async restore(id) {
      called.push(`restore ${id}`);
      return restoring.parts && (await restoring.parts(id));
    },
    async leaveVersion(id) {
      called.push(`leave ${id}`);
      return restoring.leaves;
    },
    async review(_id, path) {
      const review = FileReview.of('a\nb\n').advance('a\nB\n', 'tool');
      return path === 'a.ts' ? { path, realPath: '/a.ts', review } : { reason: 'lost' };
    },
    answerTool: (id, decision) => called.push(`${decision} ${id}`),
    setQuestionFocused: (hasFocus) => called.push(`keys ${hasFocus}`),
    unfoldTool: (id) => {
      const question = questions.get(id);
      if (question) questions.set(id, { ...question, isUnfolded: true });
    },
    openLocation: ({ path }) => called.push(`show ${path}`),
    openLink: (href) => called.push(`open ${href}`),
    copyText: (text) => called.push(`copy ${text}`),
    insertText: (text) => called.push(`insert ${text}`),
    useCode: ({ action, code }) => called.push(`${action} ${code}`),
    findPaths: async (paths) => ({ found: paths.slice(0, 1), missing: paths.slice(1) }),
  };
  const watching: ((starters: readonly Starter[]) => void)[] = [];
  const picking: { modelId?: string } = {};
  const restoring: { parts?: (id: string) => Promise<RestoredParts>; leaves: boolean } = { leaves: false };
  const reading: { prompts(): Promise<readonly PromptFile[]> } = { prompts: async () => [] };
  const notices = new PanelNotices();
  const prompts = promptParts([], { prompts: () => reading.prompts() });
  const { attach, page, panel, refused } = panelParts(chat, {
    ...{ catalog, host, attachments, editedAttachments, notices, prompts },
  });
  const heard: ToPage[] = [];
  page.listen((message) => heard.push(message));
  const attached = attach();
  return {
    attached,
    watching,
    picking,
    restoring,
    reading,
    called,
    questions,
    heard,
    host,
    notices,
    page,
    panel,
    refused,
  };
}

function textsOf(entries: PanelState['entries']): string[] {
  return entries.flatMap((entry) => ('text' in entry ? [entry.text] : []));
}

function lastState(heard: ToPage[]): PanelState {
  const message = heard.findLast((candidate) => candidate.type === 'stateReplaced');
  assert.ok(message?.type === 'stateReplaced');
  return message.state;
}

describe('PanelController', () => {
  it('offers the prompts for the last letters, also when those for earlier ones come after them', async () => {
    const { heard, page, reading } = setUp(answer('Hi'));
    page.post({ type: 'ready' });
    const asked: (() => void)[] = [];
    reading.prompts = () => new Promise((resolve) => asked.push(() => resolve([])));
    page.post({ type: 'findPrompts', requestId: 1, query: 'm' });
    page.post({ type: 'findPrompts', requestId: 2, query: 'ma' });
    page.post({ type: 'findPrompts', requestId: 3, query: 'mak' });
    const found = () =>
      heard.flatMap((message) => (message.type === 'mentionsFound' ? [message.requestId] : []));
    asked[1]?.();
    asked[0]?.();
    asked[2]?.();
    await eventually(() => assert.equal(found().at(-1), 3));
    assert.deepEqual(found(), [3]);
  });

  it('is silent until the page is ready, then sends everything', async () => {
    const { chat, catalog, heard, page } = setUp(answer('Hi'));
    await catalog.load();
    await chat.shown.submit('Hello');
    assert.deepEqual(heard, []);
    page.post({ type: 'ready' });
    assert.deepEqual(lastState(heard).entries, [
      { type: 'user', id: 'id2', text: 'Hello' },
      { type: 'assistant', id: 'id3', model: 'Model One', text: 'Hi', reasoning: '', end: {} },
    ]);
  });

  it('asks which models there are when the page has what it shows at first', async () => {
    const { heard, page } = setUp();
    page.post({ type: 'ready' });
    assert.deepEqual(
      heard.flatMap((message) => {
        if (message.type === 'stateReplaced') return [message.state.models.state];
        return message.type === 'modelsChanged' ? [message.models.state] : [];
      }),
      ['none', 'loading'],
    );
  });

  it('shows a page before the conversation is read, and does then what the user did meanwhile', async () => {
    const { catalog, chat, host, panel, requests } = setUp(answer('Hi'), answer('Again'));
    await catalog.load();
    await chat.shown.submit('Hello');
    const { host: hostEnd, page } = channelPair();
    const heard: ToPage[] = [];
    page.listen((message) => heard.push(message));
    const opening = new Deferred();
    panel.attach(hostEnd, opening.promise);
    page.post({ type: 'ready', position: { chatId: chat.shown.conversation.id, id: 'id2' } });
    assert.equal(lastState(heard).isOpening, true);
    page.post({ type: 'changeDraft', text: 'More' });
    page.post({ type: 'sendMessage', text: 'More' });
    assert.equal(host.memory.draft, 'More');
    assert.equal(requests.length, 1);
    opening.resolve();
    await eventually(() => assert.equal(requests.length, 2));
    const { isOpening, entries } = lastState(heard);
    assert.equal(isOpening, undefined);
    assert.deepEqual(textsOf(entries), ['Hello', 'Hi']);
    assert.equal(host.memory.draft, '');
  });

  it('shows where a text was found, as soon as a page shows the conversation', async () => {
    const { catalog, chat, panel } = setUp(answer('The tide is high'));
    await catalog.load();
    await chat.shown.submit('Hello');
    const { host: hostEnd, page } = channelPair();
    const found: unknown[] = [];
    page.listen((message) => {
      const { type } = message;
      if (type === 'stateReplaced' || type === 'findOpened' || type === 'messageFound') found.push(message);
    });
    const types = () => found.map((message) => Object(message).type);
    const opening = new Deferred();
    panel.attach(hostEnd, opening.promise);
    const [asked, said] = chat.shown.conversation.all;
    const chatId = chat.shown.conversation.id;
    panel.reveal({ chatId, id: said!.id, text: 'TIDE' });
    page.post({ type: 'ready' });
    assert.deepEqual(types(), ['stateReplaced']);
    opening.resolve();
    await eventuallyEqual(types, ['stateReplaced', 'stateReplaced', 'findOpened']);
    assert.deepEqual(found.at(-1), { type: 'findOpened', query: 'TIDE', id: said!.id });
    // Content outside the find bar's scope, such as an attached file, is only scrolled into view.
    panel.reveal({ chatId, id: asked!.id, text: 'attached' });
    await eventuallyEqual(() => found.at(-1), { type: 'messageFound', index: 0, id: asked!.id });
    panel.reveal({ chatId: 'another', id: asked!.id, text: 'Hello' });
    page.post({ type: 'ready' });
    await eventuallyEqual(() => types().length, 5);
  });

  it('holds its notices for each page, and clears them when a message is sent', async () => {
    const { catalog, heard, notices, page } = setUp(answer('Hi'));
    await catalog.load();
    const early = notices.show({ severity: 'information', text: 'Added app.', actions: ['Open in Chat'] });
    page.post({ type: 'ready' });
    const [added] = lastState(heard).notices;
    assert.equal(added?.text, 'Added app.');
    page.post({ type: 'answerNotice', id: added.id, action: 'Open in Chat' });
    assert.equal(await early, 'Open in Chat');
    const shown = () => {
      const message = heard.findLast(({ type }) => type === 'noticesChanged');
      return message?.type === 'noticesChanged' && message.notices.map(({ text }) => text);
    };
    const told = notices.show({ severity: 'warning', text: 'The file is read-only.' });
    await eventuallyEqual(shown, ['The file is read-only.']);
    page.post({ type: 'sendMessage', text: 'Hello' });
    assert.equal(await told, undefined);
    await eventuallyEqual(shown, []);
  });

  it('tells a page that came in the middle each word once', async () => {
    const { catalog, chat, heard, page } = setUp([
      { type: 'textAdded', text: 'Hel' },
      { type: 'textAdded', text: 'lo' },
      { type: 'modelFinished', reason: 'stop' },
    ]);
    await catalog.load();
    page.post({ type: 'ready' });
    let pieces = 0;
    // The panel has the text and holds it back for a frame.
    chat.onDidChange(({ type }) => type === 'textAdded' && ++pieces === 1 && page.post({ type: 'ready' }));
    await chat.shown.submit('Hello');
    const from = heard.findLastIndex((message) => message.type === 'stateReplaced');
    const state = lastState(heard);
    const shown = state.entries.map((entry) => (entry.type === 'assistant' ? entry.text : '')).join('');
    const later = heard
      .slice(from)
      .flatMap((message) => (message.type === 'textAdded' ? [message.text] : []));
    assert.equal(shown + later.join(''), 'Hello');
  });

  it('goes on with the newest page when an older one ends after it', () => {
    const { attached, panel } = setUp();
    const { host, page } = channelPair();
    const heard: ToPage[] = [];
    page.listen((message) => heard.push(message));
    panel.attach(host);
    attached.dispose();
    page.post({ type: 'ready' });
    assert.ok(heard.some(({ type }) => type === 'stateReplaced'));
  });

  it('empties the message box only for a message that was taken', async () => {
    const { catalog, heard, host, page, requests } = setUp(answer('Hi'));
    page.post({ type: 'changeDraft', text: 'Hello' });
    page.post({ type: 'ready' });
    page.post({ type: 'sendMessage', text: 'Hello' });
    // No model is known yet, so nothing was sent and the text is still there.
    assert.equal(host.memory.draft, 'Hello');
    assert.equal(requests.length, 0);
    await catalog.load();
    page.post({ type: 'sendMessage', text: 'Hello' });
    assert.equal(host.memory.draft, '');
    assert.ok(heard.some((message) => message.type === 'draftReplaced' && message.text === ''));
  });

  it('holds a message for a model that is no longer listed until the user insists, and says so', async () => {
    const { called, catalog, chat, heard, host, page, requests } = setUp(answer('Hi'));
    chat.shown.choices.selectModel('gone');
    page.post({ type: 'changeDraft', text: 'Hello' });
    page.post({ type: 'ready' });
    await catalog.load();
    page.post({ type: 'sendMessage', text: 'Hello' });
    page.post({ type: 'ready' });
    assert.equal(lastState(heard).models.isSelectedUnlisted, true);
    assert.deepEqual(
      heard
        .filter(({ type }) => type === 'messageHeld' || type === 'modelPickerOpened')
        .map(({ type }) => type),
      ['messageHeld', 'modelPickerOpened'],
    );
    assert.equal(host.memory.draft, 'Hello');
    assert.equal(requests.length, 0);
    page.post({ type: 'selectModel', modelId: 'gone' });
    assert.deepEqual(called, ['picked gone']);
  });

  it('says what failed unexpectedly when it was clicked, keeps the text, and takes the next click', async () => {
    const { streamModel, requests } = scriptedModel(answer('Hi'));
    const attachments = attachmentParts().controller();
    let fails = true;
    Object.defineProperty(attachments, 'isEmpty', { get: () => false });
    attachments.prepare = () => (fails ? Promise.reject(new TypeError('a mistake')) : Promise.resolve([]));
    const { heard, host, notices, page } = attachPanel(
      new ChatController(chatDependencies({ streamModel })),
      undefined,
      attachments,
    );
    page.post({ type: 'ready' });
    page.post({ type: 'changeDraft', text: 'Hello' });
    page.post({ type: 'sendMessage', text: 'Hello' });
    await eventuallyEqual(
      () => notices.all.map(({ text }) => text),
      ['Internal error. See the log for details.'],
    );
    assert.ok(heard.some(({ type }) => type === 'messageHeld'));
    assert.equal(host.memory.draft, 'Hello');
    fails = false;
    page.post({ type: 'sendMessage', text: 'Hello' });
    await eventuallyEqual(() => requests.length, 1);
  });

  it('sends a message once, to where it was written, however long what goes with it takes', async () => {
    const { streamModel, requests } = scriptedModel(answer('Hi'));
    const attachments = attachmentParts().controller();
    Object.defineProperty(attachments, 'isEmpty', { get: () => false });
    let prepared = new Deferred();
    attachments.prepare = async () => {
      await prepared.promise;
      return [];
    };
    const chat = new ChatController(chatDependencies({ streamModel }));
    const { heard, host, page } = attachPanel(chat, undefined, attachments);
    page.post({ type: 'ready' });
    page.post({ type: 'changeDraft', text: 'Hello' });
    page.post({ type: 'sendMessage', text: 'Hello' });
    page.post({ type: 'sendMessage', text: 'Hello' });
    await chat.startNewChat();
    prepared.resolve();
    await eventually(async () => assert.ok(heard.some(({ type }) => type === 'messageHeld')));
    assert.deepEqual([host.memory.draft, chat.shown.conversation.all, requests], ['Hello', [], []]);

    prepared = new Deferred();
    page.post({ type: 'sendMessage', text: 'Hello' });
    page.post({ type: 'sendMessage', text: 'Hello' });
    prepared.resolve();
    await eventually(async () => assert.equal(chat.shown.conversation.all.at(-1)?.type, 'answer'));
    await eventually(async () => assert.equal(chat.shown.isRunning, false));
    assert.deepEqual([requests.length, chat.shown.conversation.queue, host.memory.draft], [1, [], '']);
  });

  describe('asked by a command of the editor', () => {
    const code = { type: 'range', path: '/work/a.ts', startLine: 1, endLine: 2 } as const;
    function withFile() {
      const { streamModel, requests } = scriptedModel(answer('Hi'));
      const { list, controller } = attachmentParts({ '/work/a.ts': 'one\ntwo\nthree\n' });
      const chat = new ChatController(chatDependencies({ streamModel }));
      return { chat, list, requests, ...attachPanel(chat, undefined, controller()) };
    }

    it('sends the request with the code at once', async () => {
      const { chat, host, list, panel } = withFile();
      assert.equal(await panel.ask('Explain it.', [code]), true);
      const [message] = chat.shown.conversation.all;
      assert.ok(message?.type === 'user');
      assert.deepEqual([message.text, message.attachments?.[0]?.text], ['Explain it.', 'one\ntwo']);
      assert.deepEqual([host.memory.draft, list.isEmpty], ['', true]);
      await eventuallyEqual(() => chat.shown.isRunning, false);
    });

    it('sends nothing that the user has in the box: the request joins it', async () => {
      const { chat, host, list, panel, requests } = withFile();
      host.memory.draft = 'half a thought';
      assert.equal(await panel.ask('Explain it.', [code]), false);
      assert.deepEqual([host.memory.draft, list.sources], ['half a thought\nExplain it.', [code]]);
      host.memory.draft = '';
      assert.equal(await panel.ask('Fix it.', []), false, 'something else is attached');
      assert.equal(host.memory.draft, 'Fix it.');
      assert.deepEqual([chat.shown.conversation.all, requests], [[], []]);
    });

    it('places the request only where it is sent, before the code is attached', async () => {
      const { chat, host, list, panel } = withFile();
      const first = chat.shown.conversation.id;
      const place = async () => void (await chat.startNewChat());
      assert.equal(await panel.ask('Explain it.', [code], place), true);
      assert.notEqual(chat.shown.conversation.id, first);
      assert.equal(chat.shown.conversation.all[0]?.type, 'user');
      await eventuallyEqual(() => chat.shown.isRunning, false);
      const second = chat.shown.conversation.id;
      host.memory.draft = 'half a thought';
      assert.equal(await panel.ask('Explain it.', [code], place), false);
      assert.equal(chat.shown.conversation.id, second);
      host.memory.draft = '';
      list.clear();
      const typing = async () => void (host.memory.draft = 'typed meanwhile');
      assert.equal(await panel.ask('Explain it.', [code], typing), false);
      assert.equal(host.memory.draft, 'typed meanwhile\nExplain it.');
    });

    it('opens the model picker where there is no model, and keeps the request', async () => {
      const { chat, heard, host, page, panel, requests } = setUp();
      page.post({ type: 'ready' });
      assert.equal(await panel.ask('Explain it.', []), false);
      assert.ok(heard.some(({ type }) => type === 'modelPickerOpened'));
      assert.deepEqual([host.memory.draft, chat.shown.conversation.all, requests], ['Explain it.', [], []]);
    });
  });

  it('gives back what says nothing any more when all of it was removed meanwhile', async () => {
    const { list, controller } = attachmentParts();
    const { heard, host, page } = attachPanel(
      new ChatController(chatDependencies({})),
      undefined,
      controller(),
    );
    page.post({ type: 'ready' });
    page.post({ type: 'attachText', name: 'Pasted text', text: 'long' });
    await eventually(async () => assert.ok(list.all(undefined)[0]?.attachment));
    page.post({ type: 'changeDraft', text: ' ' });
    page.post({ type: 'sendMessage', text: ' ' });
    page.post({ type: 'removeAttachment', id: list.all(undefined)[0]!.id });
    await eventually(async () => assert.ok(heard.some(({ type }) => type === 'messageHeld')));
    assert.ok(!heard.some(({ type }) => type === 'draftReplaced'));
    assert.equal(host.memory.draft, ' ');
  });

  it('leads from Restricted Mode to the trust of the workspace', () => {
    const { called, page } = setUp();
    page.post({ type: 'trustWorkspace' });
    assert.deepEqual(called, ['trustWorkspace']);
  });

  it('says how many tools are on, and again when that changed', () => {
    const { heard, page, panel } = setUp();
    page.post({ type: 'ready' });
    assert.deepEqual(lastState(heard).tools, { on: 10, total: 11 });
    page.post({ type: 'chooseTools' });
    panel.toolsChanged();
    page.post({ type: 'ready' });
    assert.deepEqual(
      heard.find(({ type }) => type === 'toolsChanged'),
      { type: 'toolsChanged', tools: { on: 9, total: 11 } },
    );
  });

  it('counts the tools anew when a knowledge base is chosen', async () => {
    const { heard, page, chat } = setUp();
    page.post({ type: 'ready' });
    const counted = () => heard.filter(({ type }) => type === 'toolsChanged').length;
    assert.equal(counted(), 0);
    chat.shown.choices.chooseKnowledge([{ id: 'b', name: 'Harbour' }]);
    await eventuallyEqual(counted, 1);
  });

  it('opens the picker in a page that is yet to come, once', async () => {
    const { heard, page, panel } = setUp();
    const opened = () => heard.filter(({ type }) => type === 'modelPickerOpened').length;
    panel.openModelPicker();
    page.post({ type: 'ready' });
    page.post({ type: 'ready' });
    assert.equal(opened(), 1);
    panel.openModelPicker();
    page.post({ type: 'ready' });
    assert.equal(opened(), 2);
  });

  it('shows a page that is reloaded what a call waits for', async () => {
    const call = { id: 'c', name: 'edit', arguments: '{}' };
    const calling: ModelEvent[] = [
      { type: 'toolCallsCompleted', calls: [call, { ...call, id: 'd' }] },
      { type: 'modelFinished', reason: 'tool_calls' },
    ];
    const { streamModel } = scriptedModel(calling, answer('Done'));
    const asked = new Deferred();
    const chat = new ChatController(
      chatDependencies({
        streamModel,
        tools: {
          edit: {
            isRead: false,
            async run(_input, _signal, onState) {
              void onState('asking');
              await asked.promise;
              return 'Edited.';
            },
          },
        },
      }),
    );
    const { heard, page, questions } = attachPanel(chat);
    const states = () =>
      lastState(heard).entries.flatMap((entry) => (entry.type === 'tool' ? [entry.state] : []));
    const asking = new Promise<string>((resolve) => {
      chat.onDidChange(
        (change) => change.type === 'toolStateChanged' && change.state === 'asking' && resolve(change.id),
      );
    });
    const ended = chat.shown.submit('Edit it');
    const id = await asking;
    questions.set(id, { id, name: 'edit', input: { path: 'a.ts' } });
    page.post({ type: 'ready' });
    assert.deepEqual(states(), ['asking', 'waiting']);
    assert.deepEqual(lastState(heard).status, { type: 'asking' });
    const entry = lastState(heard).entries.find((each) => each.id === id);
    assert.ok(entry?.type === 'tool');
    const rows = [{ name: 'path', value: 'a.ts' }];
    assert.deepEqual(entry.question, { preview: { type: 'arguments', rows, more: 0 } });
    questions.set(id, { id, name: 'edit', input: { text: 'x'.repeat(5000) } });
    page.post({ type: 'unfoldTool', id });
    const changed = heard.findLast((message) => message.type === 'entryChanged');
    assert.ok(changed?.entry.type === 'tool' && changed.entry.question?.preview.type === 'arguments');
    assert.equal(changed.entry.question.isFolded, undefined);
    assert.equal(changed.entry.question.preview.rows[0]?.value.length, 5000);
    asked.resolve();
    await ended;
    page.post({ type: 'ready' });
    assert.deepEqual(states(), ['done', 'done']);
  });

  it('tells what a turn cost when it has ended, not while it goes on', async () => {
    const finished = (reason: 'tool_calls' | 'stop', promptTokens: number): ModelEvent => ({
      ...{ type: 'modelFinished', reason, usage: { promptTokens } },
    });
    const call = { id: 'c', name: 'look', arguments: '{}' };
    const { streamModel } = scriptedModel(
      [{ type: 'toolCallsCompleted', calls: [call] }, finished('tool_calls', 10)],
      [{ type: 'textAdded', text: 'Seen.' }, finished('stop', 20)],
    );
    const chat = new ChatController(
      chatDependencies({ streamModel, tools: { look: { run: () => 'Nothing.' } } }),
    );
    const { heard, page } = attachPanel(chat);
    page.post({ type: 'ready' });
    await chat.shown.submit('Look');
    const costs = heard.flatMap((message) =>
      message.type === 'entryEnded' ? [message.end.usage?.total.promptTokens] : [],
    );
    assert.equal(costs.pop(), 30);
    assert.ok(costs.length > 0 && costs.every((cost) => cost === undefined));
  });

  it('shows the instruction files that a result brings when it comes', async () => {
    const call = { id: 'c', name: 'look', arguments: '{}' };
    const { streamModel } = scriptedModel(
      [
        { type: 'toolCallsCompleted', calls: [call] },
        { type: 'modelFinished', reason: 'tool_calls' },
      ],
      answer('Seen.'),
    );
    const instructions = [{ path: 'src/AGENTS.md', bytes: 40, hash: 'h' }];
    const chat = new ChatController(
      chatDependencies({ streamModel, tools: { look: { run: () => 'Nothing.', instructions } } }),
    );
    const { heard, page } = attachPanel(chat);
    page.post({ type: 'ready' });
    await chat.shown.submit('Look');
    const told = heard.find((message) => message.type === 'toldChanged');
    assert.deepEqual(
      told?.told.map(({ label, detail }) => [label, detail]),
      [['src/AGENTS.md', 'about 10 tokens']],
    );
  });

  it('hands in what is sent while a call runs, or keeps it for later, and tells the cost of each part', async () => {
    const called = (promptTokens: number): ModelEvent[] => [
      { type: 'toolCallsCompleted', calls: [{ id: `c${promptTokens}`, name: 'look', arguments: '{}' }] },
      { type: 'modelFinished', reason: 'tool_calls', usage: { promptTokens } },
    ];
    const done = (promptTokens: number): ModelEvent[] => [
      { type: 'textAdded', text: 'Seen.' },
      { type: 'modelFinished', reason: 'stop', usage: { promptTokens } },
    ];
    const { streamModel, requests } = scriptedModel(called(10), called(20), done(30), done(40));
    const looks = [new Deferred(), new Deferred()];
    let looked = 0;
    const run = () => looks[looked++]!.promise.then(() => 'Nothing.');
    const chat = new ChatController(chatDependencies({ streamModel, tools: { look: { run } } }));
    const { heard, page } = attachPanel(chat);
    page.post({ type: 'ready' });
    page.post({ type: 'sendMessage', text: 'Look' });
    await eventuallyEqual(async () => looked, 1);
    page.post({ type: 'sendMessage', text: 'For later', later: true });
    page.post({ type: 'sendMessage', text: 'Look there' });
    const queues = () =>
      heard.flatMap((message) =>
        message.type === 'queueChanged' ? [message.queue.map(({ text, steers }) => [text, steers])] : [],
      );
    assert.deepEqual(queues().at(-1), [
      ['Look there', true],
      ['For later', undefined],
    ]);
    looks[0]!.resolve();
    await eventuallyEqual(async () => looked, 2);
    assert.deepEqual(requests[1]!.messages.at(-1)?.content, 'Look there');
    assert.deepEqual(queues().at(-1), [['For later', undefined]]);
    const costs = () =>
      heard.flatMap((message) =>
        message.type === 'entryEnded' ? (message.end.usage?.total.promptTokens ?? []) : [],
      );
    assert.deepEqual(costs(), [10]);
    looks[1]!.resolve();
    await eventuallyEqual(async () => chat.shown.isRunning, false);
    assert.deepEqual(costs(), [10, 50, 40]);
    assert.equal(requests[3]!.messages.at(-1)?.content, 'For later');
  });

  it('takes what is sent for later to the end of a queue that is paused, and sends it where there is none', async () => {
    const { catalog, chat, heard, page, requests } = setUp(answer('One'), answer('Two'));
    await catalog.load();
    page.post({ type: 'ready' });
    page.post({ type: 'sendMessage', text: 'First', later: true });
    for (const text of ['Second', 'Third']) page.post({ type: 'sendMessage', text });
    page.post({ type: 'stopTurn' });
    await eventuallyEqual(async () => chat.shown.isRunning, false);
    page.post({ type: 'sendMessage', text: 'Fourth', later: true });
    const queues = heard.flatMap((message) => (message.type === 'queueChanged' ? [message.queue] : []));
    assert.deepEqual(
      queues.at(-1)?.map(({ text, steers }) => [text, steers]),
      ['Second', 'Third', 'Fourth'].map((text) => [text, undefined]),
    );
    assert.ok(requests.length <= 1);
  });

  it('pages a long conversation from its end', async () => {
    const { catalog, chat, heard, page } = setUp(...Array.from({ length: 40 }, (_, n) => answer(`a${n}`)));
    await catalog.load();
    for (let n = 0; n < 40; n++) await chat.shown.submit(`q${n}`);
    page.post({ type: 'ready' });
    const texts: string[] = textsOf(lastState(heard).entries);
    assert.deepEqual([texts.length, texts.at(-1), lastState(heard).first], [30, 'a39', 50]);
    for (let to = 50; to > 0; to -= 30) {
      page.post({ type: 'loadEntries', requestId: to, from: Math.max(0, to - 30), to });
      const earlier = heard.at(-1);
      assert.ok(earlier?.type === 'entriesLoaded');
      assert.deepEqual([earlier.requestId, earlier.first, earlier.total], [to, Math.max(0, to - 30), 80]);
      texts.unshift(...textsOf(earlier.entries));
    }
    assert.deepEqual(texts, Array.from({ length: 40 }, (_, n) => [`q${n}`, `a${n}`]).flat());
  });

  it('gives a page that comes back the entry it was at, and never less than a fresh one', async () => {
    const { catalog, chat, heard, page } = setUp(...Array.from({ length: 40 }, (_, n) => answer(`a${n}`)));
    await catalog.load();
    for (let n = 0; n < 40; n++) await chat.shown.submit(`q${n}`);
    const { id: chatId, all } = chat.shown.conversation;
    const shownAt = (index: number, id = chatId) => {
      page.post({ type: 'ready', position: { chatId: id, id: all[index]!.id } });
      return textsOf(lastState(heard).entries);
    };
    assert.deepEqual([shownAt(17).length, shownAt(17)[0]], [30, 'a3']);
    assert.deepEqual([shownAt(7).length, shownAt(7)[0]], [30, 'q0']);
    assert.equal(shownAt(79).length, 30);
    assert.equal(shownAt(7, 'another chat').length, 30);
  });

  it('queues what is sent while an answer comes, and gives it back to be edited', async () => {
    const { catalog, chat, heard, host, page } = setUp(answer('One'), answer('Two'));
    await catalog.load();
    page.post({ type: 'ready' });
    page.post({ type: 'sendMessage', text: 'First' });
    for (const text of ['Second', 'Third']) {
      page.post({ type: 'changeDraft', text });
      page.post({ type: 'sendMessage', text });
      assert.equal(host.memory.draft, '');
    }
    const queue = () => {
      const message = heard.findLast(({ type }) => type === 'queueChanged');
      return message?.type === 'queueChanged' ? message.queue : [];
    };
    assert.deepEqual(
      queue().map(({ text }) => text),
      ['Second', 'Third'],
    );
    page.post({ type: 'ready' });
    assert.deepEqual(lastState(heard).queue, queue());
    page.post({ type: 'changeDraft', text: 'Half' });
    page.post({ type: 'editQueued', id: queue()[1]!.id });
    assert.equal(host.memory.draft, 'Half\nThird');
    assert.equal(heard.at(-1)?.type, 'messageBoxFocused');
    page.post({ type: 'removeQueued', id: queue()[0]!.id });
    assert.deepEqual(queue(), []);
    await eventually(async () => assert.equal(chat.shown.isRunning, false));
    assert.equal(chat.shown.conversation.all.length, 2);
  });

  it('takes a message from the queue of the page when its turn has come', async () => {
    const { catalog, chat, heard, page } = setUp(answer('One'), answer('Two'));
    await catalog.load();
    page.post({ type: 'ready' });
    for (const text of ['First', 'Second']) page.post({ type: 'sendMessage', text });
    await eventually(async () => assert.equal(chat.shown.isRunning, false));
    const queues = heard.flatMap((message) =>
      message.type === 'queueChanged' ? [message.queue.map(({ text }) => text)] : [],
    );
    assert.deepEqual(queues.slice(-2), [['Second'], []]);
  });

  it('shows another version from where it differs', async () => {
    const { catalog, chat, heard, page } = setUp(answer('One'), answer('Two'), answer('Three'));
    await catalog.load();
    await chat.shown.submit('First');
    await chat.shown.submit('Second');
    page.post({ type: 'ready' });
    const one = chat.shown.conversation.all[1]?.id;
    page.post({ type: 'retryTurn', id: one! });
    await eventually(async () => {
      const last = chat.shown.conversation.all.at(-1);
      assert.ok(last?.type === 'answer' && last.text === 'Three' && last.end && !chat.sessions[0]?.isRunning);
    });
    const from = heard.findIndex((message) => message.type === 'entriesReplaced');
    assert.deepEqual(heard[from], { type: 'entriesReplaced', from: 1, entries: [] });
    const started = heard.slice(from).find((message) => message.type === 'entryAdded');
    assert.ok(started?.type === 'entryAdded' && started.entry.type === 'assistant');
    assert.deepEqual(started.entry.version, { number: 2, count: 2 });
    page.post({ type: 'chooseVersion', id: started.entry.id, direction: 'previous' });
    const back = heard.at(-1);
    assert.ok(back?.type === 'entriesReplaced');
    assert.equal(back.from, 1);
    assert.deepEqual(textsOf(back.entries), ['One', 'Second', 'Two']);
  });

  it('passes decisions on hunks on, and shows what is left of a file', async () => {
    const { called, heard, page } = setUp();
    page.post({ type: 'ready' });
    page.post({ type: 'showChanges', id: 'e' });
    page.post({ type: 'loadHunks', id: 'e', path: 'gone.ts' });
    page.post({ type: 'decideHunks', id: 'e', decision: 'undo', path: 'a.ts', keys: ['k'] });
    await eventually(() => assert.equal(heard.filter(({ type }) => type === 'hunksLoaded').length, 2));
    assert.deepEqual(called, ['changes e undefined', 'undo e a.ts k']);
    const [gone, left] = heard.filter((message) => message.type === 'hunksLoaded');
    assert.match(gone?.problem ?? '', /no longer stored/);
    assert.deepEqual(
      left?.hunks.map(({ key: _key, ...hunk }) => hunk),
      [
        {
          ...{ line: 2, more: 0, isEdited: false },
          lines: [
            { kind: 'removed', text: 'b' },
            { kind: 'added', text: 'B' },
          ],
        },
      ],
    );
  });

  it('gives a message back to the box when the conversation goes back before it, and takes it again', async () => {
    const { called, catalog, chat, host, heard, page, restoring } = setUp(answer('One'));
    await catalog.load();
    page.post({ type: 'ready' });
    await chat.shown.submit('First');
    const [session] = chat.sessions;
    const id = chat.shown.conversation.all.find(({ type }) => type === 'user')!.id;
    restoring.parts = async (toId) => {
      session!.record({ type: 'checkpointRestored', id: `r:${toId}`, toId, isConversation: true });
      return { files: false, conversation: true };
    };
    page.post({ type: 'restoreCheckpoint', id });
    await eventually(() => assert.equal(host.memory.draft, 'First'));
    await eventually(() => assert.ok(heard.some(({ type }) => type === 'messageBoxFocused')));
    const noticed = () =>
      (heard.findLast((message) => message.type === 'stateReplaced')?.state.entries ?? []).flatMap((entry) =>
        entry.type === 'notice' ? [[entry.text, entry.remedy?.label]] : [],
      );
    assert.deepEqual(noticed(), [['Restored the conversation.', 'Undo Restore']]);
    page.post({ type: 'applyRemedy', remedy: 'restoreBack', id: `r:${id}` });
    await eventually(() => assert.equal(host.memory.draft, ''));
    assert.deepEqual(called, [`restore ${id}`, `restore r:${id}`]);
    assert.equal(chat.shown.conversation.all[0]?.id, id);
    assert.deepEqual(noticed().at(-1), ['Undid the restore.', 'Restore Again']);
    page.post({ type: 'applyRemedy', remedy: 'restoreBack', id: `r:r:${id}` });
    await eventually(() =>
      assert.deepEqual(noticed().at(-1), ['Restored the conversation.', 'Undo Restore']),
    );
  });

  it('edits a message with the button of what a content filter blocked', async () => {
    const { catalog, chat, heard, page } = setUp(answer('One'), answer('Two'));
    await catalog.load();
    page.post({ type: 'ready' });
    await chat.shown.submit('First');
    await chat.shown.submit('Second');
    const blocked = chat.shown.conversation.all.findLast(({ type }) => type === 'answer')!;
    page.post({ type: 'applyRemedy', remedy: 'editMessage', id: blocked.id });
    const told = heard.at(-1);
    assert.ok(told?.type === 'editChanged' && told.isNew);
    assert.equal(told.edit?.text, 'Second');
  });

  it('opens the settings that a failure is about', () => {
    const { called, page } = setUp();
    for (const remedy of ['openSettings', 'openProxySettings', 'openNetworkSettings'] as const)
      page.post({ type: 'applyRemedy', remedy });
    assert.deepEqual(called, ['settings all', 'settings proxy', 'settings network']);
  });

  it('compacts with the button of a request that was too large', async () => {
    const { catalog, chat, page } = setUp(answer('One'));
    await catalog.load();
    page.post({ type: 'ready' });
    await chat.shown.submit('First');
    page.post({ type: 'applyRemedy', remedy: 'compact' });
    await eventually(() => {
      const last = chat.shown.conversation.all.at(-1);
      assert.equal(last?.type === 'notice' && last.kind, 'nothing-to-compact');
    });
  });

  it('stays with a version whose files the user does not want to leave', async () => {
    const { called, catalog, chat, page, restoring } = setUp(answer('One'), answer('Two'));
    await catalog.load();
    page.post({ type: 'ready' });
    await chat.shown.submit('First');
    const last = () => chat.shown.conversation.all.findLast(({ type }) => type === 'answer')!;
    await chat.shown.retry(last().id);
    const edits = [{ path: 'a', realPath: '/a', afterHash: 'x' }];
    chat.sessions[0]!.record({ type: 'editsMade', id: 'e', edits });
    const { id } = last();
    page.post({ type: 'chooseVersion', id, direction: 'previous' });
    await eventually(() => assert.deepEqual(called, [`leave ${id}`]));
    assert.equal(last().id, id);
    restoring.leaves = true;
    page.post({ type: 'chooseVersion', id, direction: 'previous' });
    await eventually(() => assert.notEqual(last().id, id));
  });

  it('asks about the files of a turn before it is asked again, and not where its answer alone failed', async () => {
    const { called, catalog, chat, page, restoring } = setUp(answer('One'), answer('Two'), answer('Three'));
    await catalog.load();
    page.post({ type: 'ready' });
    await chat.shown.submit('First');
    const [session] = chat.sessions;
    const edits = [{ path: 'a', realPath: '/a', afterHash: 'x' }];
    session!.record({ type: 'editsMade', id: 'e', edits });
    const last = () => chat.shown.conversation.all.findLast(({ type }) => type === 'answer')!;
    const { id } = last();
    page.post({ type: 'retryTurn', id });
    await eventually(() => assert.deepEqual(called, [`leave ${id}`]));
    assert.equal(last().id, id);
    restoring.leaves = true;
    page.post({ type: 'retryTurn', id });
    await eventually(() =>
      assert.deepEqual(chat.shown.conversation.versionOf(last().id), { number: 2, count: 2 }),
    );
    await eventually(() => assert.equal(chat.shown.isRunning, false));
    assert.equal(called.length, 2);
    session!.record({ type: 'answerStarted', id: 'failed', model: 'm1' });
    session!.record({ type: 'answerEnded', id: 'failed', end: { reason: 'failed' } });
    session!.record({ type: 'editsMade', id: 'e', edits });
    page.post({ type: 'retryTurn', id: 'failed' });
    await eventually(() => assert.ok(chat.shown.conversation.all.every((item) => item.id !== 'failed')));
    assert.equal(called.length, 2);
  });

  async function twoTurns(...further: string[]) {
    const parts = setUp(...['One', 'Two', ...further].map(answer));
    await parts.catalog.load();
    parts.page.post({ type: 'ready' });
    await parts.chat.shown.submit('First');
    await parts.chat.shown.submit('Second');
    const { chat, heard, page } = parts;
    const said = () => textsOf(lastEntries(chat));
    const idOf = (text: string) =>
      chat.shown.conversation.all.find((item) => 'text' in item && item.text === text)?.id ??
      assert.fail(text);
    const target = () => {
      const change = heard.findLast(({ type }) => type === 'branchTargetChanged');
      return change?.type === 'branchTargetChanged' ? change.target : undefined;
    };
    const send = async (text: string) => {
      page.post({ type: 'changeDraft', text });
      page.post({ type: 'sendMessage', text });
      await eventually(() => assert.ok(said().includes(text) && !chat.shown.isRunning));
    };
    return { ...parts, idOf, said, send, target };
  }
  const lastEntries = (chat: ChatController) =>
    chat.shown.conversation.all.filter((item) => item.type === 'user' || item.type === 'answer') as never;

  const editIn = (heard: readonly ToPage[]) => {
    const told = heard.findLast(({ type }) => type === 'editChanged' || type === 'stateReplaced');
    return told?.type === 'editChanged' ? told.edit : told?.type === 'stateReplaced' && told.state.edit;
  };

  it('edits a message in its place, and sends it as another version', async () => {
    const { chat, heard, host, idOf, page, said } = await twoTurns('Three');
    page.post({ type: 'changeDraft', text: 'half a thought' });
    const id = idOf('Second');
    page.post({ type: 'editMessage', id });
    const index = chat.shown.conversation.all.findIndex((item) => item.id === id);
    const edit = { id, index, text: 'Second', attachments: [] };
    Object.assign(chat.shown.conversation.all[index]!, { tools: ['read_file'] });
    assert.deepEqual(heard.at(-1), { type: 'editChanged', edit, isNew: true });
    page.post({ type: 'changeDraft', text: 'Zw', box: id });
    page.post({ type: 'ready' });
    assert.deepEqual(
      [lastState(heard).edit, lastState(heard).draft],
      [{ ...edit, text: 'Zw' }, 'half a thought'],
    );
    page.post({ type: 'sendMessage', text: 'Zweit', box: id });
    await eventually(() => assert.deepEqual(said(), ['First', 'One', 'Zweit', 'Three']));
    assert.deepEqual(
      [editIn(heard), host.memory.draft, host.memory.edits],
      [undefined, 'half a thought', undefined],
    );
    assert.ok(heard.every((message) => message.type !== 'draftReplaced'));
    const sent = chat.shown.conversation.all.find((item) => item.id === idOf('Zweit'));
    assert.deepEqual(sent?.type === 'user' && sent.tools, ['read_file'], 'of its prompt file');
    await eventually(() => assert.equal(chat.shown.isRunning, false));
    chat.shown.branches.chooseVersion(idOf('Zweit'), 'previous');
    assert.deepEqual(said(), ['First', 'One', 'Second', 'Two']);
  });

  it('leaves a message as it was when editing is cancelled, and keeps what was typed at another', async () => {
    const { heard, host, idOf, page, said } = await twoTurns();
    const [first, second] = [idOf('First'), idOf('Second')];
    page.post({ type: 'editMessage', id: first });
    page.post({ type: 'editMessage', id: second });
    assert.deepEqual(
      (host.memory.edits as { id: string }[]).map(({ id }) => id),
      [second],
    );
    page.post({ type: 'changeDraft', text: 'Zweit', box: second });
    page.post({ type: 'editMessage', id: first });
    page.post({ type: 'cancelEdit', id: first });
    assert.equal(editIn(heard), undefined);
    page.post({ type: 'editMessage', id: second });
    assert.equal((editIn(heard) || undefined)?.text, 'Zweit');
    page.post({ type: 'cancelEdit', id: second });
    page.post({ type: 'changeDraft', text: 'too late', box: second });
    assert.deepEqual([editIn(heard), host.memory.edits, host.memory.draft], [undefined, undefined, '']);
    assert.deepEqual(said(), ['First', 'One', 'Second', 'Two']);
  });

  it('ends an edit that an earlier window began', async () => {
    const { chat, host: earlier, idOf, page: before } = await twoTurns();
    const id = idOf('Second');
    before.post({ type: 'editMessage', id });
    const { heard, host, page } = attachPanel(chat, undefined, undefined, earlier.memory);
    page.post({ type: 'ready' });
    assert.equal(lastState(heard).edit?.id, id);
    page.post({ type: 'cancelEdit', id });
    assert.deepEqual([editIn(heard), host.memory.edits], [undefined, undefined]);
  });

  it('keeps what was typed for a message while that is not shown', async () => {
    const { chat, heard, idOf, page } = await twoTurns('Three');
    const id = idOf('Second');
    const { id: chatId } = chat.shown.conversation;
    page.post({ type: 'editMessage', id });
    page.post({ type: 'changeDraft', text: 'Zweit', box: id });
    chat.shown.branches.deleteFrom(id);
    assert.equal(editIn(heard), undefined);
    chat.shown.branches.goTo(id);
    assert.equal((editIn(heard) || undefined)?.text, 'Zweit');
    await chat.startNewChat();
    assert.equal(editIn(heard), undefined);
    page.post({ type: 'sendMessage', text: 'Zweit', box: id });
    await chat.openChat(chatId);
    assert.equal((editIn(heard) || undefined)?.text, 'Zweit');
    assert.equal(chat.shown.conversation.all.length, 4);
  });

  it('takes the text of an attachment into the message being edited', async () => {
    const edited = attachmentParts();
    const { chat, page: _page, ...parts } = await twoTurns();
    const { heard, host, page } = attachPanel(chat, undefined, undefined, undefined, edited.controller());
    page.post({ type: 'ready' });
    const id = parts.idOf('First');
    page.post({ type: 'editMessage', id });
    page.post({ type: 'attachText', name: 'Pasted', text: 'x\ny', box: id });
    await eventually(() => assert.equal(edited.list.all(undefined).length, 1));
    page.post({ type: 'unpackAttachment', id: edited.list.all(undefined)[0]!.id, box: id });
    assert.deepEqual(
      heard.findLast(({ type }) => type === 'draftReplaced'),
      {
        ...{ type: 'draftReplaced', text: 'First\nx\ny', box: id },
      },
    );
    assert.deepEqual([host.memory.draft, edited.list.isEmpty], ['', true]);
  });

  it('holds an edited message as long as an answer comes', async () => {
    const { chat, heard, idOf, notices, page, said } = await twoTurns('Three');
    const id = idOf('First');
    page.post({ type: 'editMessage', id });
    const ended = chat.shown.submit('Third');
    page.post({ type: 'sendMessage', text: 'Erst', box: id });
    await eventually(() => assert.equal(notices.all.length, 1));
    assert.match(notices.all[0]!.text, /Wait until this answer finishes/);
    assert.deepEqual(
      heard.filter(({ type }) => type === 'messageHeld'),
      [{ type: 'messageHeld', box: id }],
    );
    await ended;
    assert.equal(said().length, 6);
    page.post({ type: 'ready' });
    assert.equal(lastState(heard).edit?.text, 'Erst');
  });

  it('asks about files before a message takes the place of another', async () => {
    const { called, chat, heard, idOf, page, restoring, said } = await twoTurns('Three');
    const edits = [{ path: 'a', realPath: '/a', afterHash: 'x' }];
    chat.sessions[0]!.record({ type: 'editsMade', id: 'e', edits });
    const id = idOf('Second');
    page.post({ type: 'editMessage', id });
    page.post({ type: 'sendMessage', text: 'Zweit', box: id });
    await eventually(() => assert.ok(heard.some(({ type }) => type === 'messageHeld')));
    assert.deepEqual(called, [`leave ${id}`]);
    assert.deepEqual(said(), ['First', 'One', 'Second', 'Two']);
    page.post({ type: 'deleteFrom', id });
    await eventually(() => assert.equal(called.length, 2));
    assert.equal(said().length, 4);
    restoring.leaves = true;
    page.post({ type: 'sendMessage', text: 'Zweit', box: id });
    await eventually(() => assert.deepEqual(said(), ['First', 'One', 'Zweit', 'Three']));
    // Changes that can still be undone stay in sight.
    assert.ok(chat.shown.conversation.all.some((item) => item.id === 'e'));
  });

  it('sends a message after an earlier answer, and keeps what followed it', async () => {
    const { chat, host, idOf, page, said, send, target } = await twoTurns('Three');
    page.post({ type: 'branchFrom', id: idOf('Two') });
    assert.equal(target(), undefined, 'it is the end already');
    page.post({ type: 'changeDraft', text: 'Instead' });
    page.post({ type: 'branchFrom', id: idOf('One') });
    assert.deepEqual(target(), { id: idOf('One') });
    assert.equal(host.memory.draft, 'Instead');
    await send('Instead');
    assert.deepEqual(said(), ['First', 'One', 'Instead', 'Three']);
    assert.equal(host.memory.draft, '');
    assert.deepEqual(chat.shown.conversation.versionOf(idOf('Instead')), { number: 2, count: 2 });
  });

  it('goes on where another window was: at a message being edited, and at an answer', async () => {
    const { chat, host, idOf, page, said } = await twoTurns('Three');
    const id = idOf('First');
    page.post({ type: 'changeDraft', text: 'half a thought' });
    page.post({ type: 'branchFrom', id: idOf('One') });
    page.post({ type: 'editMessage', id });
    page.post({ type: 'changeDraft', text: 'Erst', box: id });
    for (const broken of [{ id: 7 }, undefined]) {
      const saved = { ...host.memory, branchTarget: broken, edits: broken };
      const other = attachPanel(chat, undefined, undefined, saved);
      other.page.post({ type: 'ready' });
      assert.deepEqual(
        [lastState(other.heard).branchTarget, lastState(other.heard).edit],
        [undefined, undefined],
      );
    }
    const saved = JSON.parse(JSON.stringify(host.memory)) as PanelMemory;
    const again = attachPanel(chat, undefined, undefined, saved);
    again.page.post({ type: 'ready' });
    assert.deepEqual(lastState(again.heard).branchTarget, { id: idOf('One') });
    assert.equal(lastState(again.heard).edit?.text, 'Erst');
    again.page.post({ type: 'cancelBranch' });
    again.page.post({ type: 'cancelEdit', id });
    const { memory: left } = again.host;
    assert.deepEqual([left.draft, left.branchTarget, left.edits], ['half a thought', undefined, undefined]);
    assert.equal(said().length, 4);
  });

  it('puts back the draft that an earlier version set aside while a message was edited in the box', async () => {
    const { chat, idOf } = await twoTurns();
    const id = idOf('First');
    const setAside = { draft: 'half a thought', sources: [{ type: 'path', path: '/work/a.ts' }] };
    const branchTarget = { id, kind: 'edit', chatId: chat.shown.conversation.id, inPlaceOf: id, setAside };
    const { list, controller } = attachmentParts({ '/work/a.ts': 'a' });
    const { host } = attachPanel(chat, undefined, controller(), panelMemory({ draft: 'Erst', branchTarget }));
    assert.deepEqual([host.memory.draft, host.memory.branchTarget], ['Erst\nhalf a thought', undefined]);
    assert.equal(list.all(undefined).length, 1);
  });

  it('deletes from a message on, and undoes that from wherever the user is by then', async () => {
    const { chat, idOf, notices, page, said } = await twoTurns();
    page.post({ type: 'deleteFrom', id: idOf('Second') });
    await eventually(() => assert.equal(notices.all.length, 1));
    assert.deepEqual(said(), ['First', 'One']);
    const [notice] = notices.all;
    assert.deepEqual([notice?.text, notice?.actions], ['2 messages deleted.', ['Undo']]);
    await chat.startNewChat();
    page.post({ type: 'answerNotice', id: notice!.id, action: 'Undo' });
    await eventually(() => assert.deepEqual(said(), ['First', 'One', 'Second', 'Two']));
  });

  it('neither undoes a deletion nor edits a message while an answer runs', async () => {
    const { chat, heard, idOf, notices, page, said } = await twoTurns('Three');
    page.post({ type: 'deleteFrom', id: idOf('Second') });
    await eventually(() => assert.equal(notices.all.length, 1));
    const ended = chat.shown.submit('Third');
    page.post({ type: 'editMessage', id: idOf('First') });
    assert.ok(!editIn(heard));
    page.post({ type: 'answerNotice', id: notices.all[0]!.id, action: 'Undo' });
    await eventually(() => assert.match(notices.all.at(-1)?.text ?? '', /Wait until this answer finishes/));
    await ended;
    assert.deepEqual(said(), ['First', 'One', 'Third', 'Three']);
  });

  it('asks again with the model that the user picks, which stays chosen', async () => {
    const { called, chat, idOf, page, picking, requests, said } = await twoTurns('Three');
    page.post({ type: 'retryWithModel', id: idOf('One') });
    await eventually(() => assert.deepEqual(called, ['pickModel']));
    assert.equal(said().length, 4);
    picking.modelId = 'm2';
    page.post({ type: 'retryWithModel', id: idOf('One') });
    await eventually(() => assert.deepEqual(said(), ['First', 'Three']));
    assert.deepEqual([requests.at(-1)?.model, chat.shown.choices.model], ['m2', 'm2']);
    assert.deepEqual(chat.shown.conversation.versionOf(idOf('Three')), { number: 2, count: 2 });
  });

  it('offers what fits the workspace while the conversation is empty, and watches nothing else', async () => {
    const { attached, called, catalog, chat, heard, page, watching } = setUp(answer('One'));
    await catalog.load();
    assert.equal(watching.length, 0, 'no page');
    page.post({ type: 'ready' });
    page.post({ type: 'ready' });
    assert.equal(watching.length, 1);
    page.post({ type: 'useStarter', starter: 'reviewChanges' });
    assert.deepEqual(called, [], 'it was not offered');
    const told = () => heard.filter(({ type }) => type === 'startersChanged');
    for (const starters of [[], ['reviewChanges'], ['reviewChanges']] satisfies Starter[][])
      watching[0]!(starters);
    assert.deepEqual(told(), [{ type: 'startersChanged', starters: ['reviewChanges'] }]);
    page.post({ type: 'ready' });
    assert.deepEqual(lastState(heard).starters, ['reviewChanges']);
    page.post({ type: 'useStarter', starter: 'reviewChanges' });
    assert.deepEqual(called, ['reviewChanges']);
    const [stale] = watching;
    await chat.shown.submit('First');
    assert.equal(watching.length, 0);
    stale!(['explainProject']);
    page.post({ type: 'useStarter', starter: 'reviewChanges' });
    page.post({ type: 'ready' });
    assert.deepEqual([told().length, called.length, lastState(heard).starters], [1, 1, undefined]);
    chat.shown.branches.deleteFrom(chat.shown.conversation.all[0]!.id);
    assert.equal(watching.length, 1, 'empty again');
    await chat.startNewChat();
    assert.equal(watching.length, 1);
    attached.dispose();
    assert.equal(watching.length, 0);
    await chat.startNewChat();
    assert.equal(watching.length, 0);
  });

  it('refuses what is not of the protocol', () => {
    const { called, page, refused } = setUp();
    page.post({ type: 'runCommand', command: 'rm' } as unknown as ToHost);
    page.post({ type: 'openLink', href: 7 } as unknown as ToHost);
    assert.equal(refused.length, 2);
    assert.deepEqual(called, []);
  });

  it('leaves the details of a model to the editor', async () => {
    const { called, catalog, page } = setUp();
    await catalog.load();
    page.post({ type: 'ready' });
    page.post({ type: 'showModelDetails', modelId: 'm1' });
    assert.deepEqual(called, ['details m1']);
  });

  it('remembers favourites and picks', async () => {
    const { called, catalog, chat, heard, host, page } = setUp();
    await catalog.load();
    page.post({ type: 'ready' });
    page.post({ type: 'toggleFavourite', modelId: 'm1' });
    assert.deepEqual(host.memory.favourites, ['m1']);
    page.post({ type: 'toggleFavourite', modelId: 'm1' });
    assert.deepEqual(host.memory.favourites, []);
    page.post({ type: 'selectModel', modelId: 'unlisted' });
    assert.deepEqual(called, ['picked unlisted']);
    assert.equal(chat.shown.choices.model, 'unlisted');
    const last = heard.at(-1);
    assert.ok(last?.type === 'modelsChanged');
    assert.deepEqual(last.models.selected, { id: 'unlisted', name: 'unlisted' });
  });
});
