import assert from 'node:assert/strict';
import { type ErrorCode, SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { summarise, type SummaryRequest } from '../../../../src/chat/context/summarise.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';

const conversation = [{ role: 'user', content: 'Hello' } as const];

/** @param answers one for each request: a failure, or events */
function summaryOf(...answers: (SwitchboardError | ModelEvent[])[]) {
  return summaryWithin(1_000, ...answers);
}

async function summaryWithin(room: number, ...answers: (SwitchboardError | ModelEvent[])[]) {
  const asked: boolean[] = [];
  const request: SummaryRequest = {
    ask: async (_messages, withTools, onAnswer) => {
      asked.push(withTools);
      const answer = answers.shift() ?? [];
      if (answer instanceof SwitchboardError) throw answer;
      for (const event of answer) onAnswer(event);
    },
    sent: () => conversation,
    messages: conversation,
    budget: 8_000,
    room,
  };
  return { summary: await summarise(request), asked };
}

const says = (text: string): ModelEvent[] => [
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop', usage: { promptTokens: 10, completionTokens: 2 } },
];
const called: ModelEvent[] = [
  { type: 'textAdded', text: 'Let me look.' },
  { type: 'toolCallsCompleted', calls: [{ id: 'c', name: 'read_file', arguments: '{}' }] },
];

describe('a summary of a conversation', () => {
  it('is asked for after the conversation, and with a transcript where that request fails by itself', async () => {
    for (const code of [
      ...(['request', 'context-too-long', 'too-large', 'truncated', 'empty-reply'] as const),
      ...(['timeout-first-token', 'timeout-idle'] as const),
    ]) {
      const { summary, asked } = await summaryOf(new SwitchboardError(code, 'No.'), says('They met.'));
      assert.deepEqual([asked, 'text' in summary && summary.text], [[true, false], 'They met.'], code);
    }
  });

  it('is not asked for again where the turn would fail, too', async () => {
    for (const code of ['key', 'balance', 'budget', 'offline', 'cancelled'] satisfies ErrorCode[])
      await assert.rejects(summaryOf(new SwitchboardError(code, 'No.'), says('They met.')), { code });
  });

  it('is no text before a call, and no empty one; what both requests cost is told', async () => {
    const { summary } = await summaryOf(called, says('They met.'));
    assert.equal('text' in summary && summary.text, 'They met.');
    const failed = (await summaryOf(says(' '), says('\n'))).summary;
    assert.match('problem' in failed ? failed.problem : '', /finished without an answer/);
    assert.equal(failed.usage?.promptTokens, 20);
  });

  it('is not asked for where it would have too little room', async () => {
    const { summary, asked } = await summaryWithin(60, says('They met.'));
    assert.deepEqual([summary, asked], [{ problem: 'Not enough room for a summary.' }, []]);
  });
});
