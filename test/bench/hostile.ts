// Texts that freeze Markdown renderers: growth of the time with the text's length, and the longest task.
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { PanelPage } from '../page/support/panelPage.ts';
import { startPageServer, type PageServer } from '../page/support/pageServer.ts';
import { answer } from '../page/support/states.ts';
import { hostileTexts } from './hostileTexts.ts';
import { buildPage, traced, type Figures } from './pageTrace.ts';
import { row, type Row } from './rows.ts';

const length = 60_000;
/** Any text takes about this long, so a shorter time says nothing about growth. */
const littleMs = 60;

/** Shows each text at once and streams it, then does the same at double length. */
export async function benchHostile(): Promise<Row[]> {
  const browser = await launchBrowser();
  const server = await startPageServer(await buildPage());
  const rows: Row[] = [];
  try {
    for (const [name, text] of Object.entries(hostileTexts)) {
      for (const pieces of [1, 300]) {
        const once = await least(() => shown(browser, server, text(length), pieces));
        const twice = await least(() => shown(browser, server, text(2 * length), 2 * pieces));
        const growth = twice.busyMs < littleMs ? 1 : twice.busyMs / Math.max(once.busyMs, littleMs / 2);
        const way = pieces === 1 ? 'at once' : 'streamed';
        rows.push(
          row(
            `${name}, ${way}: twice as long`,
            { value: growth, unit: 'x' },
            'at most 2.3 x',
            (v) => v <= 2.3,
          ),
          row(
            `${name}, ${way}: longest task`,
            { value: Math.max(once.maxTaskMs, twice.maxTaskMs), unit: 'ms' },
            'at most 50 ms',
            (v) => v <= 50,
          ),
        );
      }
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return rows;
}

/** Minimum of two runs: other work on the machine only adds time. */
async function least(run: () => Promise<Figures>): Promise<Figures> {
  const [a, b] = [await run(), await run()];
  return { ...a, busyMs: Math.min(a.busyMs, b.busyMs), maxTaskMs: Math.min(a.maxTaskMs, b.maxTaskMs) };
}

async function shown(browser: Browser, server: PageServer, text: string, pieces: number): Promise<Figures> {
  const panel = await PanelPage.open(browser, server, { width: 420, height: 800 });
  await panel.show({ entries: [answer('0', '**Words**\n\n- and `more`'), answer('1', '', { end: null })] });
  const figures = await traced(browser, panel.page, () => panel.page.evaluate(sendPieces, { text, pieces }));
  await panel.close();
  return figures;
}

/** Runs in the page: posts the text like the host, and waits until it is drawn. */
async function sendPieces({ text, pieces }: { text: string; pieces: number }): Promise<void> {
  const size = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += size) {
    window.postMessage({ type: 'textAdded', id: '1', text: text.slice(at, at + size) });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  window.postMessage({ type: 'entryEnded', id: '1', end: {} });
  // Drawn: no change for some frames.
  let still = 0;
  const observer = new MutationObserver(() => (still = 0));
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  for (; still < 10; still++) await new Promise((resolve) => requestAnimationFrame(resolve));
  observer.disconnect();
}
