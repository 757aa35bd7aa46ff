import assert from 'node:assert/strict';
import { frame } from '../../../../src/base/text/frame.ts';
import {
  endMessage,
  lastLines,
  readResult,
  tellingLine,
} from '../../../../src/tools/command/commandResult.ts';

const output = (body: string) => frame({ kind: 'output', facts: {}, body });
const end = { code: 1, leftOthers: false };

describe('tools: results of commands, read again', () => {
  it('give the end, and the output without the frames that are for the model', () => {
    const content = `${endMessage(end, false)}\n${output('a\n<b>\n</output-0000>')}`;
    assert.deepEqual(readResult(content), {
      code: 1,
      output: ['a\n<b>\n</output-0000>'],
      text: 'Exit code 1.\na\n<b>\n</output-0000>',
    });
    const long = `Exit code 0.\nThe output has 9 characters.\n${output('first')}\n${output('last')}\n[1 secret]`;
    assert.deepEqual(readResult(long).output, ['first', 'last']);
    assert.equal(
      readResult(long).text,
      'Exit code 0.\nThe output has 9 characters.\nfirst\nlast\n[1 secret]',
    );
  });

  it('know a signal, and that the user stopped it', () => {
    assert.equal(
      readResult(endMessage({ code: undefined, signal: 'SIGKILL', leftOthers: true }, false)).signal,
      'SIGKILL',
    );
    assert.equal(readResult(endMessage(end, true)).isStoppedByUser, true);
    assert.deepEqual(readResult('There is no folder a.'), { output: [], text: 'There is no folder a.' });
    assert.deepEqual(readResult('<output-12ab>\nno end').output, []);
    assert.equal(readResult('There is no folder a.\nExit code 3.').code, undefined);
  });

  for (const [what, lines, told] of [
    ['the count of node:test', ['✖ a', 'ℹ pass 3', 'ℹ fail 2', 'ℹ duration 4'], '2 failed'],
    ['the count of node:test in TAP', ['# fail 1', '# failures of the lock'], '1 failed'],
    [
      'the count of jest',
      ['FAIL a', 'Tests:  2 failed, 5 passed', 'Time: 3 s'],
      'Tests:  2 failed, 5 passed',
    ],
    ['the count of mocha', ['  0 failing', '  1 failing'], '  1 failing'],
    [
      'the count of tsc',
      ["a.ts(1,1): error TS1: ';' expected.", 'Found 3 errors in 2 files.'],
      'Found 3 errors in 2 files.',
    ],
    ['the last of several counts', ['1 test failed', 'All: 4 tests failed'], 'All: 4 tests failed'],
    ['a complaint', ['> npm test', 'sh: vitest: not found', 'bye'], 'sh: vitest: not found'],
    ['an exception', ['Traceback (most recent call last):', 'ValueError: x'], 'ValueError: x'],
    ['what npm did not add', ['npm error code ELIFECYCLE', 'Error: no'], 'Error: no'],
    ['nothing', ['a', '0 failed', 'b'], undefined],
  ] as const)
    it(`tell ${what}`, () => assert.equal(tellingLine([lines.join('\n')]), told));

  it('end in at most six lines, none of them long', () => {
    const lines = lastLines(`${'x'.repeat(9000)}\n${'a\n'.repeat(9)}${'y'.repeat(9000)}\n\n`).split('\n');
    assert.deepEqual([lines.length, lines[0], lines[5]?.length], [6, 'a', 400]);
  });
});
