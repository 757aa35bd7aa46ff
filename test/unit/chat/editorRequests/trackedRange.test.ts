import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextChange } from '../../../../src/base/text/textChange.ts';
import { RewrittenPart, TrackedRange } from '../../../../src/chat/editorRequests/trackedRange.ts';

describe('a part of a text that is typed in', () => {
  it('is found again wherever it is, unless something in it was changed', () => {
    const word = fc.string({ maxLength: 5 });
    fc.assert(
      fc.property(word, word, word, fc.array(fc.tuple(fc.nat(20), fc.nat(4), word)), (a, part, b, edits) => {
        let text = a + part + b;
        const range = new TrackedRange(a.length, a.length + part.length);
        for (const [at, length, typed] of edits) {
          const rangeOffset = Math.min(at, text.length);
          const rangeLength = Math.min(length, text.length - rangeOffset);
          range.follow([{ rangeOffset, rangeLength, text: typed }]);
          text = text.slice(0, rangeOffset) + typed + text.slice(rangeOffset + rangeLength);
          if (range.isChanged) return;
          assert.equal(text.slice(range.start, range.end), part);
        }
      }),
    );
  });

  it('moves with what is typed before it, at its beginning and after it, and with several changes at once', () => {
    const range = new TrackedRange(10, 20);
    // In the editor's order: from the end, each relative to the original text.
    range.follow([
      { rangeOffset: 20, rangeLength: 3, text: '' },
      { rangeOffset: 10, rangeLength: 0, text: 'ab' },
      { rangeOffset: 0, rangeLength: 4, text: '' },
    ]);
    assert.deepEqual([range.start, range.end, range.isChanged], [8, 18, false]);
  });

  it('holds what is typed in it, and not what is typed over its ends', () => {
    const after = (...change: readonly [number, number, string]) => {
      const [rangeOffset, rangeLength, text] = change;
      const range = new TrackedRange(10, 20);
      range.follow([{ rangeOffset, rangeLength, text }]);
      return [range.start, range.end];
    };
    assert.deepEqual(after(12, 2, 'abc'), [10, 21]);
    assert.deepEqual(after(8, 4, 'abc'), [11, 19]);
    assert.deepEqual(after(18, 4, 'abc'), [10, 21]);
    assert.deepEqual(after(5, 30, 'abc'), [8, 8]);
  });

  for (const [what, start, end, change] of [
    ['in it', 10, 20, [12, 1, '']],
    ['over its beginning', 10, 20, [8, 4, 'x']],
    ['over its end', 10, 20, [19, 4, 'x']],
    ['around it', 10, 20, [5, 30, 'x']],
    ['where it has no character', 10, 10, [10, 0, 'x']],
  ] as const) {
    it(`is another after a change ${what}`, () => {
      const range = new TrackedRange(start, end);
      const [rangeOffset, rangeLength, text] = change;
      range.follow([{ rangeOffset, rangeLength, text }]);
      assert.equal(range.isChanged, true);
    });
  }
});

/** A document with a part in it that is rewritten, as an editor has it. */
class Rewriting {
  readonly part: RewrittenPart;

  constructor(
    before: string,
    readonly original: string,
    after: string,
  ) {
    this.text = before + original + after;
    this.part = new RewrittenPart(before.length, original);
  }

  text: string;

  make(change: TextChange | undefined): void {
    if (!change) return;
    this.write(change);
    assert.equal(this.part.follow([change]), true);
  }

  type(change: TextChange): void {
    this.write(change);
    this.part.follow([change]);
  }

  lines(lines: readonly string[]): void {
    this.make(this.part.stepToLines(this.text, lines.join('\n'), lines.length, '\n'));
  }

  private write({ rangeOffset, rangeLength, text }: TextChange): void {
    this.text = this.text.slice(0, rangeOffset) + text + this.text.slice(rangeOffset + rangeLength);
  }
}

