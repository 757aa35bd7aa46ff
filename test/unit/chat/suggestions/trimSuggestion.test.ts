import assert from 'node:assert/strict';
import { closedAfter, mostLines, trimSuggestion } from '../../../../src/chat/suggestions/trimSuggestion.ts';

const trim = (answer: string, after = '', isCut?: boolean) =>
  trimSuggestion(answer, { before: '', after }, isCut);

describe('what is shown of a completion', () => {
  it('leaves out what stands after the caret already', () => {
    assert.equal(trim('width)', ') {\n'), 'width');
    assert.equal(trim('return a;\n}', '\n}\n'), 'return a;');
    assert.equal(trim("hello'", "');\n"), 'hello');
    assert.equal(trim('all of it', 'all of it'), '');
  });

  it('keeps brackets and quotes that it opened itself', () => {
    assert.equal(trim('bar(a)', ')\n'), 'bar(a)');
    assert.equal(trim('if (a) {\n  b();\n}', '\n}\n'), 'if (a) {\n  b();\n}');
    assert.equal(trim('"a", "b"', '"\n'), '"a", "b"');
    assert.equal(trim('x[0])', ')'), 'x[0]');
    assert.equal(trim('x[0]', ']\n'), 'x[0]');
    assert.equal(trim('f({})})', '})\n'), 'f({})');
  });

  it('ends before the line below the caret', () => {
    assert.equal(trim('one();\nafterwards();\nmore();', '\n\n  \nafterwards();\n'), 'one();');
    assert.equal(trim('a {\n}\n', '\n}\n'), 'a {\n}');
  });

  it('is one line where code follows in the line, but not before closed brackets', () => {
    assert.equal(trim('first\nsecond', ' + rest;\n'), 'first');
    assert.equal(trim('\nsecond', ' + rest;\n'), '');
    assert.equal(trim('{\n  a\n', '})\n'), '{\n  a');
  });

  it('has a bounded number of lines and characters', () => {
    const long = Array.from({ length: 40 }, (_, line) => `line${line}();`).join('\n');
    assert.equal(trim(long).split('\n').length, mostLines);
    assert.equal(trim('x'.repeat(5_000)).length, 1_000);
    assert.equal(trim(`a();\n${'x'.repeat(5_000)}`), 'a();');
    assert.equal(trim('first();\nsecond();\nthi', '', true), 'first();\nsecond();');
    assert.equal(trim('only', '', true), 'only');
  });

  it('ends before characters that hide what code does', () => {
    assert.equal(trim('ok();\u202e evil'), 'ok();');
    assert.equal(trim('\u0000a'), '');
    assert.equal(trim('a\r\nb'), 'a\nb');
    assert.equal(trim('a\rb'), 'a');
  });

  it('is nothing for a blank answer', () => {
    assert.equal(trim('  \n\n'), '');
    assert.equal(trim('  indented();\n\n'), '  indented();');
  });

  it('replaces the brackets that the editor closed and it closes, too', () => {
    assert.equal(closedAfter('one, two);', ')\n'), 1);
    assert.equal(closedAfter('{ a: f(1) }));', '))\n'), 2);
    assert.equal(closedAfter('f(1)', ')\n'), 0);
    assert.equal(closedAfter('a);\n}', '})'), 0);
  });
});
