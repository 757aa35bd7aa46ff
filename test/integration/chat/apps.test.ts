import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { AppInfo } from '../../../src/apps/app.ts';
import { checkAnswers } from '../../../src/apps/appForm.ts';
import { appModelId } from '../../../src/apps/appModelId.ts';
import type { AppService, AppServiceDependencies } from '../../../src/apps/appService.ts';
import type { AppClient } from '../../../src/apps/client/appClient.ts';
import type { LocalFiles } from '../../../src/apps/fileReferences.ts';
import type { ConversationLinks } from '../../../src/chat/chatDependencies.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import { text } from '../../servers/platform/apps/appStep.ts';
import { type AppName, sandboxApps } from '../../servers/platform/apps/sandboxApps.ts';
import type { ScriptedApp } from '../../servers/platform/apps/scriptedApp.ts';
import type { PlatformOptions } from '../../servers/platform/platformOptions.ts';
import { startPlatform } from '../../servers/platform/platformServer.ts';
import { appUnderTest, hearAnswer } from '../../support/appUnderTest.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { eventually } from '../../support/eventually.ts';
import { limitFor } from '../../support/faultEndings.ts';
import { settle } from '../../support/memoryKnowledge.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { createAppService } from '../../support/appServiceParts.ts';

const never = new AbortController().signal;

interface Body {
  response_mode?: string;
  query?: string;
  conversation_id?: string;
  inputs?: Record<string, unknown>;
  files?: unknown[];
}