describe('a part that is rewritten while it is typed around it', () => {
  const lineOf = fc.stringMatching(/^[ab ]{0,3}$/);
  const lines = fc.array(lineOf, { minLength: 1, maxLength: 6 });
  const around = lines.map((all) => `${all.join('\n')}\n`);
  const typed = fc.record({ at: fc.nat(40), length: fc.nat(3), text: fc.stringMatching(/^[xy\n]{0,3}$/) });
  const acts = fc.array(fc.oneof(fc.constant('line' as const), typed), { maxLength: 20 });
  const changeIn = (
    text: string,
    { at, length, text: words }: { at: number; length: number; text: string },
  ) => {
    const rangeOffset = Math.min(at, text.length);
    return { rangeOffset, rangeLength: Math.min(length, text.length - rangeOffset), text: words };
  };

  it('becomes the whole replacement, and nothing else changes, whatever comes in which pieces', () => {
    fc.assert(
      fc.property(around, lines, around, lines, acts, (before, old, after, replacement, all) => {
        const rewriting = new Rewriting(before, old.join('\n'), after);
        let [head, tail] = [before, after];
        let count = 0;
        for (const act of all) {
          const { start, end } = rewriting.part.place;
          if (act === 'line') {
            rewriting.lines(replacement.slice(0, (count = Math.min(count + 1, replacement.length))));
            continue;
          }
          const change = changeIn(rewriting.text, act);
          const to = change.rangeOffset + change.rangeLength;
          // Only what is typed elsewhere; at the part's beginning it is before it.
          if (to > start && change.rangeOffset < end) continue;
          if (start === end && change.rangeOffset === start) continue;
          if (change.rangeOffset >= end) {
            const at = change.rangeOffset - end;
            tail = tail.slice(0, at) + change.text + tail.slice(at + change.rangeLength);
          } else head = head.slice(0, change.rangeOffset) + change.text + head.slice(to);
          rewriting.type(change);
        }
        assert.equal(rewriting.part.isChanged, false);
        const { part, original } = rewriting;
        assert.equal(part.withOriginal(rewriting.text), head + original + tail);
        const whole = replacement.join('\n');
        rewriting.make(part.stepTo(rewriting.text, whole, original.length));
        assert.equal(rewriting.text, head + whole + tail);
        rewriting.make(part.restoration(rewriting.text));
        assert.equal(rewriting.text, head + original + tail);
      }),
    );
  });

  it('gets its old text back where something in it was changed, with what was typed into lines still to come', () => {
    fc.assert(
      fc.property(around, lines, around, lines, typed, (before, old, after, replacement, act) => {
        const original = old.join('\n');
        const rewriting = new Rewriting(before, original, after);
        const { part } = rewriting;
        rewriting.lines(replacement);
        const { isRewritten } = part;
        const rest = original.split('\n').slice(replacement.length).join('\n');
        const change = changeIn(rewriting.text, act);
        const [from, to] = [change.rangeOffset, change.rangeOffset + change.rangeLength];
        const restAt = part.place.end - rest.length;
        rewriting.type(change);
        if (!part.isChanged || !isRewritten) return;
        rewriting.make(part.restoration(rewriting.text));
        if (from < before.length || to > restAt + rest.length) return;
        const typedRest = from >= restAt && rest !== '';
        const expected = typedRest
          ? rest.slice(0, from - restAt) + change.text + rest.slice(to - restAt)
          : rest;
        const kept = original.slice(0, original.length - rest.length);
        assert.equal(rewriting.text, before + kept + expected + after);
      }),
    );
  });

  it('shows the lines that have come in the place of as many old ones', () => {
    const rewriting = new Rewriting('top\n', 'a\nb\nc', '\nend');
    rewriting.lines(['A']);
    assert.equal(rewriting.text, 'top\nA\nb\nc\nend');
    rewriting.lines(['A', 'B']);
    assert.equal(rewriting.text, 'top\nA\nB\nc\nend');
    rewriting.lines(['A', 'B', 'C', 'D']);
    assert.equal(rewriting.text, 'top\nA\nB\nC\nD\nend');
  });

  it('knows its own change among those of the same event, and none that was refused', () => {
    const { part, text } = new Rewriting('top\n  \n', 'a\nb', '\n  ');
    const change = part.stepToLines(text, 'A', 1, '\n')!;
    assert.equal(part.follow([{ rangeOffset: text.length - 2, rangeLength: 2, text: '' }, change]), true);
    assert.deepEqual([part.isChanged, part.place.end - part.place.start], [false, 3]);
    const refused = part.stepTo(text, 'AB', 3)!;
    part.giveUp();
    assert.equal(part.follow([refused]), false);
    assert.equal(part.isChanged, true);
  });

  it('is back where the editor undoes its steps', () => {
    const rewriting = new Rewriting('top\n', 'a\nb', '\n');
    rewriting.lines(['A']);
    rewriting.type({ rangeOffset: 4, rangeLength: 1, text: 'a' });
    assert.equal(rewriting.part.isChanged, true);
    assert.equal(rewriting.part.restoration(rewriting.text), undefined);
  });
});
