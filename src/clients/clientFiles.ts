import * as l10n from '@vscode/l10n';
import {
  access,
  constants,
  lstat,
  mkdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../base/files/replaceFile.ts';
import { isMissing, systemCode } from '../base/errors/errors.ts';
import type { ClientFile } from './clientProgram.ts';
import { applyEdit, type Edit, isSame, type Path, stepsOf, UnchangeableFile, valueAt } from './edit.ts';
import type { Format } from './formats/format.ts';
import { formats } from './formats/allFormats.ts';

export interface FileChange {
  path: string;
  target: string;
  before?: Buffer;
  after: Buffer;
  mode: number;
}

export interface WrittenFile extends FileChange {
  backup?: string;
  madeFolder?: string;
}

const mark = '\uFEFF';

export class FileProblem extends Error {
  /** @param line 1-based line at fault */
  constructor(
    readonly path: string,
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** Mode of files that may hold keys. */
const newFileMode = 0o600;
const newFolderMode = 0o700;

/** Touches no file; omits files that are right already. Throws `FileProblem`. */
export async function planChanges<Wanted>(
  files: readonly ClientFile<Wanted>[],
  wanted: Wanted,
): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  const earlier: object[] = [];
  for (const file of files) {
    const { change, holds } = await planChange(file, wanted, earlier);
    if (change) changes.push(change);
    earlier.push(holds);
  }
  return changes;
}

async function planChange<Wanted>(
  { path, format, edits, refusesMark }: ClientFile<Wanted>,
  wanted: Wanted,
  earlier: readonly object[],
): Promise<{ change?: FileChange; holds: object }> {
  const { exists, target, mode } = await findFile(path);
  const before = exists ? await readFile(target) : undefined;
  if (!format) {
    return before ? { holds: {} } : { change: { path, target, after: Buffer.alloc(0), mode }, holds: {} };
  }
  const read = await formats[format]();
  return reading(path, () => {
    const text = decode(before ?? Buffer.alloc(0));
    if (refusesMark && text.startsWith('\uFEFF')) {
      throw new UnchangeableFile(l10n.t("the program doesn't read a file with a byte order mark"), 1);
    }
    const changed = changeText(read, text, (current) => edits(current, wanted, earlier));
    const holds = read.parse(changed.replace(/^\uFEFF/, ''));
    if (changed === text) return { holds };
    return { change: { path, target, mode, after: Buffer.from(changed), ...(before && { before }) }, holds };
  });
}

/** Value of an existing file that is not to be changed; an empty object if there is none. */
export async function readClientFile({ path, format }: Pick<ClientFile, 'path' | 'format'>): Promise<object> {
  const place = await findFile(path);
  if (!place.exists || !format) return {};
  const formatOf = await formats[format]();
  const bytes = await readFile(place.target);
  return reading(path, () => formatOf.parse(decode(bytes).replace(/^\uFEFF/, '')));
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnchangeableFile)) throw error;
    const { line, message } = error;
    const why = line === undefined ? message : l10n.t('line {0}: {1}', line, message);
    throw new FileProblem(path, l10n.t("{0} can't be changed ({1}). Nothing was written.", path, why), line);
  }
}

/** Atomic, with a backup; a failure undoes earlier writes. Throws `FileProblem` if a file changed since planning. */
export async function writeChanges(changes: readonly FileChange[], now: Date): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
  try {
    for (const change of changes) written.push(await write(change, now));
    return written;
  } catch (error) {
    await undoChanges(written);
    throw error;
  }
}

/** Undoes byte for byte and removes what was created. Throws `FileProblem` and touches none if a file changed since. */
export async function undoChanges(written: readonly WrittenFile[]): Promise<void> {
  for (const { path, target, after } of written) {
    if (!(await isStill(target, after))) {
      throw new FileProblem(path, l10n.t('{0} has changed since. Nothing was undone.', path));
    }
  }
  for (const { target, before, mode, backup, madeFolder } of written.toReversed()) {
    if (before) await replaceFile(target, before, mode);
    else await rm(target);
    if (backup) await rm(backup, { force: true });
    if (madeFolder) await removeEmpty(dirname(target), madeFolder);
  }
}

