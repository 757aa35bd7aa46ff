import assert from 'node:assert/strict';
import type { AppEvent, FormField } from '../../../../src/apps/app.ts';
import { appModelId } from '../../../../src/apps/appModelId.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { RelayCatalog } from '../../../../src/chat/models/relayCatalog.ts';
import type { AssistantItem } from '../../../../src/webview/state/items.ts';
import { createState } from '../../../../src/webview/state/pageState.ts';
import { receive } from '../../../../src/webview/state/receive.ts';
import type { FieldEdit } from '../../../../src/shared/apps.ts';
import type { Picture } from '../../../../src/shared/attachments.ts';
import { attachmentParts } from '../../../support/attachmentParts.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { eventually } from '../../../support/eventually.ts';
import { appParts, fakeApps, guide, type Script } from '../../../support/fakeApps.ts';
import { panelParts, silentPanelHost } from '../../../support/panelParts.ts';

const boat: FormField = { variable: 'boat', label: 'Boat', type: 'text', isRequired: true, maxLength: 20 };
const chart: FormField = {
  ...{ variable: 'chart', label: 'Chart', type: 'file', isRequired: false },
  files: { types: ['image'], extensions: [], methods: ['local_file', 'remote_url'] },
};
const filled = (variable: string, edit: FieldEdit) => ({ type: 'fillField', variable, edit }) as const;
const typed = (variable: string, value: string) => filled(variable, { type: 'value', value });

function setUp(...scripts: Script[]) {
  const apps = fakeApps(...scripts);
  const { app } = apps;
  const chat = new ChatController(
    chatDependencies({ apps, conversationLinks: apps.links, defaultModel: () => appModelId('guide') }),
  );
  const { controller, host } = appParts(chat, apps);
  const called: string[] = [];
  const panelHost = silentPanelHost({
    connection: () => ({ state: 'none' }),
    openPlatform: (address) => called.push(`platform ${address}`),
    addApp: () => called.push('addApp'),
    changeAppKey: ({ name }) => called.push(`key of ${name}`),
  });
  const catalog = new RelayCatalog({ listModels: async () => undefined, merge: (listed) => listed });
  const { list, controller: attachments } = attachmentParts({
    '/work/tides.pdf': Uint8Array.from([37, 80, 68, 70, 0, 1]),
    '/work/setup.exe': Uint8Array.from([77, 90, 0, 1]),
  });
  const { attach, page, refused } = panelParts(chat, {
    ...{ catalog, host: panelHost, apps: controller },
    attachments: attachments(() => controller.target() ?? { name: 'A model' }),
  });
  const state = createState();
  const heard: string[] = [];
  const panelPictures: Picture[] = [];
  page.listen((message) => {
    heard.push(message.type);
    if (message.type === 'pictureLoaded') panelPictures.push(message.picture);
    receive(state, message);
  });
  attach();
  const ready = async () => {
    page.post({ type: 'ready' });
    await eventually(() => assert.notEqual(state.app.value?.state, 'loading'));
  };
  const lastAnswer = () =>
    state.items.peek().findLast((item): item is AssistantItem => item.type === 'assistant');
  return {
    app,
    apps,
    called,
    chat,
    heard,
    host,
    lastAnswer,
    list,
    page,
    panelHost,
    panelPictures,
    ready,
    refused,
    state,
  };
}

