// Conversations of 1,000 and 5,000 turns: the page against a bare list, and the host that pages them.
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../host/browser.ts';
import { LongChat } from '../page/support/longChat.ts';
import { PanelPage } from '../page/support/panelPage.ts';
import { startPageServer, type PageServer } from '../page/support/pageServer.ts';
import { buildPage, traced } from './pageTrace.ts';
import { ratio, row, type Row } from './rows.ts';

const sizes = [1000, 5000] as const;
const scrolledPages = 40;
const mostSteps = 400;

interface Measured {
  openMs: number;
  bareMs: number;
  /** Script, style and layout, without the screen's time for each scroll step. */
  pageMs: number;
  keyMs: number;
  streamMs: number;
  heapBytes: number;
  nodes: number;
}

export async function benchConversation(): Promise<Row[]> {
  const browser = await launchBrowser();
  const server = await startPageServer(await buildPage());
  try {
    const empty = await measure(browser, server, 0);
    const small = await measure(browser, server, sizes[0]);
    const large = await measure(browser, server, sizes[1]);
    await pageInHost(sizes[0]);
    const [hostSmall, hostLarge] = [await pageInHost(sizes[0]), await pageInHost(sizes[1])];
    const ms = (value: number) => ({ value, unit: 'ms' });
    const grows = (name: string, of: (measured: Measured) => number, most: number) =>
      row(
        `${name}: 5,000 against 1,000 turns`,
        ratio(of(large), of(small)),
        `at most ${most} x`,
        (v) => v <= most,
      );
    return [
      row('opened and drawn', ms(large.openMs), 'under 300 ms', (v) => v < 300),
      row(
        'opened, against the same texts in a bare list',
        ratio(large.openMs, large.bareMs),
        'for comparison',
        () => true,
      ),
      grows('opened', ({ openMs }) => openMs, 1.5),
      row('a page of 30 more entries: script, style, layout', ms(large.pageMs), 'under 50 ms', (v) => v < 50),
      grows('a page of 30 more entries', ({ pageMs }) => pageMs, 1.5),
      row('key to paint, scrolled up', ms(large.keyMs), 'under 16 ms', (v) => v < 16),
      row(
        'key to paint, against an empty conversation',
        ratio(large.keyMs, empty.keyMs),
        'at most 2 x',
        (v) => v <= 2,
      ),
      row(
        'an answer comes: main thread against an empty conversation',
        ratio(large.streamMs, empty.streamMs),
        'at most 1.5 x',
        (v) => v <= 1.5,
      ),
      row('nodes after 40 pages', { value: large.nodes, unit: '' }, 'under 20,000', (v) => v < 20_000),
      grows('nodes after 40 pages', ({ nodes }) => nodes, 1.2),
      grows('memory after 40 pages', ({ heapBytes }) => heapBytes, 1.2),
      row('host: all pages, with sources, of 5,000 turns', ms(hostLarge), 'under 1,500 ms', (v) => v < 1500),
      row(
        'host: for each entry, 5,000 against 1,000 turns',
        ratio(hostLarge / sizes[1], hostSmall / sizes[0]),
        'at most 1.5 x',
        (v) => v <= 1.5,
      ),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function measure(browser: Browser, server: PageServer, turns: number): Promise<Measured> {
  const panel = await PanelPage.open(browser, server, { width: 420, height: 800 });
  const chat = new LongChat(turns);
  await panel.serve((message) => chat.answer(message));
  const state = chat.state();
  // Fonts and the page's parts are loaded before: the panel benchmark measures that.
  await panel.say({ type: 'stateReplaced', state: { ...state, chatId: randomUUID() } });
  const openMs = await panel.page.evaluate(drawn, { type: 'stateReplaced', state } as unknown);
  const bareMs = await panel.page.evaluate(
    async (texts) => {
      const started = performance.now();
      const list = document.createElement('div');
      list.append(
        ...texts.map((text) => {
          const element = document.createElement('p');
          element.textContent = text;
          return element;
        }),
      );
      document.body.append(list);
      // The second frame begins when the first one is on the screen.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const took = performance.now() - started;
      list.remove();
      return took;
    },
    state.entries.map((entry) => ('text' in entry ? entry.text : '')),
  );
  if (turns === 0) await chat.apply(panel, { type: 'userMessageAdded', id: 'u', text: 'Question' });
  await chat.apply(panel, { type: 'answerStarted', id: 'new', model: 'm' });
  const { busyMs: streamMs } = await traced(browser, panel.page, async () => {
    for (let n = 0; n < 200; n++) {
      await chat.apply(panel, {
        type: 'textAdded',
        id: 'new',
        text: `Line ${n} of the answer, with **words**.\n\n`,
      });
    }
  });
  const pageMs = turns > 0 ? await scrollUp(panel) : 0;
  const keyMs = await keyToPaint(browser, panel);
  const devTools = await panel.page.context().newCDPSession(panel.page);
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize: heapBytes } = await devTools.send('Runtime.getHeapUsage');
  const nodes = await panel.page.evaluate(() => document.getElementsByTagName('*').length);
  await panel.close();
  return { openMs, bareMs, pageMs, keyMs, streamMs, heapBytes, nodes };
}

/** @returns the time of each page in ms */
async function scrollUp(panel: PanelPage): Promise<number> {
  const scroller = panel.page.locator('.scroller');
  const loads = async () =>
    panel.page.evaluate(() => window.posts.filter(({ type }) => type === 'loadEntries').length);
  const devTools = await panel.page.context().newCDPSession(panel.page);
  // Processor time, so that other work on the machine doesn't count.
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const drawingMs = async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    const kinds = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];
    return metrics.reduce((sum, { name, value }) => sum + (kinds.includes(name) ? value * 1000 : 0), 0);
  };
  const before = await drawingMs();
  let pages = await loads();
  for (let step = 0; step < mostSteps && pages < scrolledPages; step++) {
    await scroller.evaluate((element) => element.scrollBy(0, -element.clientHeight));
    await panel.frame();
    pages = await loads();
  }
  if (pages < scrolledPages) throw new Error(`Only ${pages} pages were asked for.`);
  return ((await drawingMs()) - before) / pages;
}

async function drawn(message: unknown): Promise<number> {
  const started = performance.now();
  window.dispatchEvent(new MessageEvent('message', { data: message }));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now() - started;
}

const keys = 40;

/** Main thread time from a key press to its paint. */
async function keyToPaint(browser: Browser, panel: PanelPage): Promise<number> {
  await panel.messageBox.focus();
  const { busyMs } = await traced(browser, panel.page, () =>
    panel.page.evaluate(async (count) => {
      for (let n = 0; n < count; n++) {
        document.execCommand('insertText', false, 'x');
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
    }, keys),
  );
  return busyMs / keys;
}

/** Processor time for the host to build all pages of a conversation, from its end. */
async function pageInHost(turns: number): Promise<number> {
  const chat = new LongChat(turns);
  const { total } = chat.state();
  const start = process.cpuUsage();
  for (let to = total; to > 0; to -= 30) {
    await chat.answer({ type: 'loadEntries', requestId: 1, from: Math.max(0, to - 30), to });
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
