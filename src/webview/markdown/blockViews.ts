import * as l10n from '@vscode/l10n';
import type { Block, HtmlBlock, ItemsBlock, TextBlock } from './blocks.ts';
import { addCitationButtons, type IsSource } from './citations/citationButtons.ts';
import { closeCode, foldCode, frameCode, type IsOpen } from './code/codeFrame.ts';
import { CodeText } from './code/codeText.ts';
import { highlight } from './code/highlight.ts';
import { drawMath } from './math/drawMath.ts';
import { addPlaceButtons, type IsThere } from './places.ts';
import { toElements } from './sanitize.ts';
import { frameTable, markProse } from './tableFrame.ts';

export interface DrawingContext {
  isSource: IsSource;
  isOpen: IsOpen;
  isThere: IsThere;
}

export interface BlockView {
  readonly element: Element;
  update(block: Block): boolean;
}

export function replaceView(old: BlockView, view: BlockView): void {
  if (old instanceof HtmlView && view instanceof HtmlView) view.morphFrom(old);
  else old.element.replaceWith(view.element);
}

export function createBlockViews(blocks: readonly Block[], context: DrawingContext): BlockView[] {
  try {
    const elements = toElements(blocks.map(toHtml).filter((html) => html !== undefined));
    return blocks.map((block) => {
      if ('text' in block)
        return block.type === 'code' ? new CodeView(block, context) : new PlainView(block.text);
      const element = elements.shift() as HTMLElement;
      decorate(element, context);
      return block.type === 'html' ? new HtmlView(block, element) : new ItemsView(block, element, context);
    });
  } catch (error) {
    console.error(error);
    // One by one, so that a failing block doesn't affect others.
    const [first] = blocks;
    if (first && blocks.length === 1) return [new PlainView(sourceOf(first))];
    return blocks.flatMap((block) => createBlockViews([block], context));
  }
}

function sourceOf(block: Block): string {
  if (block.type === 'html') return block.source.trimEnd();
  if (!('items' in block)) return block.text;
  return [block.head, ...block.items.map(({ source }) => source)].join('').trimEnd();
}

function toHtml(block: Block): string | undefined {
  if (block.type === 'html') return block.html;
  return 'items' in block ? wrapItems(block, block.items) : undefined;
}

/** Items need the element around them to be valid HTML. */
function wrapItems({ type, open }: ItemsBlock, items: ItemsBlock['items']): string {
  const html = items.map((item) => item.html).join('');
  if (type === 'table') return `<table>${open}<tbody>${html}</tbody></table>`;
  return `${open}${html}</${open.startsWith('<ol') ? 'ol' : 'ul'}>`;
}

class HtmlView implements BlockView {
  constructor(
    private readonly block: HtmlBlock,
    public element: HTMLElement,
  ) {}

  /** False for changed HTML, which is sanitized together with that of other blocks. */
  update(block: Block): boolean {
    return block.type === 'html' && block.html === this.block.html;
  }

  morphFrom(old: HtmlView): void {
    this.element = morph(old.element, this.element);
    // A kept formula that couldn't be drawn so far no longer waits, unlike the new one that it took its text from.
    drawMath(this.element);
  }
}

function decorate(root: HTMLElement, context: DrawingContext): void {
  drawMath(root);
  addCitationButtons(root, context.isSource);
  addPlaceButtons(root, context.isThere);
  for (const pre of root.querySelectorAll<HTMLElement>('pre')) {
    const language = /\blanguage-(\S+)/.exec(pre.firstElementChild?.className ?? '')?.[1] ?? '';
    const place = document.createComment('');
    pre.replaceWith(place);
    const frame = frameCode(pre, language);
    place.replaceWith(frame);
    const text = pre.textContent;
    foldCode(frame, { text, lines: text.split('\n').length }, context.isOpen);
    closeCode(frame, { text }, true, context.isOpen);
    frame.classList.add('inner');
  }
  for (const table of root.querySelectorAll('table')) {
    const place = document.createComment('');
    table.replaceWith(place);
    place.replaceWith(frameTable(table));
  }
  for (const plain of root.querySelectorAll('.plain')) plain.before(plainNote('span'));
}

function plainNote(tag: 'p' | 'span'): Element {
  const note = document.createElement(tag);
  note.className = 'plain-note';
  note.textContent = l10n.t('Too long or complex to format; shown as plain text.');
  return note;
}

class CodeView implements BlockView {
  readonly element: HTMLElement;
  private readonly code = document.createElement('code');
  private text = new CodeText(this.code);

  constructor(
    private block: TextBlock,
    private readonly context: DrawingContext,
  ) {
    if (block.language) this.code.className = `language-${block.language}`;
    const pre = document.createElement('pre');
    pre.append(this.code);
    this.element = frameCode(pre, block.language);
    this.show(block);
  }

  update(block: Block): boolean {
    if (block.type !== 'code' || block.language !== this.block.language) return false;
    this.show(block);
    return true;
  }

