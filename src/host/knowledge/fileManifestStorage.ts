import { appendFile, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorKind } from '../../tools/fileAccess.ts';
import type { ManifestStorage } from '../../knowledge/manifestStorage.ts';

const partial = '.partial';

/** Manifests as files of one folder. What is asked for one name is done in order. */
export class FileManifestStorage implements ManifestStorage {
  private readonly queues = new Map<string, Promise<unknown>>();
  /** Files whose last line is known to be whole. */
  private readonly whole = new Set<string>();

  constructor(private readonly folder: string) {}

  read(name: string): Promise<string | undefined> {
    return this.inOrder(name, () => ifThere(readFile(this.fileOf(name), 'utf8'), undefined));
  }

  append(name: string, line: string): Promise<void> {
    return this.inOrder(name, async () => {
      const file = this.fileOf(name);
      await mkdir(this.folder, { recursive: true });
      // A line that was torn by a crash must not swallow this one.
      const isTorn = !this.whole.has(name) && (await endsInLine(file));
      this.whole.delete(name);
      await appendFile(file, `${isTorn ? '\n' : ''}${line.replace(/\n$/, '')}\n`);
      this.whole.add(name);
    });
  }

  replace(name: string, text: string): Promise<void> {
    return this.inOrder(name, async () => {
      const file = this.fileOf(name);
      await mkdir(this.folder, { recursive: true });
      await writeFile(file + partial, text);
      await rename(file + partial, file);
      this.whole.delete(name);
    });
  }

  async list(): Promise<string[]> {
    const names = await ifThere(readdir(this.folder), []);
    return names.filter((name) => !name.endsWith(partial)).toSorted();
  }

  private inOrder<T>(name: string, task: () => Promise<T>): Promise<T> {
    const done = (this.queues.get(name) ?? Promise.resolve()).then(task);
    this.queues.set(
      name,
      done.catch(() => {}),
    );
    return done;
  }

  private fileOf(name: string): string {
    if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`Not the name of a manifest: ${JSON.stringify(name)}`);
    return join(this.folder, name);
  }
}

/** Whether the file is there and its last line has no end. */
async function endsInLine(path: string): Promise<boolean> {
  const file = await ifThere(open(path, 'r'), undefined);
  if (!file) return false;
  try {
    const { size } = await file.stat();
    if (size === 0) return false;
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer.toString() !== '\n';
  } finally {
    await file.close();
  }
}

async function ifThere<T, E>(result: Promise<T>, otherwise: E): Promise<T | E> {
  try {
    return await result;
  } catch (error) {
    if (fileErrorKind(error) === 'not-found') return otherwise;
    throw error;
  }
}
