import type { Memento } from './memory.ts';

/**
 * The editor's memento of all windows, with one write under way at a time. After each write the editor hands back all
 * that was stored then, also to the window that wrote: coming late, it would take back a write that began meanwhile.
 */
export class OrderedMemento implements Memento {
  /** By key, with what is under way. */
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
