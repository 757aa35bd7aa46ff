import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { AppEvent, AppStep } from '../../src/apps/app.ts';
import { checkAnswers, type FormAnswers, toInputs } from '../../src/apps/appForm.ts';
import { sentType } from '../../src/apps/fileChoice.ts';
import { toRunOutput } from '../../src/apps/run/runOutput.ts';
import { followRun, followWaitingRun, isOtherUsersRun } from '../../src/apps/run/performRun.ts';
import { submitForm } from '../../src/apps/run/submitForm.ts';
import { advance, notBegun } from '../../src/apps/run/runProgress.ts';
import { readValue, shownValue } from '../../src/apps/conversationVariable.ts';
import { type ErrorCode, SwitchboardError } from '../../src/base/errors/errors.ts';
import { isMissingOnServer } from '../../src/platform/platformErrors.ts';
import type { AppName } from '../servers/platform/apps/sandboxApps.ts';
import type { PlatformOptions } from '../servers/platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from '../servers/platform/platformServer.ts';
import { appUnderTest, type AppUnderTest, hearAnswer } from '../support/appUnderTest.ts';
import { limitFor } from '../support/faultEndings.ts';

const never = new AbortController().signal;

describe('an app on the sandbox', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0)) await clean();
  });

  async function start(options: PlatformOptions = {}) {
    const server = await startPlatform(options);
    toClean.push(() => server.stop());
    return {
      server,
      app(name: AppName, more: Partial<Parameters<typeof appUnderTest>[0]> = {}): AppUnderTest {
        const tested = appUnderTest({ baseUrl: server.url, key: server.apps[name].key, ...more });
        toClean.push(() => tested.http.dispose());
        return tested;
      },
    };
  }

  const ask = ({ client }: AppUnderTest, query: string, conversationId?: string, stream = true) =>
    hearAnswer(client.chat({ query, inputs: {}, stream, ...(conversationId && { conversationId }) }, never));
  const idsOf = (events: readonly AppEvent[]) => events.reduce(advance, notBegun);
  const modesOf = (server: PlatformServer) =>
    server.requests.flatMap(
      ({ json }) => (json as { response_mode?: string } | undefined)?.response_mode ?? [],
    );

  /** Old and new servers in both dialects; they differ in the order of events and in refusals. */
  const servers: PlatformOptions[] = [
    { version: '1.14.2' },
    { version: '1.13.0' },
    { version: '1.10.1' },
    { version: '1.4.3' },
    { version: '0.15.8' },
    { dialect: 'description' },
    { streamExtras: ['pings', 'unknown-events', 'unknown-fields'] },
  ];

  for (const options of servers) {
    describe(`of ${JSON.stringify(options)}`, () => {
      it('is asked twice in one conversation', async () => {
        const { app } = await start(options);
        const chat = app('chat');
        const first = await ask(chat, 'Ahoy, 世界!');
        assert.match(first.text, /> Ahoy, 世界!/);
        const { conversationId } = idsOf(first.events);
        const second = await ask(chat, 'What did I say before?', conversationId);
        assert.match(second.text, /1\. Ahoy, 世界!/);
        assert.equal(idsOf(second.events).conversationId, conversationId);
        assert.equal(second.course.at(-1), 'ended');
      });

      it('thinks and uses tools, and says everything once', async () => {
        const { app } = await start(options);
        const plain = await ask(app('agent'), 'When does the lock open?');
        const repeated = await ask(app('agentRepeats'), 'When does the lock open?');
        assert.match(plain.text, /The table says:/);
        assert.equal(repeated.text, plain.text);
        const { thoughts } = idsOf(plain.events);
        assert.equal(new Set(thoughts.map(({ id }) => id)).size, thoughts.length);
        const [used] = thoughts.filter(({ tool }) => tool);
        assert.equal(used?.tool, 'tide_table');
        assert.ok(used?.toolInput && used.observation);
      });

      it('goes through its steps and names its sources', async () => {
        const { app } = await start(options);
        const { events, text, reasoning, course } = await ask(
          app('chatflow'),
          'When does the lock open? With a chart.',
        );
        const { steps, sources, run, files } = idsOf(events);
        assert.match(text, /^\*\*Guide\*\*/);
        assert.match(text, /The chart is attached\.$/);
        assert.match(reasoning, /passages of the handbook/);
        assert.doesNotMatch(text, /think>/);
        assert.ok(steps.every(({ status }) => status === 'succeeded'));
        const titles = steps.map(({ title }) => title);
        for (const title of [
          'Start',
          'Ask the tide gauge',
          'For each passage',
          'Until the tide fits',
          'Answer',
        ]) {
          assert.equal(titles.filter((other) => other === title).length, 1, title);
        }
        assert.equal(steps.find(({ kind }) => kind === 'loop')?.round, 2);
        assert.ok(steps.some(({ retries }) => retries === 1));
        assert.ok(
          sources.length > 0 && sources.every(({ documentName, content }) => documentName && content),
        );
        assert.equal(run?.status, 'succeeded');
        assert.equal(files[0]?.name, 'tides.png');
        assert.equal(course.at(-1), 'ended');
      });

      it('completes, and runs', async () => {
        const { app, server } = await start(options);
        const written = await hearAnswer(
          app('completion').client.complete(
            { inputs: { query: 'be quiet', style: 'whisper' }, stream: true },
            never,
          ),
        );
        assert.equal(written.text, '*be quiet*');

        const { client } = app('workflow');
        const run = await hearAnswer(
          client.runWorkflow({ inputs: { text: 'One two three.' }, stream: true }, never),
        );
        const progress = idsOf(run.events);
        assert.match(progress.text, /A text of 3 words/);
        const output = toRunOutput(progress, { name: 'Summarise', baseUrl: server.url });
        assert.match(output.text, /^# Summarise\n\n## text\n\n# Summary\n[^]*\n## counts\n\n```json\n/);
        assert.match(output.head, /s · \d+ tokens/);
        assert.deepEqual(
          output.files.map(({ name, address }) => [name, address.startsWith(server.url)]),
          [['summary.md', true]],
        );
        const looked = await client.workflowRun(progress.runId ?? '', never);
        assert.deepEqual(looked.outputs, progress.run?.outputs);
        assert.deepEqual(looked.inputs?.['text'], 'One two three.');
      });

      it('answers in one piece as it does in many', async () => {
        const { app, server } = await start(options);
        const chat = app('chat');
        const streamed = await ask(chat, 'Ahoy');
        const whole = await ask(chat, 'Ahoy', undefined, false);
        assert.equal(whole.text, streamed.text);
        await ask(chat, 'Ahoy', undefined, false);
        const isDify = options.dialect !== 'description';
        assert.deepEqual(
          modesOf(server),
          isDify ? ['streaming', 'sync', 'blocking', 'blocking'] : ['streaming', 'sync', 'sync'],
        );
        const { client } = app('workflow');
        const run = await hearAnswer(
          client.runWorkflow({ inputs: { text: 'One two' }, stream: false }, never),
        );
        assert.equal(run.course.at(-1), 'ended');
        assert.equal(idsOf(run.events).run?.status, 'succeeded');
        const agent = await ask(app('agent'), 'When does the lock open?', undefined, false);
        assert.match(agent.text, /The table says:/);
      });

      it('says which step failed, and why', async () => {
        const { app } = await start(options);
        const flow = await ask(app('chatflowFails'), 'x');
        assert.match(flow.failure?.message ?? '', /"Search the /);
        assert.match(flow.failure?.why ?? '', /cannot be reached/);
        const { client } = app('workflowFails');
        for (const stream of [true, false]) {
          const { events, failure } = await hearAnswer(
            client.runWorkflow({ inputs: { text: 'x' }, stream }, never),
          );
          const { run, steps } = idsOf(events);
          assert.match(failure?.why ?? '', /NameError/);
          assert.equal(run?.status, 'failed');
          assert.match(run?.error ?? '', /NameError/);
          const failed = (list: readonly AppStep[]) =>
            list.filter(({ status }) => status === 'failed').map(({ title }) => title);
          assert.deepEqual(failed(steps), stream ? ['Count the words'] : []);
        }
      });
    });
  }

  it('is described', async () => {
    const { app } = await start();
    const kinds = await Promise.all(
      (['chat', 'agent', 'chatflow', 'completion', 'workflow'] as const).map(
        async (name) => (await app(name).client.info(never)).kind,
      ),
    );
    assert.deepEqual(kinds, ['chat', 'agent', 'chatflow', 'completion', 'workflow']);
    const parameters = await app('chat').client.parameters(never);
    assert.match(parameters.openingStatement, /Ahoy/);
    assert.equal(parameters.suggestsAfterAnswer, true);
    assert.equal(parameters.files.isEnabled, true);
    const icons = await app('agent').client.meta(never);
    assert.deepEqual(icons['tide_table'], { content: '🌊', background: '#E0F2FE' });
  });

  it('goes on in a conversation with another key of the app, once the first was revoked', async () => {
    const { app, server } = await start();
    const first = app('chat');
    const { conversationId } = idsOf((await ask(first, 'Ahoy!')).events);
    const key = server.apps.replaceKey('chat');
    const refused = await ask(first, 'And now?', conversationId);
    assert.equal(refused.failure?.code, 'key' satisfies ErrorCode);
    const { text } = await ask(app('chat', { key }), 'What did I say before?', conversationId);
    assert.match(text, /1\. Ahoy!/);
  });

  it('takes a form of every kind, and our check refuses what the server would', async () => {
    const { app } = await start();
    const { client } = app('form');
    const { form, files } = await client.parameters(never);
    assert.ok(!form.some(({ variable }) => variable === 'forecast'));
    const chart = { method: 'local_file', name: 'chart.png', size: 4 } as const;
    const answers: FormAnswers = {
      boat: 'Ada',
      crew: 'Me\nYou',
      draught: '1.8',
      harbour: '青い港',
      night: true,
      chart: [chart],
      papers: [{ method: 'local_file', name: 'papers.py', size: 4 }],
      equipment: '{"radio":true}',
      route: 'North',
    };
    assert.deepEqual(checkAnswers(form, answers, files.maxBytes), []);
    const inputs = await toInputs(form, answers, async (file, field) => {
      assert.ok(file.method === 'local_file');
      const uploadFileId = await client.upload(
        { ...file, open: () => Readable.from([Buffer.from('\u0089PNG'.slice(0, 3))]) },
        never,
      );
      return {
        type: sentType(file, field) ?? 'custom',
        method: 'local_file',
        uploadFileId,
      };
    });
    const { text, failure } = await hearAnswer(client.chat({ query: 'Plan', inputs, stream: true }, never));
    assert.equal(failure, undefined);
    assert.equal(inputs['season'], 'summer', 'Hidden fields are sent with their defaults.');
    for (const part of ['| boat | Ada |', '| draught | 1.8 |', '青い港', 'chart.png', 'papers.py']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }

    const bad: FormAnswers[] = [
      { ...answers, boat: undefined },
      { ...answers, boat: 'x'.repeat(21) },
      { ...answers, harbour: 'Nowhere' },
      { ...answers, draught: 'deep' },
    ];
    for (const wrong of bad) {
      assert.equal(checkAnswers(form, wrong, files.maxBytes).length, 1);
      const sent = { ...inputs, ...wrong, chart: inputs['chart'], papers: inputs['papers'], equipment: {} };
      const refused = await hearAnswer(client.chat({ query: 'Plan', inputs: sent, stream: true }, never));
      assert.equal(refused.failure?.code, 'inputs');
    }
  });

  it('takes files with a message, and says the limit it was not told', async () => {
    const { app } = await start({ uploadLimits: { document: 1 } });
    const { client } = app('chat');
    await client.parameters(never);
    const contents = Buffer.from('# Notes\n\nMind the tide.');
    const file = { name: 'notes.md', size: contents.length, open: () => Readable.from([contents]) };
    const uploadFileId = await client.upload(file, never);
    const { text } = await hearAnswer(
      client.chat(
        {
          query: 'Look',
          inputs: {},
          stream: true,
          files: [{ type: 'document', method: 'local_file', uploadFileId }],
        },
        never,
      ),
    );
    assert.match(text, /Mind the tide/);
    const large = Buffer.alloc(1024 * 1024 + 1);
    await assert.rejects(
      client.upload({ name: 'large.md', size: large.length, open: () => Readable.from([large]) }, never),
      (error) => {
        assert.ok(error instanceof SwitchboardError);
        assert.equal(error.code, 'too-large');
        assert.match(error.message, /"large\.md".*\b1 MB/);
        return true;
      },
    );
  });

  it('keeps conversations, messages and ratings', async () => {
    const { app } = await start();
    const chat = app('chat');
    const { client } = chat;
    const { conversationId = '', messageId = '' } = idsOf((await ask(chat, 'Ahoy')).events);
    await ask(chat, 'Again', conversationId);
    await client.rate(messageId, 'like', 'Good', never);

    const { conversations, hasMore } = await client.conversations(undefined, never);
    assert.deepEqual([conversations.map(({ id }) => id), hasMore], [[conversationId], false]);
    const { messages } = await client.messages(conversationId, undefined, never);
    assert.deepEqual(
      messages.map(({ query, rating }) => [query, rating]),
      [
        ['Ahoy', 'like'],
        ['Again', undefined],
      ],
    );
    assert.equal((await client.feedbacks(1, never)).length, 1);
    await client.rate(messageId, undefined, undefined, never);
    assert.equal((await client.messages(conversationId, undefined, never)).messages[0]?.rating, undefined);
    assert.equal((await client.suggestedQuestions(messageId, never)).length, 3);
    assert.equal((await client.renameConversation(conversationId, 'Tides', never)).name, 'Tides');
    assert.notEqual((await client.renameConversation(conversationId, undefined, never)).name, '');
    await assert.rejects(
      app('chat', { user: 'another' }).client.messages(conversationId, undefined, never),
      SwitchboardError,
    );
    await client.deleteConversation(conversationId, never);
    assert.deepEqual((await client.conversations(undefined, never)).conversations, []);

    const form = app('form');
    const asked = await hearAnswer(
      form.client.chat(
        { query: 'x', inputs: { boat: 'A', draught: 1, harbour: 'Altmühle' }, stream: true },
        never,
      ),
    );
    assert.deepEqual(await form.client.suggestedQuestions(idsOf(asked.events).messageId ?? '', never), []);
  });

  it('has variables in its conversations, from the version that knows them', async () => {
    const { app } = await start();
    const flow = app('chatflow');
    const { conversationId = '' } = idsOf((await ask(flow, 'x')).events);
    const variables = await flow.client.variables(conversationId, never);
    const questions = variables.find(({ name }) => name === 'questions');
    assert.equal(String(questions?.value), '1');
    const language = variables.find(({ name }) => name === 'language');
    await flow.client.setVariable(conversationId, language?.id ?? '', 'Deutsch', never);
    const changed = await flow.client.variables(conversationId, never);
    assert.equal(changed.find(({ name }) => name === 'language')?.value, 'Deutsch');

    const shownOf = (name: string, from = changed) => {
      const { id, type, value } = from.find((one) => one.name === name) ?? { id: '', type: '', value: '' };
      return { id, text: shownValue(type, value), read: readValue(type, shownValue(type, value)) };
    };
    assert.equal(
      changed.find(({ name }) => name === 'boat')?.value,
      "{'name': 'Dione', 'isWet': True, 'crew': None}",
    );
    assert.equal(shownOf('boat').text, '{"name":"Dione","isWet":true,"crew":null}');
    const { id, read } = shownOf('notes');
    assert.deepEqual(read, { value: ["the skipper's berth", 'no fenders'] });
    await flow.client.setVariable(conversationId, id, ['it"s'], never);
    await assert.rejects(flow.client.setVariable(conversationId, id, "['a']", never), { status: 400 });
    const last = await flow.client.variables(conversationId, never);
    assert.deepEqual(shownOf('notes', last).read, { value: ['it"s'] });

    const old = (await start({ version: '0.15.8' })).app('chatflow');
    const asked = idsOf((await ask(old, 'x')).events);
    await assert.rejects(old.client.variables(asked.conversationId ?? '', never), isMissingOnServer);
  });

  it('waits for a person and says so', async () => {
    const { app } = await start();
    const { client } = app('workflowPauses');
    const { events, course } = await hearAnswer(
      client.runWorkflow({ inputs: { notice: 'Fog' }, stream: true }, never),
    );
    assert.equal(course.at(-1), 'ended');
    assert.deepEqual(idsOf(events).waitsFor, ['Approval by the harbour master']);
  });

  describe('that is stopped', () => {
    it('ends on the server, too', async () => {
      const { app, server } = await start();
      for (const [name, task] of [
        ['chat', 'chat'],
        ['completion', 'complete'],
        ['workflow', 'runWorkflow'],
      ] as const) {
        // Keeps the run from ending before it is stopped.
        server.apps.hold(name, 3);
        const { client } = app(name);
        const stopping = new AbortController();
        const inputs = { query: 'Some words to say, and more of them', text: 'Some words' };
        const { failure, events } = await hearAnswer(
          client[task]({ query: 'Ahoy', inputs, stream: true }, stopping.signal),
          (event) => event.type === 'started' && stopping.abort(),
        );
        assert.equal(failure?.code, 'cancelled');
        const stop = server.apps.stops.at(-1);
        assert.deepEqual([stop?.taskId, stop?.hit, stop?.user], [idsOf(events).taskId, true, 'tester']);
      }
    });
  });

  describe('that goes wrong', () => {
    const endings: [AppName, ErrorCode, string?][] = [
      ['unavailable', 'app-unavailable'],
      ['noProvider', 'app-unavailable'],
      ['noQuota', 'balance'],
      ['noModel', 'app-unavailable'],
      ['ended', 'conversation-over'],
      ['modelError', 'app-unavailable', 'I was about to '],
      ['silent', 'timeout-first-token'],
      ['silentAmid', 'timeout-idle', 'This is the beginning of '],
      ['silentFlow', 'timeout-idle'],
      ['cut', 'truncated', 'This is the beginning of '],
      ['noEnd', 'truncated'],
      ['rateLimited', 'rate-limit'],
      ['noPluginDaemon', 'transient'],
    ];
    for (const [name, code, said] of endings) {
      it(`says so: ${name}`, async () => {
        const { app } = await start();
        const { failure, text } = await ask(app(name, { timeouts: limitFor(code) }), 'Ahoy');
        assert.equal(failure?.code, code);
        if (said) assert.equal(text, said);
      });
    }

    it('is tried again when it was only busy', async () => {
      const { app } = await start();
      for (const name of ['busy', 'tooMany'] as const) {
        const { course, text } = await ask(app(name), 'Ahoy');
        assert.deepEqual(course.slice(0, 3), ['requestSent', 'retryScheduled', 'requestSent']);
        assert.match(text, /Ahoy/);
      }
    });

    it('is stopped on the server when it falls silent in the middle', async () => {
      const { app, server } = await start();
      await ask(app('silentAmid', { timeouts: { idleMs: 300 } }), 'Ahoy');
      assert.equal(server.apps.stops.length, 1);
      assert.equal(server.apps.stops[0]?.hit, true);
    });

    it('finds out that new servers are silent about a conversation they do not have', async () => {
      const { app } = await start();
      const unknown = '00000000-0000-4000-8000-000000000000';
      const stall = { checkMs: 300, startMs: 60_000, graceMs: 10 };
      const { failure } = await ask(app('chatflow', { stall }), 'x', unknown);
      assert.equal(failure?.code, 'conversation-over');
      const older = await start({ version: '1.10.1' });
      assert.equal((await ask(older.app('chatflow'), 'x', unknown)).failure?.status, 404);
    });

    it('notices a workflow without an end', async () => {
      const { app } = await start();
      const { course } = await hearAnswer(
        app('noEndWorkflow').client.runWorkflow({ inputs: {}, stream: true }, never),
      );
      assert.equal(course.at(-1), 'truncated');
    });
  });

  it('runs the version of a workflow that is named, and says when there is none', async () => {
    const { app, server } = await start();
    const { client } = app('workflow');
    const request = { inputs: { text: 'One.' }, stream: true };
    const first = idsOf((await hearAnswer(client.runWorkflow(request, never))).events);
    const { workflowId } = await client.workflowRun(first.runId ?? '', never);
    assert.ok(workflowId);
    const again = await hearAnswer(client.runWorkflow({ ...request, workflowId }, never));
    assert.equal(idsOf(again.events).run?.status, 'succeeded');
    assert.equal(server.requests.at(-1)?.path, `/v1/workflows/${workflowId}/run`);
    const other = workflowId.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    const unknown = await hearAnswer(client.runWorkflow({ ...request, workflowId: other }, never));
    assert.equal(unknown.failure?.status, 404);
    assert.match(unknown.failure.why ?? '', /not found with id/);
    const older = (await start({ version: '1.4.3' })).app('workflow');
    const lacking = await hearAnswer(older.client.runWorkflow({ ...request, workflowId }, never));
    assert.equal(isMissingOnServer(lacking.failure), true);
  });

  it('writes down recordings and reads answers out, where the app does', async () => {
    const { app, server } = await start();
    const talking = app('form');
    const { transcribes, speaks } = await talking.client.parameters(never);
    assert.deepEqual([transcribes, speaks], [true, true]);
    const recording = (name: string) => ({ name, size: 4, open: () => Readable.from([Buffer.from('RIFF')]) });
    assert.equal(await talking.client.transcribe(recording('a.wav'), never), '4 bytes of a.wav were heard.');
    const sent = server.requests.at(-1)?.parts.map(({ name, contentType }) => [name, contentType]);
    assert.deepEqual(sent, [
      ['user', undefined],
      ['file', 'audio/wav'],
    ]);
    for (const name of ['a.mp3', 'A.M4A', 'a.mpga', 'a.amr']) {
      assert.equal(await talking.client.transcribe(recording(name), never), `4 bytes of ${name} were heard.`);
    }
    await assert.rejects(talking.client.transcribe(recording('a.ogg'), never), { status: 415 });
    const quiet = app('chat');
    assert.equal((await quiet.client.parameters(never)).speaks, undefined);
    const { messageId = '' } = idsOf((await ask(quiet, 'Ahoy')).events);
    await assert.rejects(quiet.client.speak(messageId, never), { code: 'app-unavailable' });
    await assert.rejects(talking.client.speak(messageId, never), { status: 404 });
  });

  describe('a run that waits for human input', () => {
    const notice = { inputs: { notice: 'Lock closed.' }, stream: true };

    it('is told with its form, goes on when that is submitted, and gives what follows', async () => {
      const { app, server } = await start({ version: '1.16.1' });
      const { client } = app('workflowPauses');
      const paused = idsOf((await hearAnswer(client.runWorkflow(notice, never))).events);
      const [waiting] = paused.forms ?? [];
      assert.equal(waiting?.title, 'Approval by the harbour master');
      assert.equal(paused.forms?.length, 1);
      const form = await client.humanInputForm(waiting.token, never);
      assert.match(
        form.content,
        /^Publish this\?\n\n> Lock closed\.\n\nComment: \{\{#\$output\.comment#\}\}$/,
      );
      assert.deepEqual(
        form.fields.map(({ variable, type, options, isRequired, default: preset }) => [
          ...[variable, type, isRequired, options ?? preset],
        ]),
        [
          ['comment', 'paragraph', false, 'None.'],
          ['urgency', 'select', true, ['today', 'this week']],
        ],
      );
      assert.deepEqual(
        form.actions.map(({ id }) => id),
        ['approve', 'reject'],
      );
      assert.ok((form.expiresAtMs ?? 0) > Date.now());

      // The stream shows the pending question before, and the following events after.
      const before = idsOf((await hearAnswer(client.followRun(paused.runId ?? '', never))).events);
      assert.deepEqual(before.forms, paused.forms);
      const onUpload = () => {};
      const work = { client, files: () => Promise.reject(new Error('no files')), signal: never, onUpload };
      const submission = { token: waiting.token, form, answers: { urgency: 'today' }, action: 'approve' };
      await submitForm(submission, work);
      const sent = server.requests.find(({ method, path }) => method === 'POST' && path.includes('/form/'));
      assert.deepEqual(sent?.json, {
        inputs: { comment: '', urgency: 'today' },
        action: 'approve',
        user: 'tester',
      });
      const outcome = await followRun(client, paused.runId ?? '', never, () => {});
      assert.deepEqual(outcome.progress.run?.outputs, { decision: 'approve', comment: '', urgency: 'today' });
      assert.equal(outcome.progress.waitsFor, undefined);
      const again = await followRun(client, paused.runId ?? '', never, () => {});
      assert.equal(again.progress.run?.status, 'succeeded');
      await assert.rejects(submitForm(submission, work), { status: 412 });
      await assert.rejects(client.humanInputForm('unknown', never), { status: 404 });
      assert.equal(server.apps.stops.length, 0);
    });

    for (const version of ['1.14.2', '1.16.1']) {
      it(`is another user's where the platform denies having it (${version})`, async () => {
        const { app } = await start({ version });
        const paused = idsOf(
          (await hearAnswer(app('workflowPauses').client.runWorkflow(notice, never))).events,
        );
        const other = app('workflowPauses', { user: 'somebody' }).client;
        const { error } = await followWaitingRun(other, paused.runId ?? '', never);
        assert.ok(isOtherUsersRun(error), error?.why);
      });
    }

    it('names no form where the platform keeps it to itself', async () => {
      const { app } = await start();
      const { client } = app('workflowPauses');
      const paused = idsOf((await hearAnswer(client.runWorkflow(notice, never))).events);
      assert.deepEqual([paused.waitsFor, paused.forms], [['Approval by the harbour master'], undefined]);
      await assert.rejects(client.humanInputForm('t', never), (error) => isMissingOnServer(error));
    });
  });
});
