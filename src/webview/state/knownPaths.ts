import { signal } from '@preact/signals';
import { longestPath, mostPathsAsked } from '../../shared/code.ts';

const mostKnown = 5000;

export class KnownPaths {
  readonly changes = signal(0);
  private readonly known = new Map<string, boolean>();
  private readonly asked = new Set<string>();

  isThere(path: string): boolean | undefined {
    return path.length > longestPath ? false : this.known.get(path);
  }

  toAsk(paths: Iterable<string>): string[][] {
    const fresh = [...new Set(paths)].filter(
      (path) => this.isThere(path) === undefined && !this.asked.has(path),
    );
    for (const path of fresh) this.asked.add(path);
    const pieces: string[][] = [];
    for (let at = 0; at < fresh.length; at += mostPathsAsked)
      pieces.push(fresh.slice(at, at + mostPathsAsked));
    return pieces;
  }

  learn({ found, missing }: { found: readonly string[]; missing: readonly string[] }): void {
    if (this.known.size > mostKnown) this.known.clear();
    for (const path of [...found, ...missing]) this.asked.delete(path);
    for (const path of found) this.known.set(path, true);
    for (const path of missing) this.known.set(path, false);
    this.changes.value++;
  }

  /** Files may have been created since: missing ones are asked about again. */
  forgetMissing(): void {
    for (const [path, isThere] of this.known) if (!isThere) this.known.delete(path);
  }
}
