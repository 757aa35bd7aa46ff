// From the click on the panel's tab to its message box, in a real VS Code, beside a view of another extension that has a
// text box and nothing else.
import type { Page } from 'playwright-core';
import { resizeSecondarySideBar, secondarySideBarTab } from '../host/workbench.ts';
import { closeSharedBrowser } from '../host/sharedBrowser.ts';
import { setUpStage } from '../e2e/support.ts';
import { eventually } from '../support/eventually.ts';
import { isBusy, loadRow, ratio, row, type Row } from './rows.ts';

/** The first loads parts that are there from then on. */
const openings = 8;

export async function benchPanel(): Promise<Row[]> {
  const { ours, theirs } = await openInTurns();
  return [
    loadRow(),
    row(
      'from the click on the tab to the message box, in a real VS Code',
      { value: ours, unit: 'ms' },
      'under 300 ms, where nothing else runs',
      (value) => value < 300 || isBusy(),
    ),
    row('  the same for an empty webview', { value: theirs, unit: 'ms' }, 'the floor', () => true),
    row('  against that', ratio(ours, theirs), 'at most 3x', (value) => value <= 3),
  ];
}

async function openInTurns(): Promise<{ ours: number; theirs: number }> {
  const stage = await setUpStage({ connected: true, sandbox: { list: 'good' }, companions: ['emptyView'] });
  try {
    const user = await stage.browser.newContext({ viewport: { width: 1400, height: 900 } });
    await user.addInitScript(noteTimes);
    const { page } = await stage.open(user);
    // For both tabs to have room.
    await resizeSecondarySideBar(page, 460);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let time = 0; time < openings; time++) {
      theirs.push(await open(page, 'Empty', 'Empty'));
      ours.push(await open(page, 'Switchboard', 'Message'));
    }
    return { ours: median(ours.slice(1)), theirs: median(theirs.slice(1)) };
  } finally {
    await stage.close();
    await closeSharedBrowser();
  }
}

/** Runs in every frame: notes when a tab was clicked, and when a text box was drawn. */
function noteTimes(): void {
  const note = (name: string) => {
    document.documentElement.dataset[name] = String(performance.timeOrigin + performance.now());
  };
  document.addEventListener('mousedown', () => note('clicked'), { capture: true });
  if (window === window.top) return;
  // The editor writes the document anew, with which what observes it is gone.
  const looking = setInterval(() => {
    if (!document.querySelector('textarea')) return;
    clearInterval(looking);
    requestAnimationFrame(() => requestAnimationFrame(() => note('drawn')));
  }, 2);
}

async function open(page: Page, tab: string, box: string): Promise<number> {
  await secondarySideBarTab(page, tab).click();
  const clicked = Number(await page.locator('html').getAttribute('data-clicked'));
  const drawn = await eventually(async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .evaluate(() => ({
          label: document.querySelector('textarea')?.getAttribute('aria-label'),
          drawn: Number(document.documentElement.dataset['drawn']),
        }))
        // It went away meanwhile.
        .catch(() => undefined);
      if (found?.label === box && found.drawn > clicked) return found.drawn;
    }
    throw new Error(`The text box "${box}" is not drawn yet.`);
  });
  // What goes on behind it, such as the list of models, is over before the next.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  return drawn - clicked;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
