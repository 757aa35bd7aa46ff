import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/text/oneLine.ts';
import type { Diagnostic, SymbolFound } from '../../tools/files/workspace.ts';

export type CodeRequest =
  | 'explainProject'
  | 'explainSelection'
  | 'fixSelection'
  | 'improveSelection'
  | 'documentSelection'
  | 'generateTests'
  | 'reviewChanges';

/** 1-based. */
export interface Lines {
  first: number;
  last: number;
}

/** The user message, in the user's language, as models answer in the question's language. */
export function requestText(request: CodeRequest, hasProblems = false): string {
  switch (request) {
    case 'explainProject':
      return l10n.t(
        'Explain this project: what it is for, how it is organized, and which files to read first.',
      );
    case 'explainSelection':
      return l10n.t('Explain the attached code: what it does, how it works, and what is easy to overlook.');
    case 'fixSelection':
      return hasProblems
        ? l10n.t('Fix the attached problems in the attached code. Change no more than that needs.')
        : l10n.t('Find and fix the bugs in the attached code. Change no more than that needs.');
    case 'improveSelection':
      return l10n.t(
        'Improve the attached code: make it simpler, clearer and faster where it matters. Keep what it does.',
      );
    case 'documentSelection':
      return l10n.t(
        'Write documentation comments for the attached code, in the style of the project. Change no code.',
      );
    case 'generateTests':
      return l10n.t(
        'Write tests for the attached code with the test framework of the project, edge cases included.',
      );
    case 'reviewChanges':
      return l10n.t(
        'Review the attached changes. List bugs, risks and missing tests, the most serious first, each with its file and line.',
      );
  }
}

const callables = new Set(['function', 'method', 'constructor']);
const types = new Set(['class', 'interface', 'enum', 'struct']);

export function enclosingSymbol(symbols: readonly SymbolFound[], line: number): SymbolFound | undefined {
  const around = symbols
    .filter(({ range }) => range.start.line <= line && line <= range.end.line)
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return around.find(({ kind }) => callables.has(kind)) ?? around.find(({ kind }) => types.has(kind));
}

function lengthOf({ range }: SymbolFound): number {
  return range.end.line - range.start.line;
}

const mostProblems = 50;
const longestMessage = 2000;

export function problemsText(problems: readonly Diagnostic[], lines: Lines): string | undefined {
  const found = problems
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .filter(({ range }) => range.start.line <= lines.last && lines.first <= range.end.line)
    .toSorted((a, b) => a.range.start.line - b.range.start.line);
  if (found.length === 0) return undefined;
  const shown = found.slice(0, mostProblems).map(({ severity, range, message, source, code }) => {
    const origin = oneLine([source, code].filter(Boolean).join(' '));
    const { line, column } = range.start;
    return `${severity} ${line}:${column} ${oneLine(message, longestMessage)}${origin && ` [${origin}]`}`;
  });
  const left = found.length - shown.length;
  return [...shown, ...(left > 0 ? [`[${left} more are not shown.]`] : [])].join('\n');
}
