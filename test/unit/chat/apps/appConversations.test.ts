import assert from 'node:assert/strict';
import type { AppEvent } from '../../../../src/apps/app.ts';
import { appIdOf, appModelId } from '../../../../src/apps/appModelId.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { chatEventSchema } from '../../../../src/chat/store/events.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { eventually } from '../../../support/eventually.ts';
import { fakeApps, type Script } from '../../../support/fakeApps.ts';
import { MemoryChatStore } from '../../../support/memoryChatStore.ts';

const step = (status: 'running' | 'retrying' | 'succeeded', more: object = {}): AppEvent => ({
  type: 'stepChanged',
  step: { id: 's1', title: 'Ask the gauge', kind: 'http-request', status, ...more },
});

function setUp(...scripts: Script[]) {
  const apps = fakeApps(...scripts);
  const store = new MemoryChatStore();
  const chat = new ChatController(
    chatDependencies({
      ...{ apps, store, conversationLinks: apps.links, defaultModel: () => appModelId('guide') },
    }),
  );
  const answer = () => {
    const item = chat.shown.conversation.all.findLast(({ type }) => type === 'answer');
    assert.ok(item?.type === 'answer');
    return item;
  };
  const kept = async () => {
    const events = (await store.load(chat.shown.conversation.id)) ?? [];
    return new Conversation(
      'kept',
      events.map((event) => chatEventSchema.parse(event)),
    ).all;
  };
  return { answer, app: apps.app, apps, chat, kept };
}

