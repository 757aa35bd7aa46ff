import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mostResults, readTestFile } from '../../src/knowledgeTests/testFile.ts';
import { completeTestFile } from '../../src/knowledgeTests/testFileHints.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

const marks = [
  ...['knowledge: ', 'questions:\n', '- question: ', 'find: ', 'file: ', 'lines: ', 'words: ', 'top: '],
  ...['- ', '  ', '    ', '\n', '\r\n', '#', '---\n', '&a ', '*a', '<<: *a', '!!binary ', '[', ']', '{', '}'],
  ...['"', "'", '|\n', '? ', ': ', '12-30', '../a', '\0', '__proto__: 1\n'],
];
const yaml = fc
  .array(fc.oneof(fc.constantFrom(...marks), hostileText(marks, 2)), { maxLength: 40 })
  .map((parts) => parts.join(''));

/** Texts that are not empty, and not cut by reading. */
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((text) => text.trim() === text && text !== '' && text.isWellFormed());
const line = fc.integer({ min: 1, max: 99_999 });
const place = fc.record({
  file: fc.stringMatching(/^[a-z]{1,8}\/[a-z]{1,8}\.md$/),
  lines: fc.tuple(line, line).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const),
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
});
const good = fc.record({
  knowledge: fc.array(word, { minLength: 1, maxLength: 3 }),
  questions: fc.uniqueArray(
    fc.record({
      question: word,
      top: fc.integer({ min: 1, max: mostResults }),
      find: fc.array(place, { minLength: 1 }),
    }),
    { minLength: 1, maxLength: 5, selector: ({ question }) => question },
  ),
});

export const target: Target = {
  'never throws, places every problem in the text, and runs no question that has one': {
    runs: 500,
    property: fc.property(yaml, fc.nat(), (text, at) => {
      const { problems, questions, problem } = readTestFile(text);
      for (const { start, end, message } of problems) {
        assert.ok(start >= 0 && start <= end && end <= text.length + 1);
        assert.ok(message.length < 1000);
      }
      for (const question of questions.filter((each) => !each.problem)) {
        assert.ok(question.text !== '' && question.places.length > 0);
        assert.ok(question.top >= 1 && question.top <= mostResults);
        for (const { file, lines } of question.places) {
          assert.doesNotMatch(file, /^$|^\/|(?:^|\/)\.\.(?:\/|$)/);
          assert.ok(!lines || (lines.startLine >= 1 && lines.startLine <= lines.endLine));
        }
      }
      if (problems.length > 0 && !problem)
        assert.ok(questions.length === 0 || questions.some((each) => each.problem));
      completeTestFile(text, at % (text.length + 1));
    }),
  },
  'gives back whatever was written': {
    runs: 200,
    property: fc.property(good, ({ knowledge, questions }) => {
      const written = questions.map(({ find, ...question }) => ({
        ...question,
        find: find.map(({ lines, ...rest }) => ({ ...rest, lines: lines.join('-') })),
      }));
      const read = readTestFile(JSON.stringify({ knowledge, questions: written }));
      assert.deepEqual(read.problems, []);
      assert.deepEqual(read.bases, knowledge);
      assert.deepEqual(
        read.questions.map(({ text, top, places }) => ({
          ...{ question: text, top },
          find: places.map(({ file, lines, words }) => ({
            file,
            words,
            lines: [lines?.startLine, lines?.endLine],
          })),
        })),
        questions.map(({ question, top, find }) => ({
          ...{ question, top },
          find: find.map(({ file, words, lines }) => ({ file, words, lines: [...lines] })),
        })),
      );
    }),
  },
};
