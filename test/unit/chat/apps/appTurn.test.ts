import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AppEvent } from '../../../../src/apps/app.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { type AppTurnEvent, runAppTurn } from '../../../../src/chat/apps/appTurn.ts';
import type { AnswerEnd } from '../../../../src/chat/store/events.ts';

type TurnEvent = AppTurnEvent | { type: 'turnEnded'; end: AnswerEnd };

async function turnOf(events: readonly (AppEvent | Error)[]): Promise<TurnEvent[]> {
  let ids = 0;
  let time = 0;
  async function* ask() {
    for (const event of events) {
      if (event instanceof Error) throw event;
      yield event;
    }
  }
  const turn: TurnEvent[] = [];
  const context = {
    model: 'app1',
    ask,
    onEvent: async (event: AppTurnEvent) => void turn.push(event),
    newId: () => `id${++ids}`,
    now: () => (time += 10),
  };
  turn.push({ type: 'turnEnded', end: await runAppTurn(context, new AbortController().signal) });
  return JSON.parse(JSON.stringify(turn)) as TurnEvent[];
}

const said = (text: string): AppEvent => ({ type: 'textAdded', text });
const ended: AppEvent = { type: 'ended', usage: { totalTokens: 5, price: '0.1' }, files: [] };
const thought = {
  id: 't1',
  position: 1,
  thought: 'x',
  tool: 'wiki',
  toolLabel: 'Wikipedia',
  toolInput: '{"q":1}',
};
const answered = { reason: 'answered', usage: { totalTokens: 5 } };

describe('runAppTurn', () => {
  it('gives an answer in the words of the chat', async () => {
    assert.deepEqual(
      await turnOf([
        { type: 'requestSent' },
        { type: 'started', taskId: 't', conversationId: 'c1', messageId: 'm1' },
        { type: 'reasoningAdded', text: 'hm' },
        said('Hi'),
        { type: 'sourcesFound', sources: [{ documentName: 'ci.md', score: 0.5 }] },
        ended,
      ]),
      [
        { type: 'answerStarted', id: 'id1', model: 'app1' },
        { type: 'requestSent' },
        { type: 'runStarted', conversationId: 'c1', messageId: 'm1' },
        { type: 'reasoningAdded', id: 'id1', text: 'hm' },
        { type: 'textAdded', id: 'id1', text: 'Hi' },
        {
          type: 'segmentsFound',
          id: 'id1',
          sources: [
            {
              ...{
                n: 1,
                datasetId: '',
                datasetName: '',
                documentId: '',
                documentName: 'ci.md',
                segmentId: '',
              },
              ...{ score: 0.5, content: '' },
            },
          ],
        },
        { type: 'answerEnded', id: 'id1', end: answered },
        { type: 'turnEnded', end: answered },
      ],
    );
  });

  it('makes a tool that an agent used a call between two answers', async () => {
    const events = await turnOf([
      said('Look.'),
      { type: 'thoughtChanged', thought: { id: 't1', position: 1, thought: '' } },
      { type: 'thoughtChanged', thought },
      { type: 'thoughtChanged', thought: { ...thought, observation: 'found' } },
      { type: 'thoughtChanged', thought: { ...thought, observation: 'found' } },
      said('It is.'),
      ended,
    ]);
    assert.deepEqual(events, [
      { type: 'answerStarted', id: 'id1', model: 'app1' },
      { type: 'textAdded', id: 'id1', text: 'Look.' },
      { type: 'answerEnded', id: 'id1', end: { reason: 'called' } },
      {
        type: 'toolsCalled',
        id: 'id1',
        calls: [{ id: 'id2', callId: 't1', name: 'Wikipedia', input: { q: 1 }, title: 'Wikipedia' }],
      },
      { type: 'toolStateChanged', id: 'id2', state: 'running' },
      { type: 'toolFinished', id: 'id2', outcome: { state: 'done', content: 'found', durationMs: 10 } },
      { type: 'answerStarted', id: 'id3', model: 'app1' },
      { type: 'textAdded', id: 'id3', text: 'It is.' },
      { type: 'answerEnded', id: 'id3', end: answered },
      { type: 'turnEnded', end: answered },
    ]);
  });

  it('replaces the text of all answers of the turn', async () => {
    const events = await turnOf([
      said('Bad.'),
      { type: 'thoughtChanged', thought },
      { type: 'textReplaced', text: 'Good.' },
      ended,
    ]);
    assert.deepEqual(
      events.filter(({ type }) => type === 'textReplaced'),
      [
        { type: 'textReplaced', id: 'id1', text: '' },
        { type: 'textReplaced', id: 'id3', text: 'Good.' },
      ],
    );
  });

  const endOf = async (...events: (AppEvent | Error)[]) => {
    const last = (await turnOf(events)).at(-1);
    return last?.type === 'turnEnded' ? [last.end.reason, last.end.failure?.code] : undefined;
  };

  it('fails where nothing was said, but not where a person is needed or a file was given', async () => {
    assert.deepEqual(await endOf({ type: 'reasoningAdded', text: 'hm' }, ended), ['failed', 'empty-reply']);
    assert.deepEqual(await endOf({ type: 'paused', reasons: [] }, ended), ['answered', undefined]);
    assert.deepEqual(await endOf({ type: 'ended', files: [{ name: 'x' }] }), ['answered', undefined]);
    for (const text of ['', ' \n']) {
      assert.deepEqual(await endOf({ type: 'textReplaced', text }, ended), ['failed', 'empty-reply']);
    }
    assert.deepEqual(await endOf({ type: 'textReplaced', text: 'x' }, ended), ['answered', undefined]);
  });

  it('tells a stop from a failure', async () => {
    assert.deepEqual(await endOf(said('a'), new SwitchboardError('cancelled', 'Stopped.')), [
      'stopped',
      undefined,
    ]);
    assert.deepEqual(await endOf(said('a'), new SwitchboardError('truncated', 'Cut.')), [
      'failed',
      'truncated',
    ]);
    assert.deepEqual(await endOf(new TypeError('a mistake')), ['failed', 'internal']);
  });

  it('ends every answer and every call once, whatever comes', async () => {
    const event = fc.oneof(
      fc.constantFrom<(AppEvent | Error)[]>(
        said('a'),
        { type: 'textReplaced', text: 'b' },
        { type: 'thoughtChanged', thought },
        { type: 'thoughtChanged', thought: { ...thought, id: 't2' } },
        { type: 'thoughtChanged', thought: { ...thought, observation: 'o' } },
        { type: 'paused', reasons: ['x'] },
        { type: 'fileAdded', file: { id: 'f', name: 'f' } },
        { type: 'sourcesFound', sources: [] },
        new SwitchboardError('cancelled', 'Stopped.'),
        ended,
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
        const turn = await turnOf(events);
        const idsOf = (type: AppTurnEvent['type']) =>
          turn.flatMap((one) => (one.type === type && 'id' in one ? one.id : []));
        assert.deepEqual(idsOf('answerEnded'), idsOf('answerStarted'));
        const called = turn.flatMap((one) =>
          one.type === 'toolsCalled' ? one.calls.map(({ id }) => id) : [],
        );
        assert.deepEqual(idsOf('toolFinished').toSorted(), called.toSorted());
      }),
    );
  });
});
