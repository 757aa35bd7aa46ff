import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitName } from '../../../../src/webview/controls/middleTruncation.tsx';

describe('splitName', () => {
  for (const [name, tail] of [
    ['gpt-5-mini', ''],
    ['gpt-5.5-mini', '-mini'],
    ['claude-opus-4', 'opus-4'],
    ['Qwen3 Coder 480B A35B Instruct', ' A35B Instruct'],
    ['claude-sonnet-4-5-20250929', '-4-5-20250929'],
    ['claude-opus-4.5-20251101-thinking', '-thinking'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaa'],
    ['模型模型模型模型模型模型模型模型模型模型', '模型模型模型模型'],
  ] as const) {
    it(`keeps the end of ${name}`, () => assert.equal(splitName(name)[1], tail));
  }

  it('loses nothing, cuts no character in two, and keeps the end short', () => {
    const segmenter = new Intl.Segmenter();
    const count = (text: string) => [...segmenter.segment(text)].length;
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
        const [head, tail] = splitName(name);
        assert.equal(head + tail, name);
        assert.equal(count(head) + count(tail), count(name));
        assert.ok(count(tail) <= 14);
        if (count(name) <= 10) assert.equal(tail, '');
        else assert.ok(tail !== '' && head !== '');
      }),
    );
  });
});
