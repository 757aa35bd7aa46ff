import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFailure } from './failures.ts';
import { outFolder, root } from './paths.ts';
import { draw } from './undrawn.ts';

/** Emptied by `npm test` before it runs tests. */
export const picturesFolder = join(outFolder, 'failures');
/** A page that no longer draws gives no picture. */
const pictureMs = 10_000;
let pictures = 0;

/** Adds what is on the screen, and the path of a picture, to a test that fails before the page closes. */
export async function reportFailures(page: Page): Promise<void> {
  await page.addInitScript(meetEvents, longestHistory);
  page.once(
    'close',
    onTestFailure((title) => pictureScreen(page, title)),
  );
}

/**
 * Taken on request (`SCREENSHOTS=1`), as each takes a quarter of a second of processor time.
 * @param name of the file, with its folder if it has one
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env['SCREENSHOTS']) return;
  await page.screenshot({ path: join(outFolder, 'screenshots', `${name}.png`) });
}

export async function pictureScreen(page: Page, title: string): Promise<string> {
  const name = title.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 60);
  const path = join(picturesFolder, `${name}-${process.pid}-${++pictures}.png`);
  const taken = await mkdir(picturesFolder, { recursive: true })
    .then(() => draw(page))
    .then(() => page.screenshot({ path, timeout: pictureMs }))
    .then(
      () => `Picture: ${relative(root, path)}`,
      (error: unknown) => `No picture: ${String(error)}`,
    );
  return `${taken}\n${await describeScreen(page)}`;
}

/** The newest text stands at the end. */
const longest = 600;
const longestHistory = 40;

declare global {
  var metEvents: { at: number; text: string }[] | undefined;
}

/** Records in each frame what moves the focus, and by which code. */
function meetEvents(most: number): void {
  const met: { at: number; text: string }[] = (globalThis.metEvents = []);
  const note = ({ type, target }: Event) => {
    const where = target instanceof HTMLElement ? `${target.tagName}.${target.className}` : 'window';
    const callers = new Error().stack?.match(/(?<=at )(?:async )?[\w.$]+(?= \()/g)?.slice(1, 8) ?? [];
    met.push({ at: performance.now(), text: [type, where, ...callers].join(' ') });
    if (met.length > most) met.shift();
  };
  for (const type of ['blur', 'focus', 'mousedown', 'keydown', 'resize']) {
    window.addEventListener(type, note, true);
  }
}

/** The focus, and the text of dialogs over the window and of the panel's page. */
async function describeScreen(page: Page): Promise<string> {
  const frames = await Promise.allSettled(page.frames().map((frame) => frame.evaluate(describe, longest)));
  const seen = frames.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  return [`On the screen of ${page.url()}:`, ...seen].join('\n  ');
}

function describe(most: number): string[] {
  const over = `.quick-input-widget, .monaco-dialog-box, .notification-toast, .context-view, 
    .transcript, .composer`;
  const textOf = (element: HTMLElement) => element.innerText.replaceAll(/\s+/g, ' ').trim().slice(-most);
  const texts = [...document.querySelectorAll<HTMLElement>(over)]
    .filter((element) => element.checkVisibility() && textOf(element) !== '')
    .map((element) => `${element.classList[0]}: ${textOf(element)}`);
  const now = performance.now();
  for (const { at, text } of metEvents ?? []) texts.push(`${Math.round(now - at)} ms ago: ${text}`);
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused instanceof HTMLIFrameElement) return texts;
  return [...texts, `has the focus: ${(focused.cloneNode() as Element).outerHTML.slice(0, most)}`];
}
