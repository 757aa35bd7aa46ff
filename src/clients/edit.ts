import * as l10n from '@vscode/l10n';
import { asObject } from '../base/json.ts';

/** Path of keys and indices; a list's length stands for a new item. */
export type Path = readonly (string | number)[];

export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/** A change of a file's value. Objects are merged, everything else is replaced. */
export interface Edit {
  path: Path;
  /** Absent: removes the value. */
  value?: Value;
}

/** A file can't be changed safely. The user-facing message completes a sentence that names the file. */
export class UnchangeableFile extends Error {
  /** @param line 1-based line that breaks the program's parser */
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

export type Step =
  | { type: 'replace'; path: Path; value: Value }
  | { type: 'insert'; container: Path; key: string | number; value: Value }
  | { type: 'remove'; path: Path };

/** Steps of an edit in this file; values that are right already are not written again. */
export function stepsOf({ path, value }: Edit, root: unknown): Step[] {
  const there = valueAt(root, path);
  if (value === undefined) return there === undefined ? [] : [{ type: 'remove', path }];
  const members = asObject(value);
  if (members && asObject(there)) {
    return Object.entries(members).flatMap(([key, each]) =>
      stepsOf({ path: [...path, key], value: each as Value }, root),
    );
  }
  if (isSame(there, value)) return [];
  const depth = path.findIndex((_, at) => (valueAt(root, path.slice(0, at + 1)) ?? null) === null);
  if (depth < 0) return [{ type: 'replace', path, value }];
  const container = path.slice(0, depth);
  const key = path[depth] ?? '';
  requireContainer(valueAt(root, container), container, key);
  const nested = nest(path.slice(depth + 1), value);
  return valueAt(root, [...container, key]) === null
    ? [{ type: 'replace', path: [...container, key], value: nested }]
    : [{ type: 'insert', container, key, value: nested }];
}

export function applyEdit(root: object, edit: Edit): object {
  return stepsOf(edit, root).reduce<object>((result, step) => {
    const copy = structuredClone(result);
    const path = step.type === 'insert' ? [...step.container, step.key] : step.path;
    const parent = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
    const key = path.at(-1) ?? '';
    if (step.type === 'remove') delete parent[key];
    else parent[key] = step.value;
    return copy;
  }, root);
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof key === 'number') return Array.isArray(value) ? (value as unknown[])[key] : undefined;
    const object = asObject(value);
    return object && Object.hasOwn(object, key) ? object[key] : undefined;
  }, root);
}

function nest(path: Path, value: Value): Value {
  return path.reduceRight<Value>(
    (inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  );
}

function requireContainer(value: unknown, path: Path, key: string | number): void {
  if (typeof key === 'number' ? Array.isArray(value) : asObject(value)) return;
  throw new UnchangeableFile(l10n.t('"{0}" has a type the program doesn\'t expect.', path.join('.')));
}

/** Deep equality, ignoring the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]));
  }
  if (one instanceof Date || other instanceof Date) {
    return one instanceof Date && other instanceof Date && one.getTime() === other.getTime();
  }
  const left = asObject(one);
  const right = asObject(other);
  if (!left || !right || Array.isArray(one) || Array.isArray(other)) return Object.is(one, other);
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
  );
}
