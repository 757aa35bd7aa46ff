import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimateTokens, sizeOfMessage } from '../../../../src/chat/context/tokenEstimate.ts';
import { TokenScale } from '../../../../src/chat/context/contextKnowledge.ts';

/** Counts of o200k_base; estimates are within a fifth. */
const counted: [text: string, tokens: number][] = [
  ['The quick brown fox jumps over the lazy dog near the river bank every single morning. '.repeat(10), 171],
  ['export function total(items: readonly Item[]): number {\n  return sum(items, 0);\n}\n'.repeat(10), 211],
  ['对话可能比模型的上下文更长，所以需要估算它的长度。'.repeat(10), 181],
  ['{"path":"src/main.ts","line":12,"text":"hello world"}'.repeat(10), 161],
];

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('chat/tokenEstimate', () => {
  for (const [text, tokens] of counted) {
    it(`is near the truth for ${JSON.stringify(text.slice(0, 24))}`, () => {
      const ratio = estimateTokens(text) / tokens;
      assert.ok(ratio > 0.8 && ratio < 1.35, `${estimateTokens(text)} for ${tokens}`);
    });
  }

  it('counts the id that names the call of a result', () => {
    const sizeWith = (toolCallId: string) =>
      sizeOfMessage({ role: 'tool', toolCallId, content: 'Low tide.' });
    const id = 'call_0123456789abcdef';
    assert.equal(sizeWith(id) - sizeWith(''), estimateTokens(id));
  });

  it('never shrinks when text is added, and costs hardly more than its parts', () => {
    const pieces = fc.oneof(anyText, fc.constantFrom('a', 'A', ' ', '\n  ', '1', '{"', '中', '🎉'));
    fc.assert(
      fc.property(pieces, pieces, (a, b) => {
        const whole = estimateTokens(a + b);
        assert.ok(whole >= Math.max(estimateTokens(a), estimateTokens(b)));
        // Two single spaces are free, a double one is not.
        assert.ok(whole <= estimateTokens(a) + estimateTokens(b) + 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes text of 5 MB in one line, whatever it is made of', () => {
    // Superlinear time would exceed the test's limit.
    for (const unit of ['x', '字', ' ', 'a1', '{"a":[1,2]},', 'word ']) {
      assert.ok(estimateTokens(unit.repeat(5_000_000 / unit.length)) > 0, unit);
    }
  });
});

describe('chat/tokenScale', () => {
  it('comes near what a model counts, quickly upwards and slowly downwards', () => {
    const scale = new TokenScale();
    assert.equal(scale.factor('m'), 1);
    scale.observe('m', 1000, 1500);
    assert.ok(scale.factor('m') > 1.3);
    assert.equal(scale.factor('other'), 1);
    scale.observe('m', 1000, 1000);
    assert.ok(scale.factor('m') > 1.2);
    for (let n = 0; n < 30; n++) scale.observe('m', 1000, 1000);
    assert.ok(Math.abs(scale.factor('m') - 1) < 0.01);
  });

  it('stays within bounds whatever a server reports, and learns nothing from a short prompt', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer(), fc.oneof(fc.double(), fc.integer()))), (reports) => {
        const scale = new TokenScale();
        for (const [estimated, reported] of reports) scale.observe('m', estimated, reported);
        assert.ok(scale.factor('m') >= 0.5 && scale.factor('m') <= 3);
      }),
    );
    const scale = new TokenScale();
    scale.observe('m', 20, 900);
    assert.equal(scale.factor('m'), 1);
  });
});
