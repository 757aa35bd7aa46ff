import * as l10n from '@vscode/l10n';
import { asObject } from '../base/json.ts';

/** A number is an index; the length of a list stands for an item to be added. */
export type Path = readonly (string | number)[];

/** What can be written into a file of any format. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

/** One change of what a file holds. Objects are merged with what is there; all else takes its place. */
export interface Edit {
  path: Path;
  /** Absent: what is there is removed. */
  value?: Value;
}

/** A file can't be changed without harm. The message is for the user, and the end of a sentence that names the file. */
export class UnchangeableFile extends Error {
  /** @param line where the program that reads it would find it broken, from 1 */
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** One change that needs no look at what is around it. */
export type Step =
  | { type: 'replace'; path: Path; value: Value }
  | { type: 'insert'; container: Path; key: string | number; value: Value }
  | { type: 'remove'; path: Path };

/** What an edit takes in a file with these contents. Nothing is written again that is there already. */
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
  // Null stands for what is not there yet.
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

/** What the file holds after an edit, to be compared with what was really written. */
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
  throw new UnchangeableFile(l10n.t('"{0}" is of another kind than the program expects.', path.join('.')));
}

/** Whether two values are the same in every format: order of members aside. */
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
