import assert from 'node:assert/strict';
import type { FormField } from '../../../../src/apps/app.ts';
import { answersOf, describeInputs } from '../../../../src/apps/run/givenInputs.ts';

const form: FormField[] = [
  { type: 'text', variable: 'topic', label: 'Topic', isRequired: true },
  { type: 'select', variable: 'tone', label: 'Tone', isRequired: false, options: ['dry', 'warm'] },
  { type: 'json', variable: 'facts', label: 'Facts', isRequired: false },
];
const maxBytes = { audio: 1, custom: 1, document: 1, image: 1, video: 1 };
const check = (given: Record<string, unknown>) => answersOf(form, given, maxBytes);
const problemOf = (given: Record<string, unknown>) => {
  const result = check(given);
  return 'problem' in result ? result.problem : '';
};

describe("a model's inputs for a workflow", () => {
  it('are answers of its form, objects as JSON', () => {
    assert.deepEqual(check({ topic: 'Tides', tone: 'dry', facts: { a: 1 } }), {
      answers: { topic: 'Tides', tone: 'dry', facts: '{"a":1}' },
    });
  });

  it('are refused with all that is wrong, and what the form takes', () => {
    const problem = problemOf({ tone: 'loud', place: 'x', facts: null });
    assert.match(problem, /^place: the workflow has no such input\.$/m);
    assert.match(problem, /^topic: /m);
    assert.match(problem, /^tone: /m);
    assert.match(problem, /^- tone \(select, optional, one of: dry, warm\): Tone$/m);
  });

  it('are no files, which only the user gives', () => {
    const files = { types: [], methods: [], maxCount: 1, extensions: [] };
    const field = {
      type: 'file',
      variable: 'scan',
      label: 'Scan',
      isRequired: false,
      files,
    } as unknown as FormField;
    const result = answersOf([field], { scan: '/etc/passwd' }, maxBytes);
    assert.ok('problem' in result && /scan: files can only be given by the user/.test(result.problem));
  });

  it('are told without what the form hides, which is no input for them', () => {
    const told: FormField = { variable: 'a', label: 'A', type: 'text', isRequired: false, hint: 'Short' };
    const hidden: FormField = { ...told, variable: 'h', isHidden: true };
    assert.equal(describeInputs([told, hidden]), 'Its inputs are:\n- a (text, optional): A (Short)');
    assert.ok('problem' in answersOf([told, hidden], { h: 'x' }, maxBytes));
  });

  it('are none where it has no form', () => {
    assert.equal(describeInputs([]), 'It takes no inputs.');
    assert.deepEqual(answersOf([], {}, maxBytes), { answers: {} });
  });
});
