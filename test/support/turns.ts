import fc from 'fast-check';
import { Conversation } from '../../src/chat/conversation/conversation.ts';

export interface Turn {
  text: string;
  rounds: string[][];
  answer?: string | undefined;
}

export const words = (tokens: number, word = 'word') => `${word} `.repeat(tokens).trim();

export function conversationOf(turns: readonly Turn[]): Conversation {
  const chat = new Conversation('chat');
  turns.forEach(({ text, rounds, answer }, t) => {
    chat.apply({ type: 'userMessageAdded', id: `u${t}`, text });
    rounds.forEach((results, r) => {
      const id = `a${t}.${r}`;
      const calls = results.map((_, n) => ({ id: `${id}.${n}`, callId: `c${t}.${r}.${n}`, name: 'read' }));
      chat.apply({ type: 'answerStarted', id, model: 'm' });
      chat.apply({ type: 'reasoningAdded', id, text: 'Let me see.' });
      chat.apply({
        type: 'toolsCalled',
        id,
        calls: calls.map((call) => ({ ...call, input: { path: 'a.ts' } })),
      });
      chat.apply({ type: 'answerEnded', id, end: { reason: 'called' } });
      results.forEach((content, n) =>
        chat.apply({
          type: 'toolFinished',
          id: `${id}.${n}`,
          outcome: { state: 'done', content, durationMs: 0 },
        }),
      );
    });
    if (answer === undefined) return;
    chat.apply({ type: 'answerStarted', id: `e${t}`, model: 'm' });
    chat.apply({ type: 'textAdded', id: `e${t}`, text: answer });
    chat.apply({ type: 'answerEnded', id: `e${t}`, end: { reason: 'answered' } });
  });
  return chat;
}

const size = fc.oneof(fc.nat(30), fc.nat(3000));
const content = fc
  .tuple(size, fc.constantFrom('word', '字字', '{"a":1}', 'x\n', '🎉'))
  .map(([tokens, word]) => words(tokens, word));
const turn = fc.record({
  text: content.map((text) => text || 'Go'),
  rounds: fc.array(fc.array(content, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
  answer: content.map((text) => text || 'Done.'),
});

export const someTurns = fc.array(turn, { minLength: 1, maxLength: 6 });
