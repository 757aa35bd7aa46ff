// Replaces the page's script: draws Markdown outside of the panel, for exact comparisons.
import '../../../src/webview/jitless.ts';
import { BlockReader } from '../../../src/webview/markdown/blockReader.ts';
import { addCitationButtons } from '../../../src/webview/markdown/citations/citationButtons.ts';
import { drawAllMath, drawMath, loadMath } from '../../../src/webview/markdown/math/drawMath.ts';
import { addPlaceButtons } from '../../../src/webview/markdown/places.ts';
import { MarkdownView } from '../../../src/webview/markdown/markdownView.ts';
import { toFragment } from '../../../src/webview/markdown/sanitize.ts';
import { renderWhole } from './wholeMarkdown.ts';

export interface Drawings {
  streamed: string;
  atOnce: string;
  whole: string;
}

declare global {
  interface Window {
    /** @param msPerLook time that passes whenever the clock is looked at, as on a busy machine */
    draw(chunks: string[], msPerLook?: number): Drawings;
    leave(chunks: string[]): void;
    sanitize(html: string): string;
  }
}

window.draw = (chunks, msPerLook) => {
  const streamed = document.createElement('div');
  if (msPerLook !== undefined) {
    let now = performance.now();
    performance.now = () => (now += msPerLook);
  }
  stream(streamed, chunks);
  // The own property; the clock itself is the prototype's.
  Reflect.deleteProperty(performance, 'now');
  const atOnce = document.createElement('div');
  stream(atOnce, [chunks.join('')]);
  const whole = document.createElement('div');
  whole.append(toFragment(renderWhole(chunks.join(''))));
  drawMath(whole);
  addCitationButtons(whole, isSource);
  addPlaceButtons(whole, isThere);
  const root = document.getElementById('root') as HTMLElement;
  root.replaceChildren(streamed, atOnce, whole);
  drawAllMath();
  return { streamed: plain(streamed), atOnce: plain(atOnce), whole: plain(whole) };
};

window.leave = (chunks) => {
  const root = document.getElementById('root') as HTMLElement;
  root.replaceChildren();
  stream(root, chunks);
};

window.sanitize = (html) => {
  const room = document.createElement('div');
  room.append(toFragment(html));
  return room.innerHTML;
};

const isThere = (path: string) => path.length % 2 === 1;
const isSource = (n: number) => n % 2 === 1;

function stream(root: HTMLElement, chunks: string[]): void {
  const reader = new BlockReader();
  const view = new MarkdownView(root, () => false, isThere);
  view.cite(isSource);
  const draw = (text: string, hasEnded: boolean) => {
    for (let isComplete = false; !isComplete;) {
      const change = reader.read(text, hasEnded);
      view.apply(change);
      ({ isComplete } = change);
    }
  };
  let text = '';
  for (const chunk of chunks.slice(0, -1)) draw((text += chunk), false);
  draw(chunks.join(''), true);
}

/** Without the page's additions around code and tables, and without insignificant space. */
function plain(root: HTMLElement): string {
  for (const frame of root.querySelectorAll('.code-block')) {
    const pre = frame.querySelector('pre') as HTMLElement;
    pre.removeAttribute('tabindex');
    const code = pre.firstElementChild as HTMLElement;
    code.replaceChildren(code.textContent);
    for (const name of Object.keys(code.dataset)) delete code.dataset[name];
    frame.replaceWith(pre);
  }
  for (const frame of root.querySelectorAll('.table-frame'))
    frame.replaceWith(...(frame.querySelector('table') ? [frame.querySelector('table')!] : []));
  for (const head of root.querySelectorAll('th.prose')) head.removeAttribute('class');
  for (const parent of [root, ...root.querySelectorAll('ul, ol, table, thead, tbody, tr, li, blockquote')]) {
    for (const node of [...parent.childNodes]) {
      if (node instanceof Text && node.data.trim() === '' && node.data.includes('\n')) node.remove();
    }
  }
  for (const section of root.querySelectorAll('div.section')) section.replaceWith(...section.childNodes);
  // A growing table has a body before its first row.
  for (const body of root.querySelectorAll('tbody:empty')) body.remove();
  root.normalize();
  return root.innerHTML;
}

await loadMath();
window.posts = [{ type: 'ready' }];
performance.mark('switchboard.hears');
