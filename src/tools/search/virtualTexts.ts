import { decodeText, detectEncoding } from '../files/decodeText.ts';
import { joinPath } from '../files/fileSystem.ts';
import { largestWholeFile } from '../files/fileTexts.ts';
import type { PolicyRun } from '../policy/policyRun.ts';
import type { Files } from '../files/workspace.ts';
import type { SearchTarget } from './searchJob.ts';
import { emptyCounts, walkFiles } from './walkFiles.ts';

/** Every file is fetched, often over a network. */
const mostFiles = 2000;
const mostBytes = 30_000_000;

/** Files and texts that neither ripgrep nor a worker can read; incomplete if a limit was reached. */
export async function virtualTexts(
  { access }: Files,
  run: PolicyRun,
  target: SearchTarget,
  withTexts: boolean,
  signal: AbortSignal,
): Promise<{ paths: string[]; texts: Map<string, string>; isComplete: boolean }> {
  const paths: string[] = [];
  const texts = new Map<string, string>();
  let bytes = 0;
  const walk = target.isFile
    ? [target.start]
    : walkFiles({ access, run, counts: emptyCounts() }, target.root, target.start, signal);
  for await (const path of walk) {
    signal.throwIfAborted();
    if (paths.length >= mostFiles || bytes >= mostBytes) return { paths, texts, isComplete: false };
    paths.push(path);
    if (!withTexts) continue;
    const realPath = joinPath(target.root, path);
    const file = await access.open(realPath).catch(() => undefined);
    if (!file) continue;
    if (file.stat.type === 'file' && file.stat.size <= largestWholeFile) {
      const content = new Uint8Array(file.stat.size);
      const read = content.subarray(0, await file.read(content, 0));
      bytes += read.length;
      const encoding = detectEncoding(read, true, target.encoding);
      if (encoding) texts.set(realPath, decodeText(read, encoding));
    }
    await file.close();
  }
  return { paths, texts, isComplete: true };
}
