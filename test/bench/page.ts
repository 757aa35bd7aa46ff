// Drawing an answer in the page, in a real browser under the panel's policy: ours against rendering all of it anew.
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { outFolder, root } from '../host/paths.ts';
import { PanelPage } from '../page/support/panelPage.ts';
import { startPageServer, type PageServer } from '../page/support/pageServer.ts';
import { answer } from '../page/support/states.ts';
import { answers } from './pageAnswers.ts';
import { ratio, row, type Row } from './rows.ts';

/** In processor time of the main thread, so that other work of the machine does not count. */
interface Figures {
  /** Part of the stream's time in which the main thread was busy. */
  share: number;
  /** The dearest drawing with its layout. */
  maxRenderMs: number;
  /** Tasks that would have kept the page from answering for more than 50 ms. */
  gaps: number;
}

const deltasPerSecond = 200;
const deltas = 3000;

/** Streams answers of 60 KB, mixed and of one kind each, and shows one at once. */
export async function benchPage(): Promise<Row[]> {
  const browser = await launchBrowser();
  const server = await startPageServer(await buildPage());
  const peerServer = await startPageServer(await buildPeer());
  try {
    const rows: Row[] = [];
    for (const [name, text] of Object.entries(answers)) {
      const ours = await streamed(browser, server, text);
      rows.push(
        row(`${name}: main thread`, percent(ours.share), 'at most 30 %', (v) => v <= 30),
        row(
          `${name}: longest drawing`,
          { value: ours.maxRenderMs, unit: 'ms' },
          'at most 16 ms',
          (v) => v <= 16,
        ),
        row(`${name}: gaps over 50 ms`, { value: ours.gaps, unit: '' }, 'none', (v) => v === 0),
      );
      const peer = await streamed(browser, peerServer, text);
      rows.push(
        row(`${name}: all drawn anew each frame`, percent(peer.share), 'for comparison', () => true),
        row(`${name}: ours against that`, ratio(ours.share, peer.share), 'at most 1 x', (v) => v <= 1),
      );
    }
    const atOnce = await shownAtOnce(browser, server, Object.values(answers)[0] ?? '');
    rows.push(row('60 KB at once', { value: atOnce, unit: 'ms' }, 'under 250 ms', (v) => v < 250));
    return rows;
  } finally {
    await browser.close();
    await Promise.all([server.stop(), peerServer.stop()]);
  }
}

function percent(share: number): { value: number; unit: string } {
  return { value: share * 100, unit: '%' };
}

/** The production bundle, built for the bench alone so that it runs without the packaged extension. */
async function buildPage(): Promise<string> {
  const { bundles } = (await import(join(root, 'esbuild.mjs'))) as typeof import('../../esbuild.mjs');
  const outdir = join(outFolder, 'bench-page');
  await build({ ...bundles({ production: true }).page, outdir });
  return outdir;
}

async function buildPeer(): Promise<string> {
  const outdir = join(outFolder, 'bench-page-peer');
  await build({
    entryPoints: { panel: join(root, 'test/bench/pagePeer.ts'), style: join(root, 'src/webview/style.css') },
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  });
  return outdir;
}

async function streamed(browser: Browser, server: PageServer, text: string): Promise<Figures> {
  const panel = await PanelPage.open(browser, server, { width: 420, height: 800 });
  await panel.show({ entries: [answer('1', '', { end: null })], status: { type: 'answering' } });
  await browser.startTracing(panel.page, { categories: ['devtools.timeline', 'toplevel'] });
  const seconds = await panel.page.evaluate(sendDeltas, { text, deltasPerSecond, deltas });
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await panel.close();
  return figures(trace.traceEvents, seconds);
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds. */
  tdur?: number;
}

function figures(events: readonly TraceEvent[], seconds: number): Figures {
  const frame = events.find(({ name }) => name === 'FireAnimationFrame');
  const timesMs = (wanted: string) =>
    events
      .filter(({ name, pid, tid }) => name === wanted && pid === frame?.pid && tid === frame.tid)
      .map(({ tdur = 0 }) => tdur / 1000);
  const tasks = timesMs('ThreadControllerImpl::RunTask');
  if (tasks.length === 0) throw new Error('The trace does not tell of the main thread.');
  return {
    share: tasks.reduce((sum, ms) => sum + ms, 0) / 1000 / seconds,
    maxRenderMs: Math.max(...timesMs('FireAnimationFrame')),
    gaps: tasks.filter((ms) => ms > 50).length,
  };
}

async function shownAtOnce(browser: Browser, server: PageServer, text: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    const panel = await PanelPage.open(browser, server, { width: 420, height: 800 });
    // A piece of it is there already: finding the fonts takes longer than drawing, but only for the first text.
    await panel.show({ entries: [answer('0', text.slice(0, 1000)), answer('1', '', { end: null })] });
    await panel.page.waitForTimeout(300);
    times.push(
      await panel.page.evaluate(async (whole) => {
        const started = performance.now();
        const say = (data: unknown) => window.dispatchEvent(new MessageEvent('message', { data }));
        say({ type: 'textAdded', entryId: '1', text: whole });
        say({ type: 'entryEnded', entryId: '1', end: {} });
        // The second frame begins when the first one is on the screen.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return performance.now() - started;
      }, text),
    );
    await panel.close();
  }
  return times.toSorted((a, b) => a - b)[2] ?? NaN;
}

/** In the page: says the deltas as the host would, in messages of their own, and waits for the end to be drawn. */
async function sendDeltas(options: {
  text: string;
  deltasPerSecond: number;
  deltas: number;
}): Promise<number> {
  const { text } = options;
  const size = Math.ceil(text.length / options.deltas);
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  for (let sent = 0; sent < options.deltas;) {
    const due = Math.min(options.deltas, Math.floor(elapsed() * options.deltasPerSecond) + 1);
    for (; sent < due; sent++) {
      window.postMessage({
        type: 'textAdded',
        entryId: '1',
        text: text.slice(sent * size, (sent + 1) * size),
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const seconds = elapsed();
  window.postMessage({ type: 'entryEnded', entryId: '1', end: {} });
  await new Promise((resolve) => setTimeout(resolve, 400));
  return seconds;
}
