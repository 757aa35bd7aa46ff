import assert from 'node:assert/strict';
import type { AppEvent } from '../../../../src/apps/app.ts';
import type { AppClient, RunRequest } from '../../../../src/apps/client/appClient.ts';
import { readParameters } from '../../../../src/apps/client/readParameters.ts';
import {
  followWaitingRun,
  isOtherUsersRun,
  performRun,
  type RunOrder,
  toRunResult,
} from '../../../../src/apps/run/performRun.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';

const parameters = readParameters({ user_input_form: [{ paragraph: { variable: 'text', label: 'Text' } }] });
const step = (title: string, status: 'running' | 'succeeded', round?: number): AppEvent => ({
  type: 'stepChanged',
  step: { id: title, title, kind: 'llm', status, ...(round !== undefined && { round }) },
});

/** Runs a workflow or completion with a scripted client. */
async function run(kind: RunOrder['kind'], ...told: (AppEvent | Error)[]) {
  const asked: [string, RunRequest][] = [];
  const say = (name: string) =>
    async function* saying(request: RunRequest) {
      asked.push([name, request]);
      for (const event of told) {
        if (event instanceof Error) throw event;
        yield event;
      }
    };
  const client = {
    complete: say('completion'),
    runWorkflow: say('workflow'),
    chat: say('chatflow'),
  } as Partial<AppClient>;
  const messages: string[] = [];
  const heard: string[] = [];
  const outcome = await performRun(
    {
      ...{ client: client as AppClient, kind, parameters, answers: { text: 'One two' }, stream: true },
      files: () => Promise.reject(new Error('no files')),
      ...(kind === 'chatflow' && { query: 'Hi' }),
      onEvent: ({ type }) => void heard.push(type),
    },
    new AbortController().signal,
    (message) => messages.push(message),
  );
  return { asked, messages, heard, outcome, result: toRunResult(outcome) };
}

describe('performRun', () => {
  it('sends the message to a chatflow, and tells of each event', async () => {
    const { asked, heard, result } = await run(
      'chatflow',
      step('Answer', 'succeeded'),
      { type: 'textAdded', text: 'Hello.' },
      { type: 'ended', files: [] },
    );
    const request = { inputs: { text: 'One two' }, files: [], query: 'Hi', isFlow: true, stream: true };
    assert.deepEqual(asked, [['chatflow', request]]);
    assert.deepEqual(heard, ['stepChanged', 'textAdded', 'ended']);
    assert.equal(result.text, 'Hello.');
  });

  it('asks with the answers, and says what the run is doing', async () => {
    const { asked, messages, result } = await run(
      'workflow',
      { type: 'requestSent' },
      { type: 'stalled', state: 'notStarted', forMs: 15_000 },
      step('Start', 'running'),
      step('Start', 'succeeded'),
      step('Each line', 'running', 2),
      { type: 'retryScheduled', delayMs: 2000, why: 'Busy.' },
      { type: 'runFinished', run: { status: 'succeeded', outputs: { text: 'two one' } } },
      { type: 'ended', files: [] },
    );
    assert.deepEqual(asked, [['workflow', { inputs: { text: 'One two' }, files: [], stream: true }]]);
    assert.deepEqual(messages, [
      'waiting for the platform',
      "not started yet: the platform's worker may be busy or down",
      'Start (1)',
      'Each line, round 2 (2)',
      'retrying in 2 s: Busy.',
    ]);
    assert.deepEqual(result, {
      status: 'succeeded',
      outputs: { text: 'two one' },
      text: '',
      steps: ['Start', 'Each line'],
    });
  });

  it('keeps what came before it was stopped', async () => {
    const { asked, outcome, result } = await run(
      'completion',
      { type: 'textAdded', text: 'A poem' },
      new SwitchboardError('cancelled', 'Aborted.'),
    );
    assert.equal(asked[0]?.[0], 'completion');
    assert.equal(outcome.error?.message, 'The run was stopped.');
    assert.deepEqual([result.status, result.text, result.error], ['stopped', 'A poem', undefined]);
  });

  it('says what went wrong, and never throws', async () => {
    const { result } = await run('workflow', new SwitchboardError('app-unavailable', 'It is not set up.'));
    assert.deepEqual([result.status, result.error], ['failed', 'It is not set up.']);
    assert.equal((await run('workflow', new TypeError('a mistake'))).outcome.error?.code, 'internal');
  });

  it('says which version there is not, and leaves other failures as they are', async () => {
    const gone = new SwitchboardError('request', 'Not found.', { status: 404, address: 'https://a.example' });
    const failure = async (workflowId?: string) => {
      const client = {
        runWorkflow: async function* () {
          await Promise.reject(gone);
          yield* [];
        },
      } as Partial<AppClient>;
      const order = {
        client: client as AppClient,
        kind: 'workflow' as const,
        parameters,
        answers: {},
        stream: true,
      };
      const files = () => Promise.reject(new Error('no files'));
      return (await performRun({ ...order, workflowId, files }, new AbortController().signal, () => {}))
        .error;
    };
    const { message = '', status } = (await failure('0a1b')) ?? {};
    assert.match(message, /^Version 0a1b not found\./);
    assert.equal(status, 404);
    assert.equal(await failure(), gone);
  });

  it('waits where the run waits for human input', async () => {
    const { result } = await run('workflow', { type: 'paused', reasons: ['Approve'] });
    assert.equal(result.status, 'paused');
  });
});

describe('a run that waits', () => {
  const follow = (...told: (AppEvent | Error)[]) =>
    followWaitingRun(
      {
        async *followRun() {
          for (const event of told) {
            if (event instanceof Error) throw event;
            yield event;
          }
        },
      },
      'run-1',
      new AbortController().signal,
    );
  const notFound = (why: string) => new SwitchboardError('request', 'Not found.', { status: 404, why });

  it("is told as another user's where the platform denies having it", async () => {
    const { error } = await follow(notFound('Workflow run not found'));
    assert.ok(isOtherUsersRun(error));
    assert.match(error?.message ?? '', /started by another user and is waiting for their input/);
  });

  it('has any other failure as it is, and what it waits for', async () => {
    const missing = notFound('HTTP 404');
    const outcome = await follow(missing);
    assert.equal(outcome.error, missing);
    assert.equal(isOtherUsersRun(outcome.error), false);
    const waits = { type: 'paused', reasons: ['Approval'] } as const;
    assert.deepEqual((await follow(waits)).progress.waitsFor, ['Approval']);
  });
});