  private show(block: TextBlock): void {
    if (block.text !== this.text.text) {
      if (this.code.dataset['highlighted']) {
        delete this.code.dataset['highlighted'];
        this.code.replaceChildren();
        this.text = new CodeText(this.code);
      }
      this.text.set(block.text);
    }
    foldCode(this.element, this.text, this.context.isOpen);
    this.block = block;
    closeCode(this.element, this.text, block.closed, this.context.isOpen);
    if (block.closed) highlight(this.code);
  }
}

class PlainView implements BlockView {
  readonly element = document.createElement('div');
  private readonly text: CodeText;

  constructor(text: string) {
    const words = document.createElement('div');
    words.className = 'plain';
    this.text = new CodeText(words);
    this.text.set(text);
    this.element.append(plainNote('p'), words);
  }

  update(block: Block): boolean {
    if (block.type !== 'plain') return false;
    this.text.set(block.text);
    return true;
  }
}

function itemsParent(root: Element | undefined): Element {
  const parent = root instanceof HTMLTableElement ? root.tBodies[0] : root;
  return parent ?? document.createElement('ul');
}

const longTable = 40;

class ItemsView implements BlockView {
  readonly element: Element;
  private readonly parent: Element;
  private readonly drawn: string[];

  constructor(
    private readonly block: ItemsBlock,
    root: Element,
    private readonly context: DrawingContext,
  ) {
    this.parent = itemsParent(root);
    this.parent.replaceChildren(...this.parent.children);
    this.drawn = block.items.map(({ html }) => html);
    this.element = block.type === 'table' ? frameTable(root) : root;
  }

  update(block: Block): boolean {
    if (block.type !== this.block.type || block.open !== this.block.open) return false;
    this.show(block);
    return true;
  }

  private show({ items, stable }: ItemsBlock): void {
    let first = Math.min(stable, this.drawn.length);
    while (first < items.length && items[first]?.html === this.drawn[first]) first++;
    const fresh = first < items.length ? this.drawItems(items.slice(first)) : [];
    if (this.block.type === 'table') markProse(this.parent.parentElement, fresh);
    let old = this.parent.children[first];
    for (const item of fresh) {
      const after: Element | null | undefined = old?.nextElementSibling;
      if (!old) this.parent.append(item);
      else if (!old.isEqualNode(item)) morph(old, item);
      old = after ?? undefined;
    }
    while (this.parent.children.length > items.length) this.parent.lastElementChild?.remove();
    this.drawn.length = first;
    for (const { html } of items.slice(first)) this.drawn.push(html);
    if (this.block.type === 'table' && items.length > longTable) this.keepWidths();
  }

  /** Fixes the column widths of a long table: computing them lays out every cell. */
  private keepWidths(): void {
    const table = this.parent.closest('table');
    if (!table || table.classList.contains('long') || !table.isConnected) return;
    const heads = [...table.querySelectorAll<HTMLElement>('thead th')];
    const widths = heads.map((head) => head.getBoundingClientRect().width);
    heads.forEach((head, index) => (head.style.width = `${widths[index]}px`));
    table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}px`;
    table.classList.add('long');
  }

  private drawItems(items: ItemsBlock['items']): Element[] {
    const [root] = toElements([wrapItems(this.block, items)]);
    const drawn = [...itemsParent(root).children] as HTMLElement[];
    for (const item of drawn) decorate(item, this.context);
    return drawn;
  }
}

/** Turns `from` into `to` (consumed), keeping selection, scroll position and layout. Returns the element in place. */
function morph<T extends Element>(from: T, to: T): T {
  if (from instanceof HTMLDetailsElement && to instanceof HTMLDetailsElement) to.open = from.open;
  if (from.nodeName !== to.nodeName || !hasSameAttributes(from, to)) {
    from.replaceWith(to);
    return to;
  }
  let old = from.firstChild;
  let next = to.firstChild;
  while (next) {
    const afterNext = next.nextSibling;
    if (!old) {
      from.append(next);
    } else {
      const afterOld: ChildNode | null = old.nextSibling;
      if (!old.isEqualNode(next)) morphNode(old, next);
      old = afterOld;
    }
    next = afterNext;
  }
  while (old) {
    const afterOld: ChildNode | null = old.nextSibling;
    old.remove();
    old = afterOld;
  }
  return from;
}

function morphNode(old: ChildNode, next: ChildNode): void {
  if (old instanceof Element && next instanceof Element) morph(old, next);
  else if (old instanceof Text && next instanceof Text) morphText(old, next.data);
  else old.replaceWith(next);
}

function morphText(old: Text, data: string): void {
  if (data.startsWith(old.data)) old.appendData(data.slice(old.data.length));
  else old.data = data;
}

function hasSameAttributes(a: Element, b: Element): boolean {
  if (a.attributes.length !== b.attributes.length) return false;
  return [...a.attributes].every(({ name, value }) => b.getAttribute(name) === value);
}