describe('apps in the panel', () => {
  it('are listed beside models, and one alone is enough', async () => {
    const { apps, ready, state } = setUp();
    await ready();
    assert.deepEqual(state.models.value.options, [{ id: 'app:guide', name: 'Guide', app: 'chatflow' }]);
    assert.deepEqual(state.models.value.selected, state.models.value.options[0]);
    apps.change([guide, { ...guide, id: 'other', name: 'Other' }]);
    assert.deepEqual(
      state.models.value.options.map(({ name }) => name),
      ['Guide', 'Other'],
    );
  });

  it('say how they begin, and no more once they have', async () => {
    const { apps, chat, page, ready, state } = setUp(['Hello.']);
    await ready();
    apps.change([{ ...guide, look: { icon: '🌊' }, description: 'Knows the harbour.' }]);
    const { look, description } = state.app.value ?? {};
    assert.deepEqual([look?.icon, description], ['🌊', 'Knows the harbour.']);
    const { opening, suggestedQuestions, isStarted, address } = state.app.value ?? {};
    assert.deepEqual(
      [opening, suggestedQuestions, isStarted, address],
      ['Welcome **aboard**.', ['When is high water?'], false, 'https://platform.example'],
    );
    page.post({ type: 'sendSuggestion', text: 'When is high water?' });
    await eventually(() => assert.equal(state.app.value?.isStarted, true));
    await chat.startNewChat();
    await eventually(() => assert.equal(state.app.value?.isStarted, false));
    chat.shown.choices.selectModel('a-model');
    assert.equal(state.app.value, undefined);
  });

  it('say why they cannot be described, and are tried again', async () => {
    const { app, page, ready, state } = setUp();
    app.failure = new SwitchboardError('app-unavailable', 'It is not set up.');
    await ready();
    assert.equal(state.app.value?.state, 'failed');
    assert.deepEqual(state.app.value.failure?.remedy.type, 'openPlatform');
    assert.equal(state.app.value.failure.second?.type, 'retry');
    app.failure = undefined;
    page.post({ type: 'reloadApp' });
    await eventually(() => assert.equal(state.app.value?.state, 'ready'));
  });

  it('keep what is filled in when other apps come and go, and ask again for what could not be loaded', async () => {
    const { app, apps, page, ready, state } = setUp();
    app.form = [boat];
    await ready();
    page.post(typed('boat', 'Dione'));
    apps.change([guide, { ...guide, id: 'other', name: 'Other' }]);
    assert.equal(state.app.value?.fields[0]?.value, 'Dione');

    const broken = setUp(['Hello.']);
    broken.app.form = [boat];
    broken.app.failure = new SwitchboardError('app-unavailable', 'It is not set up.');
    await broken.ready();
    broken.app.failure = undefined;
    broken.page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.ok(broken.heard.includes('messageHeld')));
    assert.equal(broken.state.app.value?.fields[0]?.problem, 'Required');
  });

  it('hold a message back until their form is filled in, and say what is wrong', async () => {
    const { app, apps, chat, page, ready, state, heard, panelHost } = setUp(['Hello.']);
    app.form = [boat];
    panelHost.memory.draft = 'Plan';
    await ready();
    page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.ok(heard.includes('messageHeld')));
    assert.equal(state.app.value?.fields[0]?.problem, 'Required');
    assert.deepEqual([chat.shown.conversation.all, panelHost.memory.draft], [[], 'Plan']);
    page.post(typed('boat', 'Dione'));
    assert.equal(state.app.value.fields[0].problem, undefined);
    page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.equal(app.asked.length, 1));
    assert.deepEqual(app.asked[0]?.answers, { boat: 'Dione' });
    assert.deepEqual(apps.remembered, [{ boat: 'Dione' }]);
    assert.equal(panelHost.memory.draft, '');
    const [inputs] = state.items.value;
    assert.ok(inputs?.type === 'notice');
    assert.deepEqual([inputs.text, inputs.detail], ['Inputs: Dione', 'Boat: Dione']);
  });

  it('let the form of any conversation be edited once it began, if it has one', async () => {
    const { app, page, lastAnswer, ready, state } = setUp(['Hello.'], ['Again.']);
    app.form = [boat];
    await ready();
    const { ask } = app;
    app.ask = (question, signal) => {
      if (question.answers) question.keepInputs({ ...question.answers });
      return ask(question, signal);
    };
    assert.equal(state.app.value?.canEditInputs, undefined, 'the form is there');
    page.post(typed('boat', 'Dione'));
    page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.equal(lastAnswer()?.end.value?.failure, undefined));
    await eventually(() => assert.equal(state.app.value?.canEditInputs, true));
    page.post({ type: 'editInputs' });
    await eventually(() => assert.equal(state.app.value?.fields[0]?.value, 'Dione'));
    assert.deepEqual([state.app.value?.editsInputs, state.app.value?.canEditInputs], [true, undefined]);
    page.post(typed('boat', 'Ada'));
    page.post({ type: 'sendMessage', text: 'And now?' });
    await eventually(() => assert.equal(app.asked.length, 2));
    assert.deepEqual(app.asked[1]?.answers, { boat: 'Ada' });
  });

  it('keep what is typed into a form while it is loaded again', async () => {
    const { app, page, ready, state } = setUp(['Hello.']);
    app.form = [boat];
    await ready();
    page.post({ type: 'editInputs' });
    page.post(typed('boat', 'Dione'));
    await eventually(() => assert.equal(state.app.value?.fields[0]?.value, 'Dione'));
    page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.deepEqual(app.asked[0]?.answers, { boat: 'Dione' }));
  });

  it('let a form be corrected that the platform refused, for the message and all after it', async () => {
    const refused = new SwitchboardError('inputs', 'Refused.');
    const { app, chat, page, lastAnswer, ready, state } = setUp([refused], ['Hello.'], ['Again.']);
    app.form = [boat];
    await ready();
    const { ask } = app;
    app.ask = (question, signal) => {
      if (question.answers) question.keepInputs({ ...question.answers });
      return ask(question, signal);
    };
    page.post(typed('boat', 'Dione'));
    page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.ok(lastAnswer()?.end.value));
    const { remedy } = lastAnswer()?.end.value?.failure ?? {};
    assert.deepEqual([remedy?.type, remedy?.label], ['editInputs', 'Edit Inputs']);
    assert.equal(state.app.value?.isStarted, true);

    app.form = [{ ...boat, maxLength: 3 }];
    const id = lastAnswer()?.id ?? '';
    page.post({ type: 'applyRemedy', remedy: 'editInputs', id });
    await eventually(() => assert.equal(state.app.value?.fields[0]?.value, 'Dione'));
    assert.deepEqual([state.app.value?.isStarted, state.app.value?.editsInputs], [false, true]);
    page.post({ type: 'cancelInputs' });
    await eventually(() =>
      assert.deepEqual([state.app.value?.isStarted, state.app.value?.editsInputs], [true, undefined]),
    );

    page.post({ type: 'applyRemedy', remedy: 'editInputs', id });
    await eventually(() => assert.equal(state.app.value?.fields[0]?.value, 'Dione'));
    page.post({ type: 'retryTurn', id });
    await eventually(() => assert.match(state.app.value?.fields[0]?.problem ?? '', /^Maximum 3/));
    page.post(typed('boat', 'Ada'));
    page.post({ type: 'retryTurn', id });
    await eventually(() => assert.equal(app.asked.length, 2));
    await eventually(() => assert.equal(state.app.value?.isStarted, true));
    assert.deepEqual(app.asked[1]?.answers, { boat: 'Ada' });
    await eventually(() => assert.equal(chat.shown.isRunning, false));
    const notices = state.items.value.filter(({ type }) => type === 'notice');
    assert.deepEqual(
      notices.map((notice) => notice.type === 'notice' && notice.detail),
      ['Boat: Ada'],
    );
    await chat.shown.submit('More');
    assert.deepEqual([app.asked[2]?.answers, app.asked[2]?.inputs], [undefined, { boat: 'Ada' }]);
  });

  it('greet with what is filled in, as it is typed', async () => {
    const { app, heard, page, ready, state } = setUp(['Hello.']);
    app.form = [boat, { ...boat, variable: 'port' }];
    app.opening = 'Welcome aboard {{boat}}.';
    await ready();
    assert.equal(state.app.value?.opening, 'Welcome aboard ….');
    page.post(typed('boat', 'Dione'));
    assert.equal(state.app.value.opening, 'Welcome aboard Dione.');
    const before = heard.length;
    page.post(typed('port', 'X'));
    assert.equal(heard.length, before, 'The page keeps what is typed: nothing is said of it.');
  });

  it('show no hidden field, neither before the first message nor in it, but send it', async () => {
    const { app, page, ready, state } = setUp(['Hello.']);
    const season: FormField = {
      ...{ variable: 'season', label: 'Season', type: 'text', isRequired: true },
      ...{ default: 'summer', isHidden: true },
    };
    app.form = [{ ...boat, hint: 'Her name', placeholder: 'Dione' }, season];
    await ready();
    const shown = state.app.value?.fields.map(({ variable, hint, placeholder }) => [
      variable,
      hint,
      placeholder,
    ]);
    assert.deepEqual(shown, [['boat', 'Her name', 'Dione']]);
    page.post(typed('boat', 'Ada'));
    page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.equal(app.asked.length, 1));
    assert.deepEqual(app.asked[0]?.answers, { boat: 'Ada', season: 'summer' });
    const [inputs] = state.items.value;
    assert.ok(inputs?.type === 'notice');
    assert.equal(inputs.detail, 'Boat: Ada');
  });

  it('take files in their form: chosen, named by address, taken out again', async () => {
    const { app, host, page, ready, state } = setUp();
    app.form = [chart];
    await ready();
    const chosen = () =>
      state.app.value?.fields[0]?.files?.chosen.map(({ label, detail }) => [label, detail]);
    host.files = [{ method: 'local_file', realPath: '/work/a.png', name: 'a.png', size: 1200 }];
    page.post(filled('chart', { type: 'chooseFiles' }));
    await eventually(() => assert.deepEqual(chosen(), [['a.png', '1.2 KB']]));
    page.post(filled('chart', { type: 'address', address: ' https://p.example/b.png ' }));
    assert.deepEqual(chosen(), [['https://p.example/b.png', undefined]]);
    page.post(filled('chart', { type: 'removeFile', fileId: 'f0' }));
    assert.deepEqual(chosen(), []);
    page.post(filled('nothing', { type: 'chooseFiles' }));
  });

  it('take several files one after the other where a field is a list', async () => {
    const { app, host, page, ready, state } = setUp();
    app.form = [{ ...chart, type: 'file-list' }];
    await ready();
    const chosen = () => state.app.value?.fields[0]?.files?.chosen.map(({ label }) => label);
    for (const name of ['a.png', 'b.png']) {
      const before = chosen()?.length ?? 0;
      host.files = [{ method: 'local_file', realPath: `/work/${name}`, name, size: 1200 }];
      page.post(filled('chart', { type: 'chooseFiles' }));
      await eventually(() => assert.equal(chosen()?.length, before + 1));
    }
    assert.deepEqual(chosen(), ['a.png', 'b.png']);
  });

  it('begin each conversation with a form of its own', async () => {
    const { app, chat, page, ready, state } = setUp();
    app.form = [boat];
    await ready();
    page.post(typed('boat', 'Dione'));
    await chat.startNewChat();
    await eventually(() => assert.equal(state.app.value?.state, 'ready'));
    page.post({ type: 'ready' });
    assert.deepEqual(
      state.app.value?.fields.map(({ value }) => value),
      [undefined],
    );
  });

  it('ask again with the form as it is now where no conversation began', async () => {
    const { app, chat, page, ready, lastAnswer } = setUp();
    app.form = [boat];
    const { ask } = app;
    // eslint-disable-next-line require-yield -- it fails before it says anything
    app.ask = async function* broken(question): AsyncGenerator<AppEvent> {
      app.asked.push(question);
      throw new SwitchboardError('key', 'No key.');
    };
    await ready();
    page.post(typed('boat', 'Dione'));
    page.post({ type: 'sendMessage', text: 'Plan' });
    await eventually(() => assert.ok(lastAnswer()?.end.value));
    assert.equal(lastAnswer()?.end.value?.failure?.remedy.type, 'changeAppKey');
    app.ask = ask;
    page.post(typed('boat', 'Ada'));
    page.post({ type: 'retryTurn', id: lastAnswer()?.id ?? '' });
    await eventually(() => assert.equal(app.asked.length, 2));
    assert.deepEqual(app.asked[1]?.answers, { boat: 'Ada' });
    assert.equal(chat.shown.conversation.withApp('guide'), 'c1');
  });

  it('show steps, files, sources and ratings of an answer as they come, and after a reload', async () => {
    const { app, chat, host, lastAnswer, page, ready, refused, state } = setUp([
      { type: 'stepChanged', step: { id: 's', title: 'Search', kind: 'llm', status: 'running' } },
      'Twice a day.',
      { type: 'fileAdded', file: { name: 'a.png', address: 'https://p.example/a.png' } },
      {
        type: 'sourcesFound',
        sources: [{ datasetName: 'Handbook', documentName: 'tides.md', content: 'Twice a day.' }],
      },
    ]);
    await ready();
    await chat.shown.submit('When?');
    const shown = () => {
      const item = lastAnswer();
      return {
        steps: item?.steps.value,
        app: item?.app.value,
        sources: item?.end.value?.sources,
        name: item?.model,
      };
    };
    const expected = {
      steps: [{ id: 's', title: 'Search', kind: 'llm', status: 'running' }],
      app: {
        files: [{ name: 'a.png', address: 'https://p.example/a.png' }],
        questions: [],
        canRate: true,
      },
      sources: [{ n: 1, document: 'tides.md', base: 'Handbook', content: 'Twice a day.', isUsed: true }],
      name: 'Guide',
    };
    assert.deepEqual(shown(), expected);
    page.post({ type: 'ready' });
    assert.deepEqual(shown(), expected);
    const answerId = lastAnswer()?.id ?? '';
    page.post({ type: 'rateAnswer', id: answerId, rating: 'like' });
    await eventually(() => assert.equal(lastAnswer()?.app.value?.rating, 'like'));
    page.post({ type: 'saveAnnotation', id: answerId });
    await eventually(() => assert.equal(lastAnswer()?.app.value?.annotation, 'saved'));
    assert.deepEqual(host.annotations, [['Guide', true]]);
    app.failure = new SwitchboardError('offline', 'You are offline.');
    page.post({ type: 'rateAnswer', id: answerId });
    await eventually(() => assert.equal(host.errors.length, 1));
    assert.equal(lastAnswer()?.app.value?.rating, 'like');
    assert.deepEqual(refused, []);
    assert.equal(state.status.value.type, 'idle');
  });

  it('lead to their own platform', async () => {
    const { called, page, ready } = setUp();
    await ready();
    page.post({ type: 'applyRemedy', remedy: 'openPlatform' });
    page.post({ type: 'applyRemedy', remedy: 'addApp' });
    page.post({ type: 'applyRemedy', remedy: 'changeAppKey' });
    assert.deepEqual(called, ['platform https://platform.example', 'addApp', 'key of Guide']);
  });

  it('are still told apart when they were removed', async () => {
    const { apps, chat, lastAnswer, page, ready } = setUp(['Hello.']);
    await ready();
    await chat.shown.submit('Hello');
    apps.change([]);
    page.post({ type: 'ready' });
    assert.equal(lastAnswer()?.model, 'An app that was removed');
  });

  it('get files that are no text, and refuse those they do not accept', async () => {
    const { app, chat, list, page, ready, state } = setUp(['Hello.']);
    await ready();
    await list.add([
      { type: 'path', path: 'tides.pdf' },
      { type: 'path', path: 'setup.exe' },
    ]);
    const chips = () => state.attachments.value.map(({ label, detail, problem }) => [label, detail, problem]);
    assert.deepEqual(chips(), [
      ['tides.pdf', 'as a file', undefined],
      ['setup.exe', undefined, 'The app doesn\'t accept "setup.exe" here. Accepted: documents, images.'],
    ]);
    chat.shown.choices.selectModel('a-model');
    assert.match(chips()[0]?.[2] ?? '', /Not a text file/);
    chat.shown.choices.selectModel(appModelId('guide'));
    // Unlike a model, the app takes a file that isn't text, even before it is read.
    list.clear();
    void list.add([{ type: 'path', path: 'tides.pdf' }]);
    page.post({ type: 'sendMessage', text: 'Look' });
    await eventually(() => assert.equal(app.asked.length, 1));
    assert.deepEqual(
      app.asked[0]?.files.map(({ name, realPath }) => [name, realPath]),
      [['tides.pdf', '/work/tides.pdf']],
    );
  });

  it('has the form of a run that waits filled in, and goes on with its answer', async () => {
    const waits: AppEvent = { type: 'paused', reasons: ['Approval'], forms: [{ token: 't', title: '' }] };
    const { app, chat, host, lastAnswer, page, ready, state } = setUp(['Asked. ', waits], ['Granted.']);
    await ready();
    await chat.shown.submit('May I?');
    const awaits = () => lastAnswer()?.app.value?.awaits;
    await eventually(() => assert.deepEqual(awaits(), { titles: ['Approval'], place: 'here' }));
    const id = lastAnswer()?.id ?? '';

    page.post({ type: 'provideInput', id });
    host.formOutcome = new SwitchboardError('offline', 'You are offline.');
    page.post({ type: 'provideInput', id });
    await eventually(() => assert.equal(host.errors.length, 1));
    assert.deepEqual([app.followed.length, awaits()?.place], [0, 'here']);

    // Submitted while another conversation is shown: its own learns the outcome when shown again.
    host.formOutcome = 'submitted';
    const { id: chatId } = chat.shown.conversation;
    page.post({ type: 'provideInput', id });
    await chat.startNewChat();
    await eventually(() => assert.equal(state.items.value.length, 0));
    await chat.openChat(chatId);
    await eventually(() => assert.equal(awaits()?.place, 'submitted'));
    page.post({ type: 'provideInput', id });
    await eventually(() => assert.equal(lastAnswer()?.text.value, 'Asked. Granted.'));
    assert.equal(awaits(), undefined);
    assert.equal(host.errors.length, 1);
  });

  it('says that a form that is refused is to be filled in elsewhere, if anywhere', async () => {
    const waits: AppEvent = { type: 'paused', reasons: ['Approval'], forms: [{ token: 't', title: '' }] };
    const { chat, host, lastAnswer, page, ready } = setUp([waits], [waits], ['Granted.']);
    await ready();
    await chat.shown.submit('May I?');
    const awaits = () => lastAnswer()?.app.value?.awaits;
    await eventually(() => assert.equal(awaits()?.place, 'here'));
    const id = lastAnswer()?.id ?? '';
    host.formOutcome = 'refused';
    page.post({ type: 'provideInput', id });
    await eventually(() => assert.equal(awaits()?.place, 'platform'));
    // Somebody else may have filled it in.
    page.post({ type: 'provideInput', id });
    await eventually(() => assert.equal(lastAnswer()?.text.value, 'Granted.'));
    assert.equal(awaits(), undefined);
  });

  it('stops waiting for what the user will not give', async () => {
    const { chat, lastAnswer, page, ready } = setUp([{ type: 'paused', reasons: [] }]);
    await ready();
    await chat.shown.submit('May I?');
    await eventually(() => assert.equal(lastAnswer()?.app.value?.awaits?.place, 'platform'));
    page.post({ type: 'stopWaiting', id: lastAnswer()?.id ?? '' });
    await eventually(() => assert.equal(lastAnswer()?.app.value?.awaits, undefined));
  });

  it('have their picture read when the page asks for the one that it was shown', async () => {
    const { apps, chat, heard, page, panelPictures, ready, state } = setUp();
    const file = `${'a'.repeat(32)}.png`;
    apps.change([{ ...guide, look: { picture: { id: 'p', file } } }]);
    apps.readPicture = async ({ look }) => (look?.picture?.file === file ? Buffer.from('PNG') : undefined);
    await ready();
    assert.equal(chat.shown.choices.model, appModelId('guide'));
    assert.deepEqual(state.app.value?.look, { picture: file });
    page.post({ type: 'loadAppPicture', file: '../../secrets' });
    page.post({ type: 'loadAppPicture', file });
    await eventually(() => assert.ok(heard.includes('pictureLoaded')));
    assert.deepEqual(panelPictures, [{ id: file, base64: Buffer.from('PNG').toString('base64') }]);
  });
});
