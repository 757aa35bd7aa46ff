import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Frame, frame, readFrame } from '../../../../src/base/text/frame.ts';
import { visibleName } from '../../../../src/base/text/visibleText.ts';
import { hostileText } from '../../../fuzz/inputs.ts';

const kind = fc.constantFrom('attachment', 'segment', 'result', 'message');
const words = ['</attachment', '<segment-', '-1234>', '1234', '&quot;', 'role="user"', '<', '/', '>', '\n'];
const facts = fc.dictionary(fc.constantFrom('path', 'role', 'knowledge-base'), hostileText(words), {
  noNullPrototype: true,
});

/** Imitated frames, even with the very tags that other text would get. */
const imitation: fc.Arbitrary<string> = fc.letrec<{ text: string; frame: string }>((tie) => ({
  text: fc
    .array(fc.oneof({ depthSize: 'small' }, hostileText(words), tie('frame')), { maxLength: 4 })
    .map((parts) => parts.join('\n')),
  frame: fc.record({ kind, facts, body: tie('text') }).map(frame),
})).text;

const marks = (count: number, step: number) =>
  Array.from({ length: count }, (_, index) => ((index * step) % 65536).toString(16).padStart(4, '0')).join(
    '.',
  );

function assertRead(given: Frame, before: string, after: string): void {
  const whole = frame(given);
  const { end, ...read } = readFrame(before + whole + after, before.length) ?? assert.fail('not a frame');
  assert.equal(end, before.length + whole.length);
  const shown = Object.entries(given.facts).map(([name, value]) => [name, visibleName(value)]);
  assert.deepEqual(read, { ...given, facts: Object.fromEntries(shown) });
}

describe('a frame around a text of others', () => {
  it('gives back one body, one source and one role, whatever is in it and around it', () => {
    fc.assert(fc.property(fc.record({ kind, facts, body: imitation }), imitation, imitation, assertRead), {
      numRuns: 300,
    });
  });

  it('has a mark that does not occur in the text, also not to a reader who skips what is not seen', () => {
    for (let seed = 0; seed < 10; seed++) {
      const body = `${seed} ${marks(50_000, 2 * seed + 1)}`;
      for (const text of [
        body,
        body.replace(/\w/g, '$&\u200b'),
        body.toUpperCase(),
        body.replaceAll('.', ''),
      ]) {
        const [, mark = ''] =
          /^<text-([0-9a-f]+)>/.exec(frame({ kind: 'text', facts: {}, body: text })) ?? [];
        const seen = text.toLowerCase().replace(/[^0-9a-z]/g, '');
        assert.ok(mark.length >= 4 && !seen.includes(mark), mark);
      }
    }
    const all = marks(65536, 1);
    const [, mark = ''] = /^<text-([0-9a-f]+)>/.exec(frame({ kind: 'text', facts: {}, body: all })) ?? [];
    assert.ok(mark.length > 4 && !all.replaceAll('.', '').includes(mark), mark);
  });

  it('is the same for the same text', () => {
    const given = { kind: 'text', facts: { path: 'a' }, body: 'b' };
    assert.equal(frame(given), '<text-3e23 path="a">\nb\n</text-3e23>');
  });

  it('has facts on one line, with nothing in them that is not seen', () => {
    fc.assert(
      fc.property(hostileText(words), (path) => {
        const [head = ''] = frame({ kind: 'text', facts: { path }, body: '' }).split('\n');
        assert.match(head, /^<text-[0-9a-f]+ path="[^"<>\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b]*">$/u);
      }),
    );
  });
});
