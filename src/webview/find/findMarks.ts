import { unfoldAround } from '../markdown/code/codeFrame.ts';
import { occurrences } from '../../base/text/escapeRegExp.ts';

let redrawn: MutationObserver | undefined;

/** Marks a match and shows it, again when its text is redrawn: code gets its colors late. */
export function markFound(entry: HTMLElement, query: string, nth: number): void {
  redrawn?.disconnect();
  mark(entry, query, nth);
  redrawn = new MutationObserver(() => {
    const [range] = CSS.highlights.get('found') ?? [];
    if (range instanceof Range && range.collapsed) mark(entry, query, nth);
  });
  redrawn.observe(entry, { childList: true, subtree: true });
}

function mark(entry: HTMLElement, query: string, nth: number): void {
  const ranges = rangesOf(entry, query);
  // The rendered text may have fewer matches than the source: link addresses are not shown.
  const found = ranges[Math.min(nth, ranges.length - 1)];
  CSS.highlights.set('find', new Highlight(...ranges));
  CSS.highlights.set('found', new Highlight(...(found ? [found] : [])));
  const element = found?.startContainer.parentElement ?? entry;
  unfoldAround(element);
  element.closest('.bubble')?.querySelector<HTMLElement>('[aria-expanded="false"]')?.click();
  const scroller = element.closest('.scroller');
  if (!scroller) return;
  const { top, bottom } = (found ?? entry).getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  if (top < view.top + 40 || bottom > view.bottom - 20)
    scroller.scrollTop += top - view.top - view.height / 3;
}

export function clearMarks(): void {
  redrawn?.disconnect();
  CSS.highlights.delete('find');
  CSS.highlights.delete('found');
}

function isWritten(node: Node): number {
  const isButton = node.parentElement?.matches('.code-more') === true;
  return isButton ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
}

function rangesOf(entry: HTMLElement, query: string): Range[] {
  const words = entry.querySelectorAll('.user-text, .markdown:not(.reasoning *)');
  return [...words].flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, isWritten);
    const nodes: { node: Node; start: number }[] = [];
    let text = '';
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push({ node, start: text.length });
      text += node.textContent ?? '';
    }
    return occurrences(text, query).map(({ start, end }) => {
      const range = document.createRange();
      const first = nodes.findLast((each) => each.start <= start)!;
      const last = nodes.findLast((each) => each.start < end)!;
      range.setStart(first.node, start - first.start);
      range.setEnd(last.node, end - last.start);
      return range;
    });
  });
}
