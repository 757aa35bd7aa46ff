// Drawing an answer in a real browser under the panel's policy: ours against rendering all of it again.
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { outFolder, root } from '../host/paths.ts';
import { PanelPage } from '../page/support/panelPage.ts';
import { startPageServer, type PageServer } from '../page/support/pageServer.ts';
import { answer } from '../page/support/states.ts';
import { answers } from './pageAnswers.ts';
import { buildPage, traced, type Figures } from './pageTrace.ts';
import { ratio, row, type Row } from './rows.ts';

const deltasPerSecond = 200;
const deltas = 3000;

/** Streams answers of 60 KB, a mixed one and one of each kind, and shows one at once. */
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
        row(
          `${name}: drawings a second`,
          { value: ours.frames / ours.seconds, unit: '' },
          'at most 40',
          (v) => v <= 40,
        ),
        row(`${name}: gaps over 50 ms`, { value: ours.gaps, unit: '' }, 'none', (v) => v === 0),
      );
      const peer = await streamed(browser, peerServer, text);
      rows.push(
        row(`${name}: all drawn again each frame`, percent(peer.share), 'for comparison', () => true),
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

async function streamed(
  browser: Browser,
  server: PageServer,
  text: string,
): Promise<Figures & { share: number; seconds: number }> {
  const panel = await PanelPage.open(browser, server, { width: 420, height: 800 });
  await panel.show({ entries: [answer('1', '', { end: null })], status: { type: 'answering' } });
  let seconds = 0;
  const figures = await traced(browser, panel.page, async () => {
    seconds = await panel.page.evaluate(sendDeltas, { text, deltasPerSecond, deltas });
  });
  await panel.close();
  return { ...figures, seconds, share: figures.busyMs / 1000 / seconds };
}

async function shownAtOnce(browser: Browser, server: PageServer, text: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 5; run++) {
    const panel = await PanelPage.open(browser, server, { width: 420, height: 800 });
    // The first text loads the fonts, which takes longer than drawing.
    await panel.show({ entries: [answer('0', text.slice(0, 1000)), answer('1', '', { end: null })] });
    await panel.page.evaluate(() => document.fonts.ready);
    await panel.frame();
    times.push(
      await panel.page.evaluate(async (whole) => {
        const started = performance.now();
        const say = (data: unknown) => window.dispatchEvent(new MessageEvent('message', { data }));
        say({ type: 'textAdded', id: '1', text: whole });
        say({ type: 'entryEnded', id: '1', end: {} });
        // The second frame begins when the first one is on the screen.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return performance.now() - started;
      }, text),
    );
    await panel.close();
  }
  return times.toSorted((a, b) => a - b)[2] ?? NaN;
}

/** Runs in the page: posts the deltas separately like the host, and waits for the end to be drawn. */
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
        id: '1',
        text: text.slice(sent * size, (sent + 1) * size),
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const seconds = elapsed();
  window.postMessage({ type: 'entryEnded', id: '1', end: {} });
  // Drawn: no change for some frames.
  const shown = document.getElementById('root') as HTMLElement;
  for (let still = 0, length = -1; still < 5; still++) {
    await new Promise(requestAnimationFrame);
    if (shown.textContent.length !== length) still = 0;
    length = shown.textContent.length;
  }
  return seconds;
}