describe('chat with apps, against the sandbox', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  async function start(
    name: AppName | ScriptedApp,
    options: PlatformOptions = {},
    more: Partial<Parameters<typeof appUnderTest>[0]> = {},
    streams = true,
  ) {
    const server = await startPlatform(options);
    toClean.push(() => server.stop());
    const tested = appUnderTest({
      baseUrl: server.url,
      key: typeof name === 'string' ? server.apps[name].key : name.key,
      ...more,
    });
    toClean.push(() => tested.http.dispose());
    const info = await tested.client.info(new AbortController().signal);
    const chats = new Map<string, string>();
    const files = { '/work/notes.md': '# Notes\n\nMind the tide.' };
    const store = new MemoryChatStore();
    let ids = 0;
    const open = async () => {
      const apps = await serviceWith(tested.client, server.url, info, {
        files: async () => filesOf(files),
        streams: () => streams,
      });
      const [app] = apps.apps;
      assert.ok(app);
      const model = scriptedModel([
        { type: 'requestSent' },
        { type: 'textAdded', text: 'From a model.' },
        { type: 'modelFinished', reason: 'stop' },
      ]);
      const chat = new ChatController(
        chatDependencies({
          ...{ apps, store, streamModel: model.streamModel, defaultModel: () => appModelId(app.id) },
          conversationLinks: linksIn(chats),
          newId: () => `id${++ids}`,
        }),
      );
      return {
        app,
        apps,
        chat,
        chats,
        client: tested.client,
        requests: model.requests,
        store,
      };
    };
    const bodies = () =>
      server.requests.flatMap(({ path, json }) => (path.endsWith('/chat-messages') ? [json as Body] : []));
    return { ...(await open()), bodies, open, server };
  }

  const answerIn = (chat: ChatController) => {
    const item = chat.shown.conversation.all.findLast(({ type }) => type === 'answer');
    assert.ok(item?.type === 'answer');
    return item;
  };
  const kindsIn = (chat: ChatController) =>
    chat.shown.conversation.all.map((item) => (item.type === 'notice' ? item.kind : item.type));

  const filled = {
    answers: { name: 'Ann', count: '3', tone: 'friendly', strict: true },
    shown: [{ label: 'Your name', value: 'Ann' }],
  };

  it('goes on in one conversation of the platform, and suggests how', async () => {
    const { bodies, chat } = await start('chat');
    assert.equal((await chat.shown.submit('Ahoy'))?.reason, 'answered');
    assert.match(answerIn(chat).text, /> Ahoy/);
    await eventually(() => assert.equal(answerIn(chat).app?.questions.length, 3));
    await chat.shown.submit('What did I say before?');
    assert.match(answerIn(chat).text, /1\. Ahoy/);
    const [first, second] = bodies();
    assert.equal(first?.conversation_id, undefined);
    assert.ok(second?.conversation_id);
    assert.equal(
      second.conversation_id,
      chat.shown.conversation.withApp(chat.shown.choices.model?.slice(4) ?? ''),
    );
    assert.deepEqual(kindsIn(chat), ['user', 'answer', 'user', 'answer']);
  });

  it('gets the whole answer at once where that is wanted, in a conversation that goes on', async () => {
    const { bodies, chat } = await start('chat', {}, {}, false);
    await chat.shown.submit('Ahoy');
    assert.match(answerIn(chat).text, /> Ahoy/);
    await chat.shown.submit('What did I say before?');
    assert.match(answerIn(chat).text, /1\. Ahoy/);
    assert.ok(bodies().every(({ response_mode: mode }) => mode === 'sync' || mode === 'blocking'));
  });

  it('streams from an agent all the same, which can do nothing else', async () => {
    const { bodies, chat } = await start('agent', {}, {}, false);
    assert.equal((await chat.shown.submit('When does the lock open?'))?.reason, 'answered');
    assert.equal(bodies().at(-1)?.response_mode, 'streaming');
  });

  it('goes on after the window was closed', async () => {
    const { chat, open } = await start('chat');
    await chat.shown.submit('Ahoy');
    const again = (await open()).chat;
    await again.openChat(chat.shown.conversation.id);
    assert.deepEqual(again.shown.conversation.all, chat.shown.conversation.all);
  });

  it('sends files with the message, and everything else as text', async () => {
    const { bodies, chat } = await start('chat');
    await chat.shown.submit('Look', {
      attachments: [
        { kind: 'file', label: 'notes.md', upload: { realPath: '/work/notes.md', bytes: 24 } },
        { kind: 'selection', label: 'a.ts', path: 'a.ts', text: 'let tide = 1;' },
      ],
    });
    assert.match(answerIn(chat).text, /Mind the tide/);
    assert.match(bodies()[0]?.query ?? '', /<attachment-\w+ kind="selection" path="a\.ts">\nlet tide = 1;/);
    assert.doesNotMatch(bodies()[0]?.query ?? '', /notes\.md/);
    assert.equal(bodies()[0]?.files?.length, 1);
  });

  it('gives an agent a tool group and an answer after it', async () => {
    const { chat } = await start('agent');
    await chat.shown.submit('When does the lock open?');
    assert.deepEqual(kindsIn(chat), ['user', 'answer', 'tool', 'answer']);
    const tool = chat.shown.conversation.all[2];
    assert.ok(tool?.type === 'tool');
    assert.equal(tool.name, 'Tide table');
    assert.deepEqual(tool.input, { question: 'When does the lock open?' });
    assert.match(tool.outcome?.content ?? '', /two hours before/);
    const answer = answerIn(chat);
    assert.match(answer.text, /The table says:/);
    assert.ok(answer.app?.messageId);
    assert.deepEqual(
      chat.shown.conversation.sourcesOf(answer.id).found.map(({ n, documentName }) => [n, documentName]),
      [[1, 'docs/harbour-rules.md']],
    );
  });

  for (const version of ['1.14.2', '1.13.0']) {
    it(`shows the steps of a chatflow, its sources and files: ${version}`, async () => {
      const { chat } = await start('chatflow', { version });
      await chat.shown.submit('When does the lock open? With a chart.');
      const { app, text: said, reasoning, end } = answerIn(chat);
      assert.equal(end?.reason, 'answered');
      assert.match(said, /^\*\*Guide\*\*/);
      assert.match(reasoning, /passages/);
      assert.ok(app);
      assert.ok(app.steps.every(({ status }) => status === 'succeeded'));
      const titles = app.steps.map(({ title }) => title);
      assert.deepEqual(titles.slice(0, 2), ['Start', 'Ask the tide gauge']);
      assert.equal(app.steps[1]?.retries, 1);
      assert.equal(new Set(app.steps.map(({ id }) => id)).size, app.steps.length);
      assert.equal(app.sources[0]?.documentName, 'docs/harbour-rules.md');
      assert.equal(app.files[0]?.name, 'tides.png');
      assert.match(app.files[0]?.address ?? '', /^http:\/\/127\.0\.0\.1/);
    });
  }

  it('takes an answer back when the app does', async () => {
    const { chat } = await start('chatflow');
    await chat.shown.submit('replace');
    assert.equal(answerIn(chat).text, 'This answer was taken back by the moderation of the app.');
  });

  it('says which step failed', async () => {
    const { chat } = await start('chatflowFails');
    const end = await chat.shown.submit('x');
    assert.equal(end?.reason, 'failed');
    const { app, text: said } = answerIn(chat);
    assert.equal(said, 'Let me see. ');
    assert.deepEqual(
      app?.steps.map(({ status }) => status),
      ['succeeded', 'failed'],
    );
    assert.match(app?.steps[1]?.error ?? '', /cannot be reached/);
  });

  describe('whose run waits for human input', () => {
    const title = 'Approval by the harbour master';
    const asked = 'I have asked the harbour master. ';

    async function submit(client: AppClient, runId: string | undefined): Promise<void> {
      const { events } = await hearAnswer(client.followRun(runId ?? '', never, 'chat'));
      const [form] = events.flatMap((event) => (event.type === 'paused' ? (event.forms ?? []) : []));
      assert.ok(form);
      const inputs = { comment: 'Pier 4.', urgency: 'today' };
      await client.submitHumanInput(form.token, { action: 'approve', inputs }, never);
    }

    async function startWaiting(version = '1.16.1') {
      const started = await start('chatflowPauses', { version });
      const { chat, client } = started;
      assert.equal((await chat.shown.submit('Is there a berth?'))?.reason, 'answered');
      const { id, app } = answerIn(chat);
      return {
        ...started,
        id,
        chatId: chat.shown.conversation.id,
        provide: () => submit(client, app?.awaits?.runId),
      };
    }

    it('says for what, and goes on in the same answer once it has that', async () => {
      const { chat, id, chatId, provide, server } = await startWaiting();
      assert.equal(answerIn(chat).text, asked);
      assert.deepEqual(answerIn(chat).app?.awaits?.titles, [title]);
      assert.equal(answerIn(chat).app?.awaits?.place, 'here');
      const hold = server.apps.hold('chatflowPauses', 1);
      await provide();
      await hold.reached;
      const texts: string[] = [];
      chat.onDidChange((change) => change.type === 'textAdded' && texts.push(change.text));
      const followed = chat.find(chatId)?.followRun(id);
      await eventually(() => assert.ok(server.requests.some(({ path }) => path.endsWith('/events'))));
      hold.release();
      assert.equal((await followed)?.reason, 'answered');
      assert.equal(answerIn(chat).id, id);
      assert.equal(answerIn(chat).text, `${asked}The answer is "approve": Pier 4.`);
      assert.equal(answerIn(chat).app?.awaits, undefined);
      assert.notDeepEqual(texts, []);
      assert.deepEqual(kindsIn(chat), ['user', 'answer']);
      assert.deepEqual(
        answerIn(chat).app?.steps.map((step) => step.title),
        ['Start', title, 'Answer'],
      );
      assert.deepEqual(server.apps.stops, []);
    });

    it('has the rest of a run that ended while nobody listened, also after the window was closed', async () => {
      const { chat, client, id, chatId, open, provide } = await startWaiting();
      const { runId = '' } = answerIn(chat).app?.awaits ?? {};
      chat.dispose();
      await provide();
      await eventually(async () =>
        assert.equal((await client.workflowRun(runId, never)).status, 'succeeded'),
      );
      const { chat: later } = await open();
      await later.openChat(chatId);
      assert.equal(answerIn(later).app?.awaits?.place, 'here');
      assert.equal((await later.find(chatId)?.followRun(id))?.reason, 'answered');
      assert.equal(answerIn(later).text, `${asked}The answer is "approve": Pier 4.`);
      assert.equal(answerIn(later).app?.awaits, undefined);
    });

    it('goes on to wait, and to be answered, beside whatever else is said', async () => {
      const { chat, id, chatId, provide } = await startWaiting();
      await chat.find(chatId)?.followRun(id);
      assert.deepEqual(answerIn(chat).app?.awaits?.titles, [title]);
      assert.equal(answerIn(chat).text, asked);
      await chat.shown.submit('And for two?');
      await provide();
      await chat.find(chatId)?.followRun(id);
      assert.match(chat.shown.conversation.answerOf(id)?.text ?? '', /Pier 4\.$/);
      assert.equal(answerIn(chat).text, asked);
      assert.equal(answerIn(chat).app?.awaits?.place, 'here');
    });

    it('can be left alone', async () => {
      const { chat, id, chatId, server } = await startWaiting();
      chat.shown.stopWaiting(id);
      assert.equal(answerIn(chat).app?.awaits, undefined);
      assert.equal(chat.find(chatId)?.followRun(id), undefined);
      assert.deepEqual(server.apps.stops, []);
    });

    it('tells nothing of a form that an older platform keeps to itself', async () => {
      const { chat, id, chatId } = await startWaiting('1.14.2');
      assert.equal(answerIn(chat).app?.awaits?.place, 'platform');
      await chat.find(chatId)?.followRun(id);
      assert.equal(answerIn(chat).app?.awaits?.place, 'platform');
    });

    it('can be asked for again when that failed', async () => {
      const { chat, id, chatId, server } = await startWaiting();
      await server.stop();
      assert.equal((await chat.find(chatId)?.followRun(id))?.reason, 'failed');
      assert.equal(answerIn(chat).text, asked);
      assert.equal(answerIn(chat).app?.awaits?.place, 'here');
    });

    it('is told when its form has expired or was submitted', async () => {
      const { client, server } = await start('chatflowPauses', { version: '1.16.1' });
      const { events } = await hearAnswer(client.chat({ query: 'x', inputs: {}, stream: true }, never));
      const [form] = events.flatMap((event) => (event.type === 'paused' ? (event.forms ?? []) : []));
      const token = form?.token ?? '';
      await assert.rejects(client.submitHumanInput(token, { action: 'sink', inputs: {} }, never), /rejected/);
      server.apps.expireForms();
      await assert.rejects(client.humanInputForm(token, never), /expired/);
    });
  });

  it('tells of apps that come and go when they are there or gone', async () => {
    const { app, apps } = await start('chat');
    // The saved key of the new app is told of once more.
    await settle();
    const heard: string[][] = [];
    apps.onDidChange(() => heard.push(apps.apps.map(({ name }) => name)));
    await apps.rename(app.id, 'Tides');
    assert.deepEqual(heard, [['Tides']]);
    await apps.remove(app);
    await settle();
    assert.deepEqual(heard.slice(0, 2), [['Tides'], []]);
    // Its removed key is told of, too.
    assert.ok(heard.slice(2).every((names) => names.length === 0));
    await assert.rejects((await apps.open('gone')).parameters(new AbortController().signal), /removed/);
  });

  it('stops the run on the platform and keeps what had come', async () => {
    const { chat, server } = await start('chat');
    server.apps.hold('chat', 3);
    const said = new Promise<void>((resolve) => {
      chat.onDidChange((change) => change.type === 'textAdded' && resolve());
    });
    const ended = chat.shown.submit('Ahoy');
    await said;
    await chat.shown.stop();
    assert.equal((await ended)?.reason, 'stopped');
    assert.notEqual(answerIn(chat).text, '');
    assert.deepEqual(
      server.apps.stops.map(({ hit }) => hit),
      [true],
    );
  });

  it('says what is wrong with an app that does not answer', async () => {
    for (const [name, code] of [
      ['unavailable', 'app-unavailable'],
      ['silent', 'timeout-first-token'],
      ['silentAmid', 'timeout-idle'],
      ['cut', 'truncated'],
    ] as const) {
      const { chat } = await start(name, {}, { timeouts: limitFor(code) });
      const end = await chat.shown.submit('Ahoy');
      assert.deepEqual([end?.reason, end?.failure?.code], ['failed', code], name);
    }
  });

  describe('where the platform sends keep-alives alone', () => {
    const hasty = { stall: { checkMs: 60, startMs: 400, graceMs: 20 } };
    const pings = { pingMs: 10 };

    it('says at once that the conversation was deleted there', async () => {
      const { app, chat, client } = await start('formFlow', pings, hasty);
      await chat.shown.submit('One', { inputs: filled });
      const id = chat.shown.conversation.withApp(app.id) ?? '';
      await client.deleteConversation(id, new AbortController().signal);
      const end = await chat.shown.submit('Two');
      assert.equal(end?.failure?.code, 'conversation-over');
      assert.match(end.failure.message, /no longer has this conversation.*Start a new one/);
    });

    it('says which field the form has had since this window read it, and reads it again from then on', async () => {
      const { chat, server, apps, app } = await start('formFlow', pings, hasty);
      await chat.shown.submit('One', { inputs: filled });
      const { form = [] }: ScriptedApp = sandboxApps.formFlow;
      const grown = [...form, { kind: 'text-input', variable: 'port', label: 'Home port', required: true }];
      Object.assign(sandboxApps.formFlow, { form: grown });
      try {
        const end = await chat.shown.submit('Two');
        assert.equal(end?.failure?.code, 'inputs');
        assert.match(end.failure.message, /now requires "Home port"/);
        const { form: asked } = await (await apps.open(app.id)).parameters(new AbortController().signal);
        assert.equal(asked.at(-1)?.variable, 'port');
      } finally {
        Object.assign(sandboxApps.formFlow, { form });
      }
      assert.equal(server.apps.running, 0);
    });

    it('names the worker when a flow does not start, and says so long before it gives up', async () => {
      const { chat, server } = await start('chatflow', pings, hasty);
      server.apps.hold('chatflow', 0);
      const states: string[] = [];
      chat.onDidChange((change) => {
        if (change.type === 'statusChanged' && change.status.type === 'stalled')
          states.push(change.status.state);
      });
      const end = await chat.shown.submit('Ahoy');
      assert.equal(end?.failure?.code, 'timeout-first-token');
      assert.match(end.failure.message, /didn.t start.*worker/);
      assert.deepEqual(states, ['notStarted']);
    });

    it('waits for an app that is only slow, in mid-run and before its first word', async () => {
      for (const [name, after, state] of [
        ['chatflow', 4, 'noNews'],
        ['chat', 0, 'noAnswer'],
      ] as const) {
        const { chat, server } = await start(name, pings, hasty);
        const hold = server.apps.hold(name, after);
        const stall = new Promise<string>((resolve) => {
          chat.onDidChange((change) => {
            if (change.type === 'statusChanged' && change.status.type === 'stalled')
              resolve(change.status.state);
          });
        });
        const ended = chat.shown.submit('Ahoy');
        assert.equal(await stall, state);
        const looks = () =>
          server.requests.filter(({ path }) => /\/(messages|workflows\/run\/.*|parameters)$/.test(path))
            .length;
        await eventually(() => assert.ok(looks() > 0));
        hold.release();
        assert.equal((await ended)?.reason, 'answered', name);
      }
    });
  });

  it('fills a form in once, with files', async () => {
    const { app, apps, bodies, chat } = await start('form');
    const { form, files } = await (await apps.open(app.id)).parameters(new AbortController().signal);
    const chart = { method: 'local_file' as const, name: 'notes.md', size: 24, realPath: '/work/notes.md' };
    const answers = { boat: 'Dione', draught: '1.8', harbour: '青い港', night: true, chart: [chart] };
    assert.deepEqual(
      checkAnswers(form, { ...answers, boat: '', chart: [{ ...chart, name: 'a.exe' }] }, files.maxBytes).map(
        ({ variable }) => variable,
      ),
      ['boat', 'chart'],
    );
    assert.deepEqual(checkAnswers(form, answers, files.maxBytes), []);
    assert.deepEqual(
      apps.find(app.id)?.audio,
      { transcribes: true, speaks: true },
      'It is known from then on.',
    );
    await apps.rememberAnswers(app.id, answers);
    const shown = [{ label: 'Name of the boat', value: 'Dione' }];
    assert.equal((await chat.shown.submit('Plan', { inputs: { answers, shown } }))?.reason, 'answered');
    for (const part of ['| boat | Dione |', '| draught | 1.8 |', '青い港', 'notes.md']) {
      assert.ok(answerIn(chat).text.includes(part), part);
    }
    await chat.shown.submit('And back');
    assert.deepEqual(bodies()[1]?.inputs, bodies()[0]?.inputs);
    assert.match(answerIn(chat).text, /\| boat \| Dione \|/);
    assert.deepEqual(kindsIn(chat), ['app-inputs', 'user', 'answer', 'user', 'answer']);
    assert.deepEqual(apps.lastAnswers(app.id), {
      boat: 'Dione',
      draught: '1.8',
      harbour: '青い港',
      night: true,
    });
  });

  it('sends what the form was filled in with again with every message, also after the window was closed', async () => {
    const { bodies, chat, open } = await start('formFlow');
    const answers = {
      ...filled.answers,
      doc: [{ method: 'local_file' as const, name: 'notes.md', size: 24, realPath: '/work/notes.md' }],
    };
    assert.equal((await chat.shown.submit('One', { inputs: { ...filled, answers } }))?.reason, 'answered');
    assert.equal((await chat.shown.submit('Two'))?.reason, 'answered');
    const again = (await open()).chat;
    await again.openChat(chat.shown.conversation.id);
    assert.equal((await again.shown.submit('Three'))?.reason, 'answered');
    assert.match(answerIn(again).text, /\| name \| Ann \|[^]*\| tone \| friendly \|[^]*notes\.md/);
    const [first, ...others] = bodies().map(({ inputs }) => inputs);
    assert.deepEqual(Object.keys(first ?? {}).toSorted(), ['count', 'doc', 'name', 'strict', 'tone']);
    assert.deepEqual(others, [first, first]);
    assert.ok(bodies().every(({ conversation_id: id }, index) => (id !== undefined) === index > 0));
  });

  it('sends the inputs of a conversation that was begun elsewhere, files too', async () => {
    const { app, bodies, chat, open, server } = await start('formFlow');
    const lists = () => server.requests.filter(({ path }) => path === '/v1/conversations').length;
    const answers = {
      ...filled.answers,
      doc: [{ method: 'local_file' as const, name: 'notes.md', size: 24, realPath: '/work/notes.md' }],
    };
    await chat.shown.submit('One', { inputs: { ...filled, answers } });
    const id = chat.shown.conversation.withApp(app.id) ?? '';

    // Opened from the tree, which lists inputs, then from a chat stored before inputs were kept.
    const { conversations } = await (
      await open()
    ).client.conversations(undefined, new AbortController().signal);
    for (const inputs of [conversations[0]?.inputs, undefined]) {
      const there = await open();
      there.chats.clear();
      there.store.lines.clear();
      const before = lists();
      await there.chat.openAppConversation(app.id, { id, ...(inputs && { inputs }) });
      assert.equal((await there.chat.shown.submit('Two'))?.reason, 'answered');
      assert.equal((await there.chat.shown.submit('Three'))?.reason, 'answered');
      assert.equal(lists() - before, inputs ? 0 : 1);
    }
    const [first, ...others] = bodies().map((body) => body.inputs);
    assert.equal(others.length, 4);
    for (const inputs of others) assert.deepEqual(inputs, first);
  });

  it('looks for the inputs of a conversation once, and says when the platform has it no more', async () => {
    const { app, bodies, chat, open, server } = await start('formFlow');
    await chat.shown.submit('One', { inputs: filled });
    const id = chat.shown.conversation.withApp(app.id) ?? '';
    const there = await open();
    there.chats.clear();
    there.store.lines.clear();
    await there.chat.openAppConversation(app.id, { id });
    const lists = () => server.requests.filter(({ path }) => path === '/v1/conversations').length;
    const before = lists();
    await there.chat.shown.submit('Two');
    await there.chat.shown.submit('Three');
    assert.equal(lists(), before + 1);

    const gone = await open();
    gone.chats.clear();
    gone.store.lines.clear();
    await gone.chat.openAppConversation(app.id, { id });
    await gone.client.deleteConversation(id, new AbortController().signal);
    const sent = bodies().length;
    const end = await gone.chat.shown.submit('Two');
    assert.deepEqual([end?.reason, end?.failure?.code], ['failed', 'conversation-over']);
    assert.equal(bodies().length, sent);
  });

  it('says which field an app requires by now, rather than to wait for an answer that cannot come', async () => {
    const harbour: { -readonly [K in keyof ScriptedApp]: ScriptedApp[K] } = {
      ...{ mode: 'advanced-chat', key: 'app-grows', name: 'Harbour', describe: '', form: [] },
      *answer() {
        yield text('Welcome.');
      },
    };
    const { bodies, chat, open } = await start(harbour, { apps: [harbour] });
    await chat.shown.submit('One');
    harbour.form = [{ kind: 'text-input', variable: 'boat', label: 'Name of the boat', required: true }];
    const again = (await open()).chat;
    await again.openChat(chat.shown.conversation.id);
    const end = await again.shown.submit('Two');
    assert.equal(end?.failure?.code, 'inputs');
    assert.match(end.failure.message, /now requires "Name of the boat"/);
    assert.equal(bodies().length, 1);

    const edited = await again.shown.submit('Three', { inputs: { answers: { boat: 'Dione' }, shown: [] } });
    assert.equal(edited?.reason, 'answered');
    await again.shown.submit('Four');
    const later = bodies().slice(1);
    assert.deepEqual(
      later.map(({ inputs }) => inputs),
      [{ boat: 'Dione' }, { boat: 'Dione' }],
    );
    assert.equal(new Set(later.map(({ conversation_id: id }) => id)).size, 1);
  });

  it('says that the platform refused the inputs, and sends a hidden field that came later with its default', async () => {
    const options = (...all: string[]) => ({
      ...{ kind: 'select', variable: 'tone', label: 'Tone', required: true, options: all },
    });
    const harbour: { -readonly [K in keyof ScriptedApp]: ScriptedApp[K] } = {
      ...{ mode: 'advanced-chat', key: 'app-grows', name: 'Harbour', describe: '' },
      form: [options('formal')],
      *answer() {
        yield text('Welcome.');
      },
    };
    const { bodies, chat } = await start(harbour, { apps: [harbour], version: '1.16.1' });
    const formal = { answers: { tone: 'formal' }, shown: [] };
    await chat.shown.submit('One', { inputs: formal });
    const season = { kind: 'text-input', variable: 'season', label: 'Season', default: 'summer', hide: true };
    harbour.form = [options('strict'), season];
    const end = await chat.shown.submit('Two');
    assert.deepEqual([end?.reason, end?.failure?.code], ['failed', 'inputs']);
    assert.match(end?.failure?.message ?? '', /refused its form's inputs/);
    assert.equal(end?.failure?.why, "tone in input form must be one of the following: ['strict']");
    harbour.form = [options('formal', 'strict'), season];
    await chat.shown.submit('Three');
    assert.deepEqual(bodies().at(-1)?.inputs, { tone: 'formal', season: 'summer' });
  });

  it('rates an answer, and takes it back', async () => {
    const { chat, app, open } = await start('chat');
    await chat.shown.submit('Ahoy');
    const { id } = answerIn(chat);
    await chat.rateAnswer(id, 'like');
    assert.equal(answerIn(chat).app?.rating, 'like');
    const conversationId = chat.shown.conversation.withApp(app.id) ?? '';
    const kept = async () =>
      (
        await (
          await (await open()).apps.open(app.id)
        ).messages(conversationId, undefined, new AbortController().signal)
      ).messages[0]?.rating;
    assert.equal(await kept(), 'like');
    await chat.rateAnswer(id, undefined);
    assert.equal(answerIn(chat).app?.rating, undefined);
    assert.equal(await kept(), undefined);
  });

  it('saves an answer as an annotation, which then answers', async () => {
    const { chat, requests } = await start('chat');
    await chat.shown.submit('Say: high water is at noon');
    const first = answerIn(chat);
    await chat.saveAnnotation(first.id, async (_name, isUsed) => isUsed);
    assert.equal(answerIn(chat).app?.annotation, 'saved');
    await chat.shown.submit('say high water is at NOON');
    assert.deepEqual([answerIn(chat).text, answerIn(chat).app?.annotation], [first.text, 'used']);
    assert.deepEqual(requests, []);
  });

  it('says that an older platform takes no annotations', async () => {
    const { chat } = await start('chat', { version: '1.2.0' });
    await chat.shown.submit('Ahoy');
    await assert.rejects(
      chat.saveAnnotation(answerIn(chat).id, async () => true),
      /Not supported by this platform version/,
    );
  });

  it('tells a model what the app said, and the app nothing of what a model said', async () => {
    const { bodies, chat, requests, app } = await start('agent');
    chat.shown.choices.selectModel('a-model');
    await chat.shown.submit('Hello');
    chat.shown.choices.selectModel(appModelId(app.id));
    await chat.shown.submit('When does the lock open?');
    assert.deepEqual(kindsIn(chat).slice(2), ['user', 'app-apart', 'answer', 'tool', 'answer']);
    assert.equal(bodies()[0]?.query, 'When does the lock open?');
    await chat.shown.submit('And with wind?');
    assert.equal(kindsIn(chat).filter((kind) => kind === 'app-apart').length, 1);
    chat.shown.choices.selectModel('a-model');
    await chat.shown.submit('Sum up');
    const messages = requests.at(-1)?.messages ?? [];
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'],
    );
    assert.match(messages[3]?.content ?? '', /^I will look into the tide table[^]*The table says/);
  });

  it('opens a conversation of the platform, goes on with it, and finds it again as one chat', async () => {
    const { app, apps, bodies, chat, open, server, store } = await start('agent');
    await chat.shown.submit('When does the lock open?');
    await chat.rateAnswer(answerIn(chat).id, 'like');
    await eventually(() => assert.ok(answerIn(chat).app?.questions.length));
    const id = chat.shown.conversation.withApp(app.id) ?? '';
    const chatsBefore = store.lines.size;

    const lines = store.lines.get(chat.shown.conversation.id)?.length;
    const known = chat.shown.conversation.all;
    assert.equal(await chat.openAppConversation(app.id, { id }), chat.shown.conversation.id);
    assert.deepEqual(chat.shown.conversation.all, known);
    assert.equal(store.lines.get(chat.shown.conversation.id)?.length, lines);

    // Another machine doesn't know the conversation.
    const other = await elsewhere(server, app.id);
    const opened = await other.chat.openAppConversation(app.id, { id, inputs: { boat: 'Dione' } });
    assert.notEqual(opened, chat.shown.conversation.id);
    assert.deepEqual(kindsIn(other.chat), ['app-inputs', 'user', 'answer', 'tool', 'answer']);
    const answer = answerIn(other.chat);
    assert.deepEqual([answer.app?.rating, answer.end?.reason], ['like', 'answered']);
    assert.equal(other.chat.shown.conversation.sourcesOf(answer.id).found.length, 1);
    await other.chat.shown.submit('And with wind?');
    assert.equal(bodies().at(-1)?.conversation_id, id);

    // Messages from there appear when it is opened here again, none twice.
    assert.equal(await chat.openAppConversation(app.id, { id }), chat.shown.conversation.id);
    assert.deepEqual(kindsIn(chat), [...kindsIn(other.chat).slice(1)]);
    assert.equal(store.lines.size, chatsBefore);
    assert.equal(await other.chat.openAppConversation(app.id, { id }), opened);
    assert.deepEqual(apps.apps, [
      { ...(await open()).apps.apps[0], audio: { transcribes: false, speaks: false } },
    ]);

    async function elsewhere(platform: typeof server, appId: string) {
      const tested = appUnderTest({ baseUrl: platform.url, key: platform.apps.agent.key });
      toClean.push(() => tested.http.dispose());
      const info = await tested.client.info(new AbortController().signal);
      const there = await serviceWith(tested.client, platform.url, info, {}, appId);
      let ids = 0;
      const newId = () => `other${++ids}`;
      return { chat: new ChatController(chatDependencies({ apps: there, newId, defaultModel: () => 'm' })) };
    }
  });
});

async function serviceWith(
  client: AppClient,
  baseUrl: string,
  info: AppInfo,
  parts: Partial<Pick<AppServiceDependencies, 'files' | 'streams'>>,
  appId = 'the-app',
): Promise<AppService> {
  const service = createAppService({
    createClient: async () => client,
    newId: () => appId,
    files: async () => filesOf({}),
    ...parts,
  });
  await service.add({ baseUrl, key: 'app-1' }, info);
  return service;
}

function linksIn(chats: Map<string, string>): ConversationLinks {
  return {
    get: (appId, conversationId) => chats.get(`${appId} ${conversationId}`),
    set: (appId, conversationId, chatId) => void chats.set(`${appId} ${conversationId}`, chatId),
  };
}

function filesOf(files: Record<string, string>): LocalFiles {
  const open = async (realPath: string) => {
    const contents = files[realPath];
    if (contents === undefined) return { refusal: `${realPath} is gone.` };
    const bytes = Buffer.from(contents);
    return { size: bytes.length, stream: () => Readable.from([bytes]), close: async () => {} };
  };
  return { open };
}
