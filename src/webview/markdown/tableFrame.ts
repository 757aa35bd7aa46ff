import * as l10n from '@vscode/l10n';
import { iconButton } from './code/codeFrame.ts';
import { limits } from './limits.ts';

export function frameTable(table: Element): Element {
  markProse(table, table.querySelectorAll('tbody tr'));
  const scroller = document.createElement('div');
  scroller.className = 'table';
  scroller.tabIndex = 0;
  scroller.setAttribute('role', 'region');
  scroller.setAttribute('aria-label', l10n.t('Table'));
  scroller.append(table);
  const buttons = document.createElement('div');
  buttons.className = 'table-buttons';
  buttons.append(
    iconButton('markdown', l10n.t('Copy as Markdown'), 'copy'),
    iconButton('tabs', l10n.t('Copy for Spreadsheet'), 'table'),
  );
  const frame = document.createElement('div');
  frame.className = 'table-frame';
  frame.append(scroller, buttons);
  return frame;
}

/** In characters; a column with longer cells needs room for several words in a line. */
const longCell = 16;

/** Marks the columns of prose, which get a least width: a narrow panel would show them a word a line. */
export function markProse(table: Element | null, rows: Iterable<Element>): void {
  const heads = table?.querySelectorAll('thead th');
  if (!heads) return;
  for (const row of rows) {
    [...row.children].forEach((cell, index) => {
      if (cell.textContent.length > longCell && /\s/.test(cell.textContent))
        heads[index]?.classList.add('prose');
    });
  }
}

export function tableTextOf(target: Element): { text: string; button: HTMLElement } | undefined {
  const button = target.closest<HTMLElement>('.table-buttons button[data-action]');
  const frame = button?.closest('.table-frame');
  if (!button || !frame) return undefined;
  const rows = rowsOf(frame);
  const text = button.dataset['action'] === 'tabs' ? toTabs(rows) : toMarkdown(rows);
  return { text, button };
}

function rowsOf(frame: Element): HTMLTableRowElement[] {
  const frames = [...(frame.closest('.markdown')?.querySelectorAll('.table-frame') ?? [frame])];
  const at = frames.indexOf(frame);
  const headOf = (each: Element | undefined) => each?.querySelector('thead')?.innerHTML;
  const isFull = (each: Element) => bodyRows(each).length === limits.items;
  const isPart = (index: number) => headOf(frames[index]) === headOf(frame);
  let [from, to] = [at, at + 1];
  while (from > 0 && isPart(from - 1) && isFull(frames[from - 1]!)) from--;
  while (to < frames.length && isPart(to) && isFull(frames[to - 1]!)) to++;
  const head = [...frame.querySelectorAll<HTMLTableRowElement>('thead tr')];
  return [...head, ...frames.slice(from, to).flatMap(bodyRows)];
}

function bodyRows(frame: Element): HTMLTableRowElement[] {
  return [...frame.querySelectorAll<HTMLTableRowElement>('tbody tr')];
}

function toTabs(rows: readonly HTMLTableRowElement[]): string {
  const lines = rows.map(({ cells }) => [...cells].map((cell) => textOf(cell).replace(/\s+/g, ' ').trim()));
  return lines.map((cells) => cells.join('\t')).join('\n');
}

const dashes: Record<string, string> = { left: ':--', center: ':-:', right: '--:' };

function toMarkdown(rows: readonly HTMLTableRowElement[]): string {
  const lines = rows.map(({ cells }) =>
    [...cells].map((cell) => markdownOf(cell).trim().replaceAll('|', '\\|')),
  );
  const ruler = [...(rows[0]?.cells ?? [])].map((cell) => dashes[cell.getAttribute('align') ?? ''] ?? '---');
  return lines
    .toSpliced(1, 0, ruler)
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

const marks: Record<string, string> = { STRONG: '**', EM: '*', DEL: '~~', CODE: '`' };

function markdownOf(node: Node): string {
  if (!(node instanceof HTMLElement)) return node.textContent ?? '';
  if (node.matches('.math')) return textOf(node);
  const inner = [...node.childNodes].map(markdownOf).join('');
  if (node.nodeName === 'BR') return '<br>';
  if (node.nodeName === 'A') return `[${inner}](${node.getAttribute('href') ?? ''})`;
  if (node.matches('.cite')) return `[${inner}]`;
  const tag = node.nodeName.toLowerCase();
  if (/^(?:b|i|sub|sup|kbd)$/.test(tag)) return `<${tag}>${inner}</${tag}>`;
  const mark = marks[node.nodeName] ?? '';
  return `${mark}${inner}${mark}`;
}

function textOf(element: HTMLElement): string {
  if (element.dataset['formula'] !== undefined) return element.dataset['formula'];
  const formulas = element.querySelectorAll<HTMLElement>('[data-formula]');
  if (formulas.length === 0) return element.textContent;
  const copy = element.cloneNode(true) as HTMLElement;
  for (const formula of copy.querySelectorAll<HTMLElement>('[data-formula]'))
    formula.textContent = formula.dataset['formula'] ?? '';
  return copy.textContent;
}
