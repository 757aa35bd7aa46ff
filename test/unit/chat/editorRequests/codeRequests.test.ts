import assert from 'node:assert/strict';
import { enclosingSymbol, problemsText } from '../../../../src/chat/editorRequests/codeRequests.ts';
import type { Diagnostic, SymbolFound } from '../../../../src/tools/files/workspace.ts';

const range = (first: number, last: number) => ({
  start: { line: first, column: 1 },
  end: { line: last, column: 1 },
});
const symbol = (name: string, kind: string, first: number, last: number): SymbolFound => ({
  ...{ name, kind, path: '/work/a.ts', range: range(first, last) },
});
const problem = (severity: Diagnostic['severity'], line: number, message: string): Diagnostic => ({
  ...{ path: '/work/a.ts', range: range(line, line), severity, message },
});

describe('requests about code', () => {
  it('are about the innermost function around the caret, else the innermost type', () => {
    const symbols = [
      symbol('Tide', 'class', 1, 30),
      symbol('rise', 'method', 3, 12),
      symbol('level', 'function', 5, 8),
      symbol('height', 'variable', 6, 6),
      symbol('Moon', 'class', 20, 25),
    ];
    const at = (line: number) => enclosingSymbol(symbols, line)?.name;
    assert.deepEqual([6, 10, 15, 22, 31].map(at), ['level', 'rise', 'Tide', 'Moon', undefined]);
  });

  it('name the errors and warnings that touch the lines, and how many were left out', () => {
    const problems = [
      problem('warning', 4, 'unused\nvariable'),
      { ...problem('error', 2, 'wrong type'), source: 'ts', code: '2322' },
      problem('hint', 3, 'could be shorter'),
      problem('error', 9, 'elsewhere'),
    ];
    assert.equal(
      problemsText(problems, { first: 2, last: 4 }),
      'error 2:1 wrong type [ts 2322]\nwarning 4:1 unused variable',
    );
    assert.equal(problemsText(problems, { first: 5, last: 8 }), undefined);
    const many = Array.from({ length: 53 }, (_, n) => problem('error', n + 1, 'wrong'));
    const lines = problemsText(many, { first: 1, last: 99 })?.split('\n');
    assert.deepEqual([lines?.length, lines?.at(-1)], [51, '[3 more are not shown.]']);
  });
});
