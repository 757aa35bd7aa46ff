import { isMissing } from '../../base/errors/errors.ts';
import { rewriteLines, appendLine } from '../../base/files/writeLines.ts';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Small text files of a workspace's windows. Names: letters, digits, `-`, `.`. Operations on one run in order. */
export interface ManifestStorage {
  read(name: string): Promise<string | undefined>;
  /** Adds a line. Resolves once it is handed to the system, so that a killed process doesn't lose it. */
  append(name: string, line: string): Promise<void>;
  /** Atomic; lines added meanwhile follow. May do nothing if another window rewrites or `edit` returns undefined. */
  rewrite(name: string, edit: (text: string) => string | undefined): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<string[]>;
}

export class FileManifestStorage implements ManifestStorage {
  private readonly queues = new Map<string, Promise<unknown>>();

  constructor(private readonly folder: string) {}

  read(name: string): Promise<string | undefined> {
    return this.inOrder(name, () => ifThere(readFile(this.fileOf(name), 'utf8'), undefined));
  }

  append(name: string, line: string): Promise<void> {
    return this.inOrder(name, async () => void (await appendLine(this.fileOf(name), line)));
  }

  rewrite(name: string, edit: (text: string) => string | undefined): Promise<void> {
    return this.inOrder(name, () => rewriteLines(this.fileOf(name), edit));
  }

  remove(name: string): Promise<void> {
    return this.inOrder(name, () => rm(this.fileOf(name), { force: true }));
  }

  async list(): Promise<string[]> {
    const names = await ifThere(readdir(this.folder), []);
    return names.filter((name) => !/\.(lock|partial)$/.test(name)).toSorted();
  }

  private inOrder<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.queues.get(name) ?? Promise.resolve();
    // The earlier caller got its failure.
    const done = before.then(task, task);
    this.queues.set(name, done);
    return done;
  }

  private fileOf(name: string): string {
    if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`Not the name of a manifest: ${JSON.stringify(name)}`);
    return join(this.folder, name);
  }
}

async function ifThere<T, E>(result: Promise<T>, otherwise: E): Promise<T | E> {
  try {
    return await result;
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
}
