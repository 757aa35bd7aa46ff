import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Memento } from './memory.ts';

/** The global memento with one write at a time: the editor returns its state after each, undoing a later write. */
export class OrderedMemento implements Memento {
  private readonly unwritten = new Map<string, unknown>();
  private writing: Promise<void> | undefined;

  constructor(private readonly memento: Memento) {}

  get<T>(key: string, fallback?: T): T | undefined {
    const value = this.unwritten.has(key) ? this.unwritten.get(key) : this.memento.get(key);
    return value === undefined ? fallback : (value as T);
  }

  update(key: string, value: unknown): Promise<void> {
    this.unwritten.set(key, value);
    return (this.writing ??= this.write());
  }

  private async write(): Promise<void> {
    try {
      while (this.unwritten.size > 0) {
        const batch = [...this.unwritten];
        try {
          await Promise.all(batch.map(([key, value]) => this.memento.update(key, value)));
        } finally {
          for (const [key, value] of batch) if (this.unwritten.get(key) === value) this.unwritten.delete(key);
        }
      }
    } finally {
      this.writing = undefined;
    }
  }
}

/** The storage folder shared by all windows of a workspace: the editor gives further windows a numbered one. */
export function sharedStorageFolder(folder: string): string {
  const given = dirname(folder);
  const first = given.replace(/(?<=[\da-f])-\d$/, '');
  if (first === given || !existsSync(join(first, 'vscode.lock'))) return folder;
  return join(first, basename(folder));
}
