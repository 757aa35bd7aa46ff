import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mostResults, readTestFile, testFileFields } from '../../../src/knowledgeTests/testFile.ts';
import { defaultTopK } from '../../../src/tools/knowledge/searchBases.ts';

/** Problems with the text they are at. */
function problems(text: string): string[] {
  return readTestFile(text).problems.map(
    ({ start, end, message }) => `${text.slice(start, end).split('\n', 1)[0]}: ${message}`,
  );
}

const question = (fields: string) => `knowledge: Docs\nquestions:\n  - question: Why?\n    ${fields}\n`;

describe('a file of knowledge tests', () => {
  it('gives each question with its places and range', () => {
    const text = [
      'knowledge: [Docs, 5f3c]',
      'top: 4',
      'questions:',
      '  - question: How fast?',
      '    find:',
      '      - file: ./notes/rules.md',
      '        lines: 5-7',
      '      - file: a.pdf',
      '        words: [three knots, basin]',
      '  - question: 42',
      '    find: { file: b.md, lines: 3, words: x }',
      '    top: 1',
    ].join('\n');
    const { bases, questions, problems: found, problem } = readTestFile(text);
    assert.deepEqual([found, problem], [[], undefined]);
    assert.deepEqual(bases, ['Docs', '5f3c']);
    assert.deepEqual(
      questions.map(({ text: asked, top, places }) => ({
        asked,
        top,
        places: places.map(({ file, words, lines }) => ({ file, words, ...(lines && { lines }) })),
      })),
      [
        {
          asked: 'How fast?',
          top: 4,
          places: [
            { file: 'notes/rules.md', words: [], lines: { startLine: 5, endLine: 7 } },
            { file: 'a.pdf', words: ['three knots', 'basin'] },
          ],
        },
        {
          asked: '42',
          top: 1,
          places: [{ file: 'b.md', words: ['x'], lines: { startLine: 3, endLine: 3 } }],
        },
      ],
    );
    const [first] = questions;
    assert.match(text.slice(first!.range.start, first!.range.end), /^question: How fast\?[^]*basin\]$/);
    assert.match(text.slice(first!.places[1]!.range.start), /^file: a\.pdf/);
  });

  it('takes words that an answer must contain, one or a list', () => {
    const words = (answer: string) =>
      readTestFile(question(`find: { file: a.md }\n    answer: ${answer}`)).questions[0]?.answer;
    assert.deepEqual([words('high tide'), words('[tide, 3]')], [['high tide'], ['tide', '3']]);
    assert.match(problems(question('find: { file: a.md }\n    answer:')).join(), /Write a text here/);
    assert.match(problems(question('answer: tide')).join(), /Name a place/);
  });

  it('refuses fields that it does not know', () => {
    assert.deepEqual(problems(question('find: { file: a.md }\n    answers: [tide]')), [
      'answers: Unknown field "answers". Known fields: question, find, top, answer.',
    ]);
    assert.match(problems(question('find: { file: a.md, line: 3 }')).join(), /^line: Unknown field/);
    assert.match(problems(`model: x\n${question('find: { file: a.md }')}`).join(), /^model: Unknown field/);
  });

  it('says at its place what is missing', () => {
    assert.match(problems('').join(), /needs the fields/);
    assert.match(problems('- a').join(), /needs the fields/);
    assert.match(problems('knowledge: Docs').join(), /There are no questions/);
    assert.match(
      problems('questions:\n  - question: a\n    find: { file: b }').join(),
      /Name a knowledge base/,
    );
    assert.match(problems(question('top: 3')).join(), /^question: Name a place/);
    assert.match(problems(question('find: a.md')).join(), /^find: Name a place/);
    assert.match(problems(question('find: [a.md]')).join(), /^a\.md: A place needs/);
    assert.match(problems(question('find: { lines: 3 }')).join(), /The field "file" is missing/);
    assert.match(
      problems('knowledge: D\nquestions: [{ find: { file: a } }]').join(),
      /"question" is missing/,
    );
    assert.match(problems('knowledge: D\nquestions: [a]').join(), /^a: A question needs/);
    assert.match(problems('knowledge:\nquestions: [').join(), /Not valid YAML/);
    assert.match(problems(question('find: { file: }')).join(), /Write a text here/);
  });

  it('refuses lines that are no range, and numbers out of range', () => {
    for (const lines of ['0', '9-3', '1:30', '012', 'a', '[1, 2]', '-4', '3-', '1.5']) {
      assert.deepEqual(
        problems(question(`find: { file: a.md, lines: "${lines}" }`.replace('"[1, 2]"', '[1, 2]'))),
        [
          `${lines.startsWith('[') ? lines : `"${lines}"`}: Write one line or a range of lines, like 12 or 12-30.`,
        ],
      );
    }
    // YAML 1.1 reads minutes and seconds here: 90.
    assert.equal(problems(question('find: { file: a.md, lines: 1:30 }')).length, 1);
    for (const top of ['0', '51', 'many'])
      assert.match(problems(question(`find: { file: a.md }\n    top: ${top}`)).join(), /from 1 to 50/);
  });

  it('refuses paths out of the folder, questions that are too long, and questions that occur twice', () => {
    for (const file of ['/etc/passwd', '../a.md', 'a/../../b', 'C:/a', 'a\\b', 'docs/'])
      assert.match(problems(question(`find: { file: '${file}' }`)).join(), /path from the workspace folder/);
    const long = `knowledge: D\nquestions: [{ question: ${'x'.repeat(251)}, find: { file: a } }]`;
    assert.match(problems(long).join(), /searches at most 250 characters/);
    const twice = `${question('find: { file: a.md }')}  - { question: Why?, find: { file: b.md } }\n`;
    assert.match(problems(twice).join(), /same text/);
    assert.equal(readTestFile(twice).questions[1]?.problem, 'Another question has the same text.');
  });

  it('keeps a question from running for its own problem alone', () => {
    const { questions, problem } = readTestFile(
      'knowledge: D\nquestions:\n  - { question: a, find: { file: x, line: 1 } }\n  - { question: b, find: { file: x } }',
    );
    assert.equal(problem, undefined);
    assert.match(questions[0]?.problem ?? '', /Unknown field/);
    assert.equal(questions[1]?.problem, undefined);
  });

  it('has the same fields in the schema that other extensions check it by', () => {
    const { definitions, properties } = JSON.parse(readFileSync('media/knowledge-test.schema.json', 'utf8'));
    const { top, place } = definitions;
    assert.deepEqual(
      [properties, properties.questions.items.properties, place.properties].map((each) => Object.keys(each)),
      [testFileFields.file, testFileFields.question, testFileFields.place].map((each) => [...each]),
    );
    assert.deepEqual([top.maximum, top.default], [mostResults, defaultTopK]);
    const lines = new RegExp(place.properties.lines.pattern);
    assert.deepEqual(
      ['12', '12-30', '0', '1:30', '3-'].map((text) => lines.test(text)),
      [true, true, false, false, false],
    );
  });
});
