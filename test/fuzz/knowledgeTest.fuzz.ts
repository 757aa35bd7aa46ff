import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mostResults, readTestFile } from '../../src/knowledgeTests/testFile.ts';
import { completeTestFile } from '../../src/knowledgeTests/testFileHints.ts';
import { appendQuestions } from '../../src/knowledgeTests/appendQuestions.ts';
import { readQuestions } from '../../src/knowledgeTests/writeQuestions.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

const marks = [
  ...[
    'knowledge: ',
    'questions:\n',
    '- question: ',
    'find: ',
    'file: ',
    'lines: ',
    'words: ',
    'top: ',
    'answer: ',
  ],
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
      answer: fc.array(word, { minLength: 1, maxLength: 3 }),
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
        const { top = 1 } = question;
        assert.ok(top >= 1 && top <= mostResults);
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
        read.questions.map(({ text, top, answer, places }) => ({
          ...{ question: text, top, answer },
          find: places.map(({ file, lines, words }) => ({
            file,
            words,
            lines: [lines?.startLine, lines?.endLine],
          })),
        })),
        questions.map(({ question, top, answer, find }) => ({
          ...{ question, top, answer },
          find: find.map(({ file, words, lines }) => ({ file, words, lines: [...lines] })),
        })),
      );
    }),
  },
  'adds questions to any file without changing what is there, or not at all': {
    runs: 500,
    property: fc.property(
      fc.oneof(
        yaml,
        good.map((file) => JSON.stringify(file)),
        good.map(({ knowledge, questions }) =>
          [
            `knowledge: ${JSON.stringify(knowledge[0])} # ours`,
            'questions: # these',
            ...questions.map(
              ({ question }) => `    - question: ${JSON.stringify(question)}\n      find: { file: a } # old`,
            ),
            '# end',
          ].join('\n'),
        ),
      ),
      word,
      fc.record({ question: word, words: word, file: fc.constantFrom('a/b.md', 'a: b.md', '#.md', '-.md') }),
      (text, knowledge, question) => {
        const insertion = appendQuestions(text, knowledge, [question]);
        if (!insertion) return;
        const { offset } = insertion;
        const after = readTestFile(text.slice(0, offset) + insertion.text + text.slice(offset));
        const before = readTestFile(text);
        assert.ok(after.problems.length <= before.problems.length);
        assert.deepEqual(
          after.questions.map((each) => each.text),
          [...before.questions.map((each) => each.text), question.question],
        );
        const [found] = after.questions.at(-1)!.places;
        assert.deepEqual([found?.file, found?.words], [question.file, [question.words]]);
      },
    ),
  },
  'takes from a reply only questions whose words are in their segment': {
    runs: 500,
    property: fc.property(
      fc.array(hostileText(['tide', 'knots', ' '], 3), { maxLength: 3 }),
      fc.oneof(
        hostileText(['[', ']', '{', '}', '"segment": 1', '```', ',']),
        fc.json(),
        fc
          .array(fc.record({ segment: fc.integer(), question: fc.string(), words: fc.string() }))
          .map((all) => JSON.stringify(all)),
      ),
      (contents, reply) => {
        const segments = contents.map((content) => ({ document: 'a', content }));
        const plain = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/g, '');
        for (const { segment, question, words } of readQuestions(reply, segments)?.candidates ?? []) {
          assert.ok(plain(contents[segment - 1]!).includes(plain(words)));
          assert.ok(plain(words).length >= 3 && question !== '');
        }
      },
    ),
  },
};
