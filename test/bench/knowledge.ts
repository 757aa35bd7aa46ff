// Uploads to a knowledge base: memory for a large file, time for many small ones and for a second check.
import { fork } from 'node:child_process';
import { buildTests } from '../host/build.ts';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import type { KnowledgeFigures } from './knowledgeClients.ts';
import type { PlatformPlace } from './knowledgePlatform.ts';
import { ratio, row, type Row } from './rows.ts';
import { firstMessage } from './firstMessage.ts';

export async function benchKnowledge(): Promise<Row[]> {
  const { node } = await vscodeFiles();
  const [platformFile = '', clientFile = ''] = await buildTests(
    ['test/bench/knowledgePlatform.ts', 'test/bench/knowledgeClients.ts'],
    'out/bench',
  );
  const platform = fork(platformFile, [], { execPath: node });
  try {
    const { url, distantUrl, key } = await firstMessage<PlatformPlace>(platform);
    const measure = (way: string, at = url) =>
      firstMessage<KnowledgeFigures>(fork(clientFile, [way, at, key], { execPath: node }));
    const large = await measure('largeOurs');
    const whole = await measure('largeWhole');
    const many = await measure('manyOurs', distantUrl);
    const oneByOne = await measure('manyOneByOne', distantUrl);
    const atOnce = await measure('manyAtOnce', distantUrl);
    const again = await measure('againOurs');
    const commit = await measure('commitOurs');
    return [
      row('a 200 MB file sent: memory grows by', megabytes(large), 'under 80 MB', (v) => v < 80),
      row(
        'the same read whole: memory, against ours',
        ratio(whole.grownBytes, large.grownBytes),
        'at least 3x',
        (v) => v >= 3,
      ),
      row(
        '2,000 small files to a server 5 ms away, against bare requests one by one',
        ratio(many.ms, oneByOne.ms),
        'at most 0.8x',
        (v) => v <= 0.8,
      ),
      row(
        'the same, against bare requests 32 at a time, the server being the limit',
        ratio(many.ms, atOnce.ms),
        'no budget',
        () => true,
      ),
      row('2,000 unchanged files looked at again', seconds(again), 'under 3 s', (v) => v < 3),
      row('of these, files opened', { value: again.opened, unit: '' }, '0', (v) => v === 0),
      row(
        'a commit of 10 files, 20,000 in step: to the first upload',
        seconds(commit),
        'under 0.3 s',
        (v) => v < 0.3,
      ),
      row('of these, files opened', { value: commit.opened, unit: '' }, '10', (v) => v === 10),
    ];
  } finally {
    platform.disconnect();
  }
}

function megabytes({ grownBytes }: KnowledgeFigures): { value: number; unit: string } {
  return { value: grownBytes / 1e6, unit: 'MB' };
}

function seconds({ ms }: KnowledgeFigures): { value: number; unit: string } {
  return { value: ms / 1000, unit: 's' };
}
