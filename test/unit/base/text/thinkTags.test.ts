import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ThinkTagSplitter } from '../../../../src/base/text/thinkTags.ts';

function split(pieces: readonly string[]): { reasoning: string; text: string } {
  const splitter = new ThinkTagSplitter();
  const parts = [...pieces.map((piece) => splitter.add(piece)), splitter.end()];
  return {
    reasoning: parts.map((part) => part.reasoning).join(''),
    text: parts.map((part) => part.text).join(''),
  };
}

describe('ThinkTagSplitter', () => {
  const cases: [text: string, reasoning: string, answer: string][] = [
    ['<think>I see</think>\n\nYes', 'I see', 'Yes'],
    ['\n<think>\nI see\n</think>Yes', '\nI see\n', 'Yes'],
    ['Yes <think>no</think>', '', 'Yes <think>no</think>'],
    ['<thinking>x</thinking>', '', '<thinking>x</thinking>'],
    ['<thi', '', '<thi'],
    ['<think>never closed </thin', 'never closed </thin', ''],
    ['<think></think>', '', ''],
    ['  plain', '', '  plain'],
    ['<think>a</think>b</think>', 'a', 'b</think>'],
  ];
  for (const [text, reasoning, answer] of cases) {
    it(`splits ${JSON.stringify(text)} in any pieces`, () => {
      assert.deepEqual(split([text]), { reasoning, text: answer });
      assert.deepEqual(split(text.split('')), { reasoning, text: answer });
      for (let at = 0; at <= text.length; at++) {
        assert.deepEqual(split([text.slice(0, at), text.slice(at)]), { reasoning, text: answer });
      }
    });
  }

  it('leaves any text that does not begin with the tag as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (pieces) => {
        const text = pieces.join('');
        fc.pre(!text.trimStart().startsWith('<think>'));
        assert.deepEqual(split(pieces), { reasoning: '', text });
      }),
    );
  });
});
