import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { appendLine, rewriteLines } from '../base/lineFiles.ts';
import { isMissing } from '../base/systemCode.ts';
import type { ManifestStorage } from './manifestStorage.ts';

/** Manifests as files of one folder. What is asked for one name is done in order. */
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
    // The caller of what failed before has been told.
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
