import assert from 'node:assert/strict';
import { appendQuestions, type NewQuestion } from '../../../src/knowledgeTests/appendQuestions.ts';

const one: NewQuestion = {
  question: 'How fast?',
  file: 'notes/a b.md',
  words: 'three: knots',
  lines: { startLine: 5, endLine: 7 },
};
const two: NewQuestion = { question: '42', file: 'b.pdf', words: 'basin' };

/** The text with the questions added; undefined if they can't be. */
function added(text: string, questions = [one]): string | undefined {
  const insertion = appendQuestions(text, 'Docs: new', questions);
  return insertion && text.slice(0, insertion.offset) + insertion.text + text.slice(insertion.offset);
}

const block = [
  '- question: How fast?',
  '  find:',
  '    - file: notes/a b.md',
  '      lines: 5-7',
  '      words: "three: knots"',
];
const indented = (spaces: number) => block.map((line) => ' '.repeat(spaces) + line).join('\n');

describe('adding questions to a test file', () => {
  it('puts them behind the last, with its indentation, and keeps comments and what follows', () => {
    const text =
      'knowledge: D # ours\nquestions:\n- question: a # old\n  find: { file: x } # here\n\n# end\ntop: 3\n';
    assert.equal(added(text), text.replace('# here\n', `# here\n${indented(0)}\n`));
    const deeper =
      'knowledge: D\nquestions:\n    - question: a\n      find:\n        - file: x\n          words: |\n            long\n';
    assert.equal(added(deeper), `${deeper.trimEnd()}\n${indented(4)}\n`);
  });

  it('keeps the line ends of the file', () => {
    const text = 'knowledge: D\r\nquestions:\r\n  - question: a\r\n    find: { file: x }\r\n';
    assert.equal(added(text), `${text}${indented(2).replaceAll('\n', '\r\n')}\r\n`);
  });

  it('begins an empty file, an empty list and a file without one', () => {
    const start = 'knowledge: "Docs: new"\nquestions:\n';
    assert.equal(added(''), `${start}${indented(2)}`);
    assert.equal(added('# ours\n'), `# ours\n${start}${indented(2)}\n`);
    assert.equal(added('knowledge: D\n'), `knowledge: D\nquestions:\n${indented(2)}\n`);
    assert.equal(
      added('knowledge: D\nquestions: # none\ntop: 2\n'),
      `knowledge: D\nquestions: # none\n${indented(2)}\ntop: 2\n`,
    );
  });

  it('adds to a list in brackets', () => {
    const flow = '{"question":"42","find":{"file":"b.pdf","words":"basin"}}';
    const text = 'knowledge: D\nquestions: [{ question: a, find: { file: x } }]\n';
    assert.equal(added(text, [two]), text.replace(' }]', ` }, ${flow}]`));
    assert.equal(added('{ knowledge: D, questions: [] }', [two]), `{ knowledge: D, questions: [${flow}] }`);
  });

  it('refuses a file that it would break, and questions that a test cannot hold', () => {
    assert.equal(added('knowledge: [D\n'), undefined);
    assert.equal(added('- a\n'), undefined);
    assert.equal(added('{ knowledge: D }'), undefined);
    assert.equal(added('knowledge: D\nquestions: text\n'), undefined);
    assert.equal(added('', [{ ...one, file: '../a.md' }]), undefined);
    assert.equal(added('', [one, one]), undefined);
  });
});
