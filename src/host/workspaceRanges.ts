import * as vscode from 'vscode';
import type { Position, Range } from '../tools/workspace.ts';

/** The editor counts from 0, people and models from 1. */
export function fromPosition({ line, character }: vscode.Position): Position {
  return { line: line + 1, column: character + 1 };
}

export function fromRange({ start, end }: vscode.Range): Range {
  return { start: fromPosition(start), end: fromPosition(end) };
}

export function toPosition({ line, column }: Position): vscode.Position {
  return new vscode.Position(line - 1, column - 1);
}
