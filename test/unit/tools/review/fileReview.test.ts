import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FileReview } from '../../../../src/tools/review/fileReview.ts';
import { splitLines } from '../../../../src/tools/review/lineHistory.ts';

/** A file changed by tools and the user in turn. */
function review(before: string | undefined, ...steps: ['tool' | 'user', string | undefined][]): FileReview {
  return steps.reduce((file, [by, text]) => file.advance(text, by), FileReview.of(before));
}

const undone = (file: FileReview) => file.undo(file.hunks).text;
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

describe('review of a file', () => {
  it('has a hunk for each stretch that tools changed, and none for what the user wrote', () => {
    const file = review(
      lines('a', 'b', 'c', 'd', 'e', 'f'),
      ['tool', lines('a', 'B', 'c', 'd', 'e', 'f', 'g')],
      ['user', lines('mine', 'a', 'B', 'c', 'd', 'my e', 'f', 'g')],
    );
    assert.deepEqual(file.hunks, [
      { from: 2, to: 3, before: 'b\n', now: 'B\n', isEdited: false },
      { from: 7, to: 8, before: '', now: 'g\n', isEdited: false },
    ]);
    assert.equal(undone(file), lines('mine', 'a', 'b', 'c', 'd', 'my e', 'f'));
    assert.equal(file.undo(file.hunks.slice(1)).text, lines('mine', 'a', 'B', 'c', 'd', 'my e', 'f'));
  });

  it('leaves a hunk that the user changed since, and says so', () => {
    const file = review(
      lines('a', 'b', 'c', 'x', 'd'),
      ['tool', lines('a', 'B', 'C', 'x', 'D')],
      ['user', lines('a', 'B', 'my C', 'x', 'D')],
    );
    assert.deepEqual(
      file.hunks.map(({ isEdited }) => isEdited),
      [true, false],
    );
    assert.equal(undone(file), lines('a', 'B', 'my C', 'x', 'd'));
    assert.equal(undone(file.undo(file.hunks)), lines('a', 'B', 'my C', 'x', 'd'));
    assert.equal(file.before, lines('a', 'b', 'c', 'x', 'd'));
  });

  it('leaves what the user wrote where tools had removed lines', () => {
    const file = review(lines('a', 'b', 'c'), ['tool', lines('a', 'c')], ['user', lines('a', 'mine', 'c')]);
    assert.equal(undone(file), lines('a', 'mine', 'c'));
    assert.equal(file.hunks[0]?.isEdited, true);
  });

  it('tells the edits of tools from those of the user between them', () => {
    const file = review(
      lines('a', 'b', 'c', 'd', 'e'),
      ['tool', lines('A', 'b', 'c', 'd', 'e')],
      ['user', lines('A', 'b', 'mine', 'd', 'e')],
      ['tool', lines('A', 'b', 'mine', 'd', 'E', 'f')],
    );
    assert.equal(file.hunks.length, 2);
    assert.equal(undone(file), lines('a', 'b', 'mine', 'd', 'e'));
  });

  it('undoes one of two hunks at the same place, and leaves the one that the user changed', () => {
    const file = review(lines('a', 'b'), ['tool', lines('b', 'new')], ['user', '']);
    assert.deepEqual(
      file.hunks.map(({ from, to, isEdited }) => [from, to, isEdited]),
      [
        [0, 0, false],
        [0, 0, true],
      ],
    );
    const left = file.undo(file.hunks.slice(0, 1));
    assert.deepEqual(
      left.hunks.map(({ isEdited }) => isEdited),
      [true],
    );
    assert.equal(left.text, lines('a'));
  });

  it('has nothing of what was put back by hand, nor of what tools put back themselves', () => {
    const [a, b] = [lines('a', 'b', 'c'), lines('a', 'B', 'c')];
    assert.deepEqual(review(a, ['tool', b], ['user', a]).hunks, []);
    const file = review(a, ['tool', lines('A', 'B', 'c')], ['tool', lines('A', 'b', 'c')]);
    assert.deepEqual(
      file.hunks.map(({ before, now }) => [before, now]),
      [['a\n', 'A\n']],
    );
  });

  it('forgets hunks that are kept, and undoes the others', () => {
    const file = review(lines('a', 'b', 'c'), ['tool', lines('A', 'b', 'C')]);
    const kept = file.keep(file.hunks.slice(0, 1));
    assert.deepEqual(
      kept.hunks.map(({ now }) => now),
      ['C\n'],
    );
    assert.equal(undone(kept), lines('A', 'b', 'c'));
    const edited = review(lines('a', 'b'), ['tool', lines('A', 'b')], ['user', lines('A!', 'b')]);
    assert.deepEqual(edited.keep(edited.hunks).advance(lines('A!!', 'b'), 'user').hunks, []);
  });

  it('removes a file that tools made, unless the user wrote in it', () => {
    const made = review(undefined, ['tool', lines('a', 'b')]);
    assert.equal(undone(made), undefined);
    assert.equal(undone(made.advance(lines('a', 'b', 'mine'), 'user')), lines('mine'));
    assert.equal(undone(made.advance('', 'user')), undefined);
    assert.equal(undone(made.keep(made.hunks)), lines('a', 'b'));
    const empty = review(undefined, ['tool', '']);
    assert.equal(empty.hunks.length, 1);
    assert.equal(undone(empty), undefined);
    assert.deepEqual(empty.keep(empty.hunks).hunks, []);
  });

  it('brings a file back that tools removed, and none that the user removed', () => {
    const before = lines('a', 'b');
    assert.equal(undone(review(before, ['tool', undefined])), before);
    assert.deepEqual(review(before, ['tool', undefined]).keep([]).hunks.length, 1);
    const gone = review(before, ['tool', lines('a', 'B')], ['user', undefined]);
    assert.equal(undone(gone), undefined);
    assert.deepEqual(
      gone.hunks.map(({ isEdited }) => isEdited),
      [true],
    );
  });

  it('keeps line ends, a missing one at the end, and a byte order mark', () => {
    const before = '\uFEFFa\r\nb\r\nc';
    const file = review(before, ['tool', '\uFEFFa\r\nB\r\nc\r\nd']);
    assert.equal(undone(file), before);
    // The user's last line stays separate.
    const appended = review('a\nb', ['tool', 'a\nB\nc\n'], ['user', 'a\nB\nc\nmine']);
    assert.equal(undone(appended), 'a\nb\nmine');
    // An editor writes one kind of line end; that is nobody's change.
    assert.deepEqual(review('a\r\nb\n', ['tool', 'a\r\nB\r\n'], ['user', 'a\nB\n']).hunks, [
      { from: 1, to: 2, before: 'b\n', now: 'B\n', isEdited: false },
    ]);
    assert.deepEqual(splitLines('a\rb\r\nc\n\nd'), ['a\r', 'b\r\n', 'c\n', '\n', 'd']);
  });
});

