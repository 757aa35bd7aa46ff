import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Its removal is added to `stops`. */
export async function temporaryFile(
  text: string,
  stops: (() => Promise<void> | void)[],
  name = 'file.pem',
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-file-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}
