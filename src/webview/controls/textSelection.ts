import { entryElement } from '../transcript/scrollAnchor.ts';
import type { TextSelection } from '../state/savedViews.ts';

export function selectedText(content: Element): TextSelection | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const { commonAncestorContainer: node } = range;
  const entry = (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(
    '[data-entry-id]',
  );
  const id = entry?.dataset['entryId'];
  if (!entry || !id || !content.contains(entry)) return undefined;
  const before = document.createRange();
  before.selectNodeContents(entry);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  return { id, start, end: start + range.toString().length };
}

export function selectText(content: Element, { id, start, end }: TextSelection): void {
  const entry = entryElement(content, id);
  if (!entry) return;
  const range = document.createRange();
  const walker = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
  let passed = 0;
  let hasStart = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (!hasStart && start < passed + length) {
      range.setStart(node, start - passed);
      hasStart = true;
    }
    if (hasStart && end <= passed + length) {
      range.setEnd(node, end - passed);
      document.getSelection()?.removeAllRanges();
      document.getSelection()?.addRange(range);
      return;
    }
    passed += length;
  }
}
