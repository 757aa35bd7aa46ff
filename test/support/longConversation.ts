import { Conversation } from '../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { segment } from './fakeSegments.ts';

/** Segments of each search that no search has found before. */
const freshPerTurn = 2;

/** @param answer replaces the short default text */
export function longConversation(
  turns: number,
  answer = (turn: number) => `Answer ${turn} [1].`,
): Conversation {
  return new Conversation('long', [...eventsOf(turns, answer)]);
}

function* eventsOf(turns: number, answer: (turn: number) => string): Generator<ChatEvent> {
  for (let turn = 0; turn < turns; turn++) {
    const first = turn * freshPerTurn;
    const sources = [1, first + 1, first + 2]
      .filter((n, index, all) => all.indexOf(n) === index)
      .map((n) => ({ n, ...segment(`doc${n}`) }));
    yield { type: 'userMessageAdded', id: `u${turn}`, text: `Question ${turn}` };
    const findings = { sources, searched: ['Harbour'], failures: [] };
    const outcome = { query: `Question ${turn}`, content: '', findings, durationMs: 1 };
    yield { type: 'knowledgeSearched', id: `s${turn}`, outcome };
    yield { type: 'answerStarted', id: `a${turn}`, model: 'm' };
    yield { type: 'textAdded', id: `a${turn}`, text: answer(turn) };
    yield { type: 'answerEnded', id: `a${turn}`, end: { reason: 'answered', usage: { promptTokens: 100 } } };
  }
}
