// From a click on the panel's tab to its message box in a real VS Code, beside another extension's text box.
import type { Page } from 'playwright-core';
import { resizeSecondarySideBar, secondarySideBarTab } from '../host/workbench.ts';
import { closeSharedBrowser } from '../host/sharedBrowser.ts';
import { setUpStage } from '../e2e/support.ts';
import { eventually } from '../support/eventually.ts';
import { isBusy, loadRow, ratio, row, type Row } from './rows.ts';

const openings = 8;

export async function benchPanel(): Promise<Row[]> {
  const { ours, theirs, taken } = await openInTurns();
  return [
    loadRow(),
    row(
      'from the click on the tab to the message box, in a real VS Code',
      { value: ours, unit: 'ms' },
      'under 300 ms, where nothing else runs',
      (value) => value < 300 || isBusy(),
    ),
    row('  the same for an empty webview', { value: theirs, unit: 'ms' }, 'the floor', () => true),
    row('  against that', ratio(ours, theirs), 'at most 1.25x', (value) => value <= 1.25),
    row(
      'until it has the focus, and does what our own script does',
      { value: taken, unit: 'ms' },
      'no budget',
      () => true,
    ),
  ];
}

async function openInTurns(): Promise<{ ours: number; theirs: number; taken: number }> {
  const stage = await setUpStage({ connected: true, sandbox: { list: 'good' }, companions: ['emptyView'] });
  try {
    const user = await stage.browser.newContext({ viewport: { width: 1400, height: 900 } });
    await user.addInitScript(noteTimes);
    const { page } = await stage.open(user);
    await resizeSecondarySideBar(page, 460);
    const ours: Times[] = [];
    const theirs: Times[] = [];
    for (let time = 0; time < openings; time++) {
      theirs.push(await open(page, 'Empty', 'Empty'));
      ours.push(await open(page, 'Switchboard', 'Message'));
    }
    const medianOf = (all: Times[], name: keyof Times) => median(all.slice(1).map((each) => each[name]));
    return {
      ours: medianOf(ours, 'drawn'),
      theirs: medianOf(theirs, 'drawn'),
      taken: medianOf(ours, 'focused'),
    };
  } finally {
    await stage.close();
    await closeSharedBrowser();
  }
}

/** In ms after the click. */
interface Times {
  drawn: number;
  /** Focus of the text box; only our view takes it. */
  focused: number;
}

/** Runs in every frame; notes clicks on tabs, and when a text box is focused and seen. */
function noteTimes(): void {
  const note = (name: string, at = performance.now()) => {
    document.documentElement.dataset[name] = String(performance.timeOrigin + at);
  };
  document.addEventListener('mousedown', () => note('clicked'), { capture: true });
  if (window === window.top) return;
  // The editor rewrites the document, which ends observers; a frame alone says nothing.
  const looking = setInterval(() => {
    const box = document.querySelector('textarea');
    if (box && box === document.activeElement && !document.documentElement.dataset['focused'])
      note('focused');
    const [painted] = performance.getEntriesByType('paint');
    if (!box || !painted) return;
    note('drawn', painted.startTime);
    if (box.getAttribute('aria-label') === 'Empty' || document.documentElement.dataset['focused'])
      clearInterval(looking);
  }, 2);
}

async function open(page: Page, tab: string, box: string): Promise<Times> {
  await secondarySideBarTab(page, tab).click();
  const clicked = Number(await page.locator('html').getAttribute('data-clicked'));
  const times = await eventually(async () => {
    for (const frame of page.frames()) {
      const found = await frame
        .evaluate(() => ({
          label: document.querySelector('textarea')?.getAttribute('aria-label'),
          drawn: Number(document.documentElement.dataset['drawn']),
          focused: Number(document.documentElement.dataset['focused']),
        }))
        .catch(() => undefined);
      const isDone = box === 'Empty' || (found?.focused ?? 0) > clicked;
      if (found?.label === box && found.drawn > clicked && isDone)
        return { drawn: found.drawn - clicked, focused: found.focused - clicked };
    }
    throw new Error(`The text box "${box}" is not drawn yet.`);
  });
  // Background work such as the list of models ends before the next opening.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  return times;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
