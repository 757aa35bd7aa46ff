import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/paths.ts';
import { row, type Row } from './rows.ts';

export function benchSizes(): Row[] {
  return [
    ...part('extension script', 'extension.mjs', 'at most 150 KB', 150),
    row(
      'extension script: with what the first use loads',
      { value: sum(loadedWith(windowParts())), unit: 'KB' },
      'at most 150 KB',
      (v) => v <= 150,
    ),
    ...part('page script', 'page/panel.js', 'at most 150 KB', 150),
    row('VSIX', { value: kilobytes('switchboard.vsix'), unit: 'KB' }, 'no budget', () => true),
  ];
}

/** A script with its static imports, against its budget, and its lazy parts. */
function part(name: string, entry: string, budget: string, limit: number): Row[] {
  const atOnce = loadedWith(entry);
  const folder = join(entry, '..', 'chunks');
  const later = readdirSync(join(root, 'dist', folder))
    .map((file) => join(folder, file))
    .filter((file) => !atOnce.has(file));
  return [
    row(`${name}, minified`, { value: sum(atOnce), unit: 'KB' }, budget, (v) => v <= limit),
    row(`${name}: parts loaded when needed`, { value: sum(later), unit: 'KB' }, 'no budget', () => true),
  ];
}

function windowParts(): string {
  const name = readdirSync(join(root, 'dist', 'chunks')).find((file) => file.startsWith('windowParts-'));
  if (!name) throw new Error('The build has no script for src/host/window/windowParts.ts.');
  return join('chunks', name);
}

function sum(files: Iterable<string>): number {
  return [...files].reduce((total, file) => total + kilobytes(file), 0);
}

function loadedWith(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const text = readFileSync(join(root, 'dist', entry), 'utf8');
  for (const [, path = ''] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    loadedWith(join(entry, '..', path), seen);
  return seen;
}

function kilobytes(file: string): number {
  return statSync(join(root, 'dist', file)).size / 1000;
}