describe('a conversation with an app', () => {
  it('has ids that no model has', () => {
    assert.equal(appIdOf(appModelId('x')), 'x');
    assert.equal(appIdOf('gpt'), undefined);
  });

  it('keeps steps, sources, files, its message and the way on', async () => {
    const { answer, app, chat, kept } = setUp([
      step('running'),
      step('retrying', { error: 'No answer', retries: 1 }),
      step('succeeded', { elapsedMs: 800, retries: 1 }),
      'Twice a day.',
      { type: 'fileAdded', file: { name: 'tides.png', address: 'https://p.example/t.png' } },
      {
        type: 'sourcesFound',
        sources: [{ datasetName: 'Handbook', documentName: 'tides.md', score: 0.8, content: 'Twice a day.' }],
      },
    ]);
    app.questions = ['Why?', ' ', 'x'.repeat(501)];
    const statuses: string[] = [];
    chat.onDidChange((change) => {
      if (change.type === 'statusChanged')
        statuses.push('title' in change.status ? change.status.title : change.status.type);
    });
    await chat.shown.submit('When?');
    await eventually(() => assert.deepEqual(answer().app?.questions, ['Why?']));
    const part = answer().app;
    assert.deepEqual(part?.steps, [
      {
        id: 's1',
        title: 'Ask the gauge',
        kind: 'http-request',
        status: 'succeeded',
        elapsedMs: 800,
        retries: 1,
      },
    ]);
    assert.deepEqual([part.messageId, part.sources[0]?.n, part.files[0]?.name], ['m1', 1, 'tides.png']);
    assert.deepEqual(statuses, ['connecting', 'Ask the gauge', 'answering', 'idle']);
    assert.deepEqual(await kept(), chat.shown.conversation.all);
  });

  it('asks for a conversation once and goes on in it', async () => {
    const { app, chat, apps } = setUp(['One'], ['Two']);
    await chat.shown.submit('First', {
      inputs: { answers: { boat: 'Dione' }, shown: [{ label: 'Boat', value: 'Dione' }] },
    });
    await chat.shown.submit('Second');
    assert.deepEqual(
      app.asked.map(({ query, conversationId, answers }) => [query, conversationId, answers]),
      [
        ['First', undefined, { boat: 'Dione' }],
        ['Second', 'c1', undefined],
      ],
    );
    assert.equal(apps.chats.get('c1'), chat.shown.conversation.id);
    const [inputs] = chat.shown.conversation.all;
    assert.ok(inputs?.type === 'notice');
    assert.deepEqual([inputs.kind, inputs.detail], ['app-inputs', 'Boat: Dione']);
  });

  it('says how a failed or paused run ended', async () => {
    const { answer, chat } = setUp(
      ['I was about to ', new SwitchboardError('app-unavailable', 'The model failed.')],
      [{ type: 'paused', reasons: ['Approval by the harbour master'] }],
    );
    await chat.shown.submit('One');
    assert.deepEqual(
      [answer().text, answer().end?.failure?.code, answer().app?.messageId],
      ['I was about to ', 'app-unavailable', 'm1'],
    );
    await chat.shown.submit('Two');
    assert.deepEqual(answer().app?.awaits, {
      ...{ runId: 'r2', titles: ['Approval by the harbour master'], place: 'platform' },
    });
  });

  it('goes on with an answer whose run waited, keeping what was heard of it', async () => {
    const waits: AppEvent = { type: 'paused', reasons: ['Approval'], forms: [{ token: 't', title: '' }] };
    const end: AppEvent = { type: 'runFinished', run: { status: 'succeeded', outputs: {} } };
    const { answer, app, chat, kept } = setUp(
      ['I have asked. ', waits],
      // The run may have stored less text than was received.
      [{ type: 'textReplaced', text: 'I have' }, waits, { type: 'resumed' }, 'She may leave.', end],
      ['Another.', waits],
      [new SwitchboardError('offline', 'You are offline.')],
      [
        { type: 'runFinished', run: { status: 'failed', outputs: {} } },
        new SwitchboardError('request', 'No.'),
      ],
    );
    app.questions = ['Why?'];
    await chat.shown.submit('May she leave?');
    const { id } = answer();
    assert.deepEqual(answer().app?.questions, []);
    assert.doesNotMatch(JSON.stringify(chat.shown.conversation.all), /"t"/);
    await chat.find(chat.shown.conversation.id)?.followRun(id);
    assert.deepEqual(app.followed, [{ runId: 'r1', conversationId: 'c1', messageId: 'm1' }]);
    assert.deepEqual([answer().id, answer().text], [id, 'I have asked. She may leave.']);
    assert.equal(answer().app?.awaits, undefined);
    await eventually(() => assert.deepEqual(answer().app?.questions, ['Why?']));

    await chat.shown.submit('And he?');
    await chat.find(chat.shown.conversation.id)?.followRun(answer().id);
    assert.deepEqual([answer().end?.reason, answer().app?.awaits?.place], ['failed', 'here']);
    await chat.find(chat.shown.conversation.id)?.followRun(answer().id);
    assert.deepEqual([answer().end?.reason, answer().app?.awaits], ['failed', undefined]);
    assert.deepEqual(await kept(), chat.shown.conversation.all);
  });

  it('repeats the whole turn when it is asked again', async () => {
    const thought = { id: 't', position: 1, thought: '', tool: 'Tide table' };
    const { chat } = setUp(
      [
        { type: 'thoughtChanged', thought },
        { type: 'thoughtChanged', thought: { ...thought, observation: 'x' } },
        new SwitchboardError('transient', 'Down.'),
      ],
      ['Up'],
    );
    await chat.shown.submit('One');
    const failed = chat.shown.conversation.all.findLast(({ type }) => type === 'answer');
    await chat.shown.retry(failed?.id ?? '');
    assert.deepEqual(
      chat.shown.conversation.all.map(({ type }) => type),
      ['user', 'answer'],
    );
  });

  it('tells the platform of a rating, and says when that failed', async () => {
    const { answer, app, chat, kept } = setUp(['One']);
    await chat.shown.submit('First');
    await chat.rateAnswer(answer().id, 'dislike');
    assert.deepEqual(app.rated, [{ messageId: 'm1', rating: 'dislike' }]);
    assert.equal(answer().app?.rating, 'dislike');
    assert.deepEqual(await kept(), chat.shown.conversation.all);
    app.failure = new SwitchboardError('offline', 'You are offline.');
    await assert.rejects(chat.rateAnswer(answer().id, undefined), /offline/);
    assert.equal(answer().app?.rating, 'dislike');
  });

  it('saves an answer with its question as an annotation, once that is confirmed', async () => {
    const { answer, app, chat, kept } = setUp(['Noon', ' and midnight.']);
    await chat.shown.submit('When is high water?');
    const asked: unknown[] = [];
    const confirm = (isSure: boolean) => async (name: string, isUsed: boolean) => {
      asked.push([name, isUsed]);
      return isSure;
    };
    await chat.saveAnnotation(answer().id, confirm(false));
    assert.deepEqual([app.annotated, answer().app?.annotation], [[], undefined]);
    await chat.saveAnnotation(answer().id, confirm(true));
    assert.deepEqual(app.annotated, [{ question: 'When is high water?', answer: 'Noon and midnight.' }]);
    assert.deepEqual(asked, [
      ['Guide', true],
      ['Guide', true],
    ]);
    assert.equal(answer().app?.annotation, 'saved');
    assert.deepEqual(await kept(), chat.shown.conversation.all);
    await chat.saveAnnotation('unknown', confirm(true));
    assert.equal(app.annotated.length, 1);
  });

  it('tells that an annotation answered', async () => {
    const { answer, chat } = setUp(['Noon.', { type: 'annotationUsed' }]);
    await chat.shown.submit('When is high water?');
    assert.equal(answer().app?.annotation, 'used');
  });

  it('suggests nothing once something else was asked', async () => {
    const { app, chat } = setUp(['One'], [{ wait: true }]);
    let give: (questions: string[]) => void = () => {};
    app.suggestedQuestions = () => new Promise((resolve) => (give = resolve));
    await chat.shown.submit('First');
    const ended = chat.shown.submit('Second');
    await eventually(() => assert.equal(app.asked.length, 2));
    give(['Too late?']);
    await chat.shown.stop();
    await ended;
    const answers = chat.shown.conversation.all.filter((item) => item.type === 'answer');
    assert.deepEqual(
      answers.map(({ app: part }) => part?.questions),
      [[], []],
    );
  });

  it('sends files as files, and what is not to be sent as nothing', async () => {
    const { app, chat } = setUp(['One'], ['Two']);
    await chat.shown.submit('', {
      attachments: [
        { kind: 'image', label: 'Pasted image', image: { mimeType: 'image/png', data: 'iVBO', bytes: 3 } },
        { kind: 'image', label: 'tide.jpeg', image: { mimeType: 'image/jpeg', data: '/9j/', bytes: 3 } },
        { kind: 'file', label: 'a.pdf', upload: { realPath: '/a.pdf', bytes: 7 } },
      ],
    });
    const [{ files, query } = { files: [], query: '' }] = app.asked;
    assert.deepEqual(files, [
      { method: 'local_file', name: 'Pasted image.png', size: 3, data: 'iVBO' },
      { method: 'local_file', name: 'tide.jpeg', size: 3, data: '/9j/' },
      { method: 'local_file', name: 'a.pdf', size: 7, realPath: '/a.pdf' },
    ]);
    assert.equal(query, 'Pasted image.png, tide.jpeg, a.pdf');
    const refusal = { forModel: 'It is too large.', forUser: 'Too large.' };
    await chat.shown.submit('Look', { attachments: [{ kind: 'file', label: 'b.pdf', refusal }] });
    assert.deepEqual(app.asked[1]?.files, []);
    assert.match(app.asked[1]?.query ?? '', /Nothing of it was sent\. It is too large\./);
  });
});
