import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const mostFiles = 20;
const longestKeptMs = 7 * 24 * 60 * 60 * 1000;
const fileName = /^([0-9a-f]{8})\.txt$/;

/** Stores the newest long outputs for a week. */
export class OutputFiles {
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  async write(id: string, text: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(join(this.folder, `${id}.txt`), text, { mode: 0o600 });
    await this.removeOld();
  }

  async read(id: string): Promise<string | undefined> {
    if (!fileName.test(`${id}.txt`)) return undefined;
    return readFile(join(this.folder, `${id}.txt`), 'utf8').catch(() => undefined);
  }

  private async removeOld(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => fileName.test(name));
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        // Another window may have removed it.
        return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    const newest = files.toSorted((a, b) => b.time - a.time);
    const old = newest.filter(({ time }, index) => index >= mostFiles || this.now() - time > longestKeptMs);
    await Promise.all(old.map(({ path }) => rm(path, { force: true })));
  }
}