describe('review of a file, whatever is written', () => {
  const end = fc.constantFrom('\n', '\r\n');
  /** Texts whose words tell each author's lines. */
  const textOf = (all: string[], eol: string, isOpen: boolean) =>
    all.join(eol) + (isOpen || all.length === 0 ? '' : eol);
  type Edit = { at: number; remove: number; add: number };
  const edit = fc.record({ at: fc.nat(30), remove: fc.nat(3), add: fc.nat(3) });
  const step = fc.record({
    by: fc.constantFrom<'tool' | 'user'>('tool', 'user'),
    edits: fc.array(edit, { maxLength: 3 }),
  });
  const story = fc.record({
    length: fc.nat(12),
    eol: end,
    isOpen: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  });

  /** Plays a story; `own` makes an author's lines, all different unless `words` is small. */
  function play(
    { length, eol, isOpen, steps }: typeof story extends fc.Arbitrary<infer T> ? T : never,
    words = 1e9,
  ) {
    let now = Array.from({ length }, (_, n) => `old ${n % words}`);
    let file = FileReview.of(textOf(now, eol, isOpen));
    let count = 0;
    const apply = ({ at, remove, add }: Edit, by: string) => {
      const place = now.length === 0 ? 0 : at % (now.length + 1);
      now = now.toSpliced(place, remove, ...Array.from({ length: add }, () => `${by} ${count++ % words}`));
    };
    for (const { by, edits } of steps) {
      for (const each of edits) apply(each, by);
      file = file.advance(textOf(now, eol, isOpen), by);
    }
    return {
      file,
      before: textOf(
        Array.from({ length }, (_, n) => `old ${n % words}`),
        eol,
        isOpen,
      ),
    };
  }
  const words = (text: string | undefined) =>
    splitLines(text ?? '').map((line) => line.replace(/[\r\n]+$/, ''));
  const usersIn = (text: string | undefined) => words(text).filter((line) => line.startsWith('user'));

  it('leaves every line of the user as it is and in its order, whatever is undone', () => {
    fc.assert(
      fc.property(story, fc.array(fc.nat(20), { maxLength: 5 }), (told, picks) => {
        const { file } = play(told);
        const chosen = file.hunks.filter((_, index) => picks.includes(index));
        for (const some of [chosen, file.hunks]) {
          assert.deepEqual(usersIn(file.undo(some).text), usersIn(file.text));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves no line of tools but in hunks that the user changed, and brings back what only they removed', () => {
    fc.assert(
      fc.property(story, (told) => {
        const { file, before } = play(told);
        const after = file.undo(file.hunks);
        const left = after.hunks.map(({ now }) => now).join('');
        for (const line of words(after.text)) {
          if (line.startsWith('tool')) assert.ok(words(left).includes(line));
        }
        assert.ok(after.hunks.every(({ isEdited }) => isEdited));
        if (told.steps.every(({ by }) => by === 'tool')) assert.equal(after.text, before);
        if (told.steps.every(({ by }) => by === 'user')) assert.deepEqual(file.hunks, []);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives the same bytes again when what was undone is made again', () => {
    fc.assert(
      fc.property(story, (told) => {
        const { file } = play(told);
        const before = file.undo(file.hunks).text;
        const back = FileReview.of(file.text).advance(before, 'tool');
        assert.equal(back.undo(back.hunks).text, file.text);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same when it was written down and read again', () => {
    fc.assert(
      fc.property(story, fc.array(fc.nat(20), { maxLength: 5 }), fc.boolean(), (told, picks, keeps) => {
        const { file } = play(told, 3);
        const chosen = file.hunks.filter((_, index) => picks.includes(index));
        const decided = keeps ? file.keep(chosen) : file.undo(chosen);
        const again = FileReview.resume(decided.open(), decided.text);
        assert.deepEqual(again.hunks, decided.hunks);
        assert.equal(again.undo(again.hunks).text, decided.undo(decided.hunks).text);
        const left = file.hunks.length - chosen.filter(({ isEdited }) => keeps || !isEdited).length;
        assert.equal(decided.hunks.length, left);
      }),
      { numRuns: 1000 },
    );
  });

  it('leads from one text to the other, in whatever order hunks are undone', () => {
    fc.assert(
      fc.property(story, (told) => {
        const { file } = play(told, 4);
        let one = file;
        for (;;) {
          const next = one.hunks.findLast(({ isEdited }) => !isEdited);
          if (!next) break;
          one = one.undo([next]);
        }
        assert.equal(one.text, file.undo(file.hunks).text);
      }),
      { numRuns: 1000 },
    );
  });
});
