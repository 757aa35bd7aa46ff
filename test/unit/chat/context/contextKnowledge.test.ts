import assert from 'node:assert/strict';
import { ContextKnowledge } from '../../../../src/chat/context/contextKnowledge.ts';

describe('chat/context/contextKnowledge', () => {
  const told = { windowed: { contextWindow: 128_000 }, unknown: {} };
  const knowledge = new ContextKnowledge((model) => told[model as keyof typeof told], new Map());

  it('asks for the size of the whole prompt only where nobody said the window', () => {
    const asked: string[] = [];
    const estimate = (model: string, tokens: number) => () => {
      asked.push(model);
      return tokens;
    };
    assert.ok(knowledge.budget('windowed', undefined, estimate('windowed', 20_000_000)).prompt < 128_000);
    assert.equal(knowledge.budget('unknown', undefined, estimate('unknown', 500)).prompt, Infinity);
    // Beyond any model's window.
    assert.ok(knowledge.budget('unknown', undefined, estimate('unknown', 20_000_000)).prompt < 1_000_000);
    assert.deepEqual(asked, ['unknown', 'unknown']);
  });
});