async function write(change: FileChange, now: Date): Promise<WrittenFile> {
  const { path, target, before, after, mode } = change;
  if (!(await isStill(target, before))) {
    throw new FileProblem(path, l10n.t('{0} changed in the meantime. Nothing was written.', path));
  }
  const madeFolder = await mkdir(dirname(target), { recursive: true, mode: newFolderMode });
  const backup = before && (await keep(before, `${target}.${stampOf(now)}`, mode));
  try {
    await replaceFile(target, after, mode);
  } catch (error) {
    if (backup) await rm(backup, { force: true });
    if (madeFolder) await removeEmpty(dirname(target), madeFolder);
    throw error;
  }
  return { ...change, ...(backup && { backup }), ...(madeFolder && { madeFolder }) };
}

async function keep(bytes: Buffer, name: string, mode: number): Promise<string> {
  for (let count = 1; ; count++) {
    const path = `${name}${count === 1 ? '' : `-${count}`}.bak`;
    try {
      await writeFile(path, bytes, { flag: 'wx', mode });
      return path;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

async function isStill(path: string, bytes: Buffer | undefined): Promise<boolean> {
  try {
    const now = await readFile(path);
    return bytes !== undefined && now.equals(bytes);
  } catch (error) {
    if (isMissing(error)) return bytes === undefined;
    throw error;
  }
}

interface Place {
  target: string;
  exists: boolean;
  mode: number;
}

/** Follows links: such files often live in a dotfiles repository. */
async function findFile(path: string): Promise<Place> {
  try {
    const target = await realpath(path);
    const found = await stat(target);
    if (!found.isFile()) throw new FileProblem(path, l10n.t('{0} is not a file.', path));
    const mode = found.mode & 0o777;
    await access(target, constants.W_OK).catch(() => {
      throw readOnly(path);
    });
    // Root ignores permissions, so the mode is checked here.
    if ((mode & 0o222) === 0) throw readOnly(path);
    return { target, exists: true, mode };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const link = await lstat(path).catch(() => undefined);
    if (link) throw new FileProblem(path, l10n.t('{0} is a broken link.', path));
    return { target: path, exists: false, mode: newFileMode };
  }
}

function readOnly(path: string): FileProblem {
  return new FileProblem(path, l10n.t('{0} is read-only.', path));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnchangeableFile(l10n.t("it isn't UTF-8 text"));
  }
}

async function removeEmpty(from: string, outermost: string): Promise<void> {
  for (let folder = from; folder.startsWith(outermost); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      // The folder is no longer empty.
      return;
    }
  }
}

function stampOf(now: Date): string {
  return now
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[-:]/g, '')
    .replace('T', '-');
}

/** Keeps comments, order and line ends. Throws `UnchangeableFile`, also if the parsed result isn't as expected. */
export function changeText(
  format: Format,
  text: string,
  edits: (current: object) => readonly Edit[],
): string {
  const hasMark = text.startsWith(mark);
  const body = hasMark ? text.slice(mark.length) : text;
  // Mixed line ends stay as they are.
  const isWindows = body.includes('\r\n') && !/(?<!\r)\n/.test(body);
  const before = isWindows ? body.replaceAll('\r\n', '\n') : body;
  let expected = format.parse(before);
  let changed = before;
  for (const edit of edits(expected)) {
    // Steps depend on the edits before.
    for (const step of stepsOf(edit, format.parse(changed))) {
      if (step.type === 'insert') changed = format.insert(changed, step.container, step.key, step.value);
      else if (step.type === 'remove') changed = format.remove(changed, step.path);
      else changed = format.replace(changed, step.path, step.value);
    }
    expected = withoutEmptied(applyEdit(expected, edit), format.parse(changed), edit);
  }
  if (!matches(format, changed, expected)) throw notChanged();
  return (hasMark ? mark : '') + (isWindows ? changed.replaceAll('\n', '\r\n') : changed);
}

/** An object of TOML is gone with its last table, unless it has a heading. */
function withoutEmptied(expected: object, found: object, { path, value }: Edit): object {
  if (value !== undefined) return expected;
  return path.slice(0, -1).reduceRight<object>((rest, _, depth) => {
    const outer: Path = path.slice(0, depth + 1);
    const emptied = isSame(valueAt(rest, outer), {}) && valueAt(found, outer) === undefined;
    return emptied ? applyEdit(rest, { path: outer }) : rest;
  }, expected);
}

function matches(format: Format, text: string, expected: object): boolean {
  try {
    return isSame(format.parse(text), expected);
  } catch {
    return false;
  }
}

function notChanged(): UnchangeableFile {
  return new UnchangeableFile(l10n.t("its formatting can't be edited safely"));
}
