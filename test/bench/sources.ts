// Sources of answers: checking them against their files, and quotations against them.
import { createHash } from 'node:crypto';
import { SourceChecker } from '../../src/knowledge/sources/sourceChecker.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { nodeFileSystem } from '../../src/tools/files/nodeFileSystem.ts';
import { type CitedBlock, unsupportedCitations } from '../../src/webview/markdown/citations/quotations.ts';
import { MemoryWorkspace } from '../support/memoryWorkspace.ts';
import { silentLog } from '../support/silentLog.ts';
import { WorkspaceUnderTest } from '../support/workspaceUnderTest.ts';
import { row, type Row } from './rows.ts';

const rounds = 9;
const count = 50;

export async function benchSources(): Promise<Row[]> {
  const different = await checking(count, (n) => `docs/${n}.md`, 1);
  const one = await checking(count, () => 'docs/one.md', 1);
  const larger = await checking(count, () => 'docs/one.md', 40);
  const twiceAsLarge = await checking(count, () => 'docs/one.md', 80);
  const growths = hostilePieces.map((piece) => {
    const once = quoting(piece, 300_000);
    const twice = quoting(piece, 600_000);
    // Less says nothing about growth.
    return twice < 20 ? 1 : twice / Math.max(once, 10);
  });
  return [
    row(`${count} sources in as many files checked`, ms(different), 'under 100 ms', (v) => v < 100),
    row(`${count} sources in one file checked`, ms(one), 'under 100 ms', (v) => v < 100),
    row(
      'the same in one of 1.6 MB, against one of 0.8 MB',
      { value: twiceAsLarge / larger, unit: 'x' },
      'at most 2.3 x',
      (v) => v <= 2.3,
    ),
    row(
      'quotations checked in a text twice as long, slowest of hostile ones',
      { value: Math.max(...growths), unit: 'x' },
      'at most 2.3 x',
      (v) => v <= 2.3,
    ),
  ];
}

function ms(value: number): { value: number; unit: string } {
  return { value, unit: 'ms' };
}

/** Least time, in ms: other work on the machine only adds to it. A third of the sources is unchanged, a third has moved and a third has changed. */
async function checking(sources: number, pathOf: (n: number) => string, size: number): Promise<number> {
  const under = new WorkspaceUnderTest();
  try {
    const segments = Array.from({ length: sources }, (_, n) => {
      const passage = `Passage ${n} of the handbook. `.repeat(10);
      const hash = createHash('sha256').update(`${n}`).digest('hex');
      const origin = { path: pathOf(n), hash, segmentLines: { start: n % 3 === 1 ? 1 : 400, end: 900 } };
      return { passage, source: { content: passage, origin } };
    });
    const fill = 'Nothing that anybody would cite stands here.\n'.repeat(440 * size);
    const texts = new Map<string, string>();
    segments.forEach(({ passage, source: { origin } }, n) => {
      const before = texts.get(origin.path) ?? fill;
      texts.set(origin.path, `${before}${n % 3 === 2 ? 'Something else.' : passage}\n`);
    });
    for (const [path, text] of texts) under.write(path, text);
    const workspace = new MemoryWorkspace({}, nodeFileSystem);
    workspace.folderList = [{ name: 'app', path: under.folder, isVirtual: false }];
    const files = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const checker = new SourceChecker({ files, log: silentLog });
      const begin = performance.now();
      const states = await checker.check(segments.map(({ source }) => source));
      times.push(performance.now() - begin);
      const changed = states.filter((state) => state?.type === 'changed').length;
      if (changed !== Math.floor(sources / 3)) throw new Error(`${changed} of ${sources} were changed.`);
    }
    return Math.min(...times);
  } finally {
    under.dispose();
  }
}

const hostilePieces = ['"', '[1]', '[', '“', ' ', '\n', '"a b c d e f g h" [1] ', '( ', '](', '<', '\n—'];

/** Least time, in ms. */
function quoting(piece: string, length: number): number {
  const text = piece.replaceAll('[1]', '').repeat(Math.ceil(length / piece.length));
  const own = piece.replaceAll('[1]', '').length;
  const places = piece.includes('[1]') ? Math.ceil(length / piece.length) : Math.ceil(length / 1000);
  const step = piece.includes('[1]') ? own : Math.floor(text.length / places);
  const cites = Array.from({ length: places }, (_, n) => ({ at: (n + 1) * step, n: 1, cite: n }));
  const block: CitedBlock<number> = { text, cites, isBlockQuote: true };
  const content = piece.repeat(1000);
  const times = Array.from({ length: 5 }, () => {
    const begin = performance.now();
    unsupportedCitations([block], () => content);
    return performance.now() - begin;
  });
  return Math.min(...times);
}
