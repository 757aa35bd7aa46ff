import * as l10n from '@vscode/l10n';
import type { Source } from '../../../shared/knowledge.ts';
import { type CitedBlock, unsupportedCitations } from './quotations.ts';

const blocks = 'p, li, td, th, dd, dt, h1, h2, h3, h4, h5, h6, blockquote';

export function markQuotations(root: Element, sources: readonly Source[]): void {
  for (const marked of root.querySelectorAll<HTMLElement>('button.cite.unsupported')) unmark(marked);
  const contents = new Map(
    sources.flatMap(({ n, content, isCut }) => (isCut ? [] : [[n, content] as const])),
  );
  for (const button of unsupportedCitations(readBlocks(root), (n) => contents.get(n))) mark(button);
}

function readBlocks(root: Element): CitedBlock<HTMLElement>[] {
  const found: (CitedBlock<HTMLElement> & { cites: { at: number; n: number; cite: HTMLElement }[] })[] = [];
  let element: Element | null = null;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && (node.localName === 'pre' || node.parentElement?.matches('button.cite'))
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const cite = node instanceof HTMLElement && node.matches('button.cite') ? node : undefined;
    const text = node instanceof Text ? node.data : '';
    const own: Element = node.parentElement?.closest(blocks) ?? root;
    if (!cite && (text === '' || (own !== element && text.trim() === ''))) continue;
    if (own !== element) {
      found.push({ text: '', cites: [], isBlockQuote: own.closest('blockquote') !== null });
      element = own;
    }
    const block = found.at(-1)!;
    if (cite) block.cites.push({ at: block.text.length, n: Number(cite.dataset['source']), cite });
    else block.text += text;
  }
  return found;
}

function mark(button: HTMLElement): void {
  const name = l10n.t('Source {0}: the quoted words are not in it', button.dataset['source'] ?? '');
  button.classList.add('unsupported');
  button.title = name;
  button.setAttribute('aria-label', name);
  const icon = document.createElement('span');
  icon.className = 'codicon codicon-warning';
  icon.setAttribute('aria-hidden', 'true');
  button.append(icon);
}

function unmark(button: HTMLElement): void {
  const name = l10n.t('Source {0}', button.dataset['source'] ?? '');
  button.classList.remove('unsupported');
  button.title = name;
  button.setAttribute('aria-label', name);
  button.querySelector('.codicon')?.remove();
}
