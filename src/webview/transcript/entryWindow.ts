import type { AutoScroll } from './autoScroll.ts';
import type { Panel } from '../state/panel.ts';
import { entryElement } from './scrollAnchor.ts';
import { narrow } from '../state/entries.ts';
import type { Item } from '../state/items.ts';
import type { Sought } from '../state/pageState.ts';

const pageSize = 30;
/** Distances from the view at which entries are loaded and dropped, in heights of the view. */
const loadedViews = 2;
const keptViews = 5;
const mostSelected = 300;

interface Parts {
  scroller: HTMLElement;
  content: HTMLElement;
  follower: AutoScroll;
}

export class EntryWindow {
  private onceDrawn: (() => void) | undefined;
  private shown: readonly Item[] | undefined;
  private requests = 0;
  private width = 0;

  constructor(
    private readonly panel: Pick<Panel, 'state' | 'post'>,
    private readonly parts: Parts,
  ) {}

  /** Index of the focused or else the first fully visible entry; `total` at the end. */
  get place(): number {
    const { content, scroller } = this.parts;
    const edge = scroller.getBoundingClientRect().top;
    const focused = document.activeElement?.closest<HTMLElement>('.entries > [data-entry-id]');
    const { items, first, total } = this.panel.state;
    if (!focused && this.parts.follower.isFollowing) return total.peek();
    const row = focused ?? rowsIn(content).find((each) => each.getBoundingClientRect().top >= edge - 1);
    const id = row?.dataset['entryId'];
    const at = items.peek().findIndex((item) => item.id === id);
    if (at >= 0) return first.peek() + at;
    const edit = this.panel.state.edit.peek();
    return edit?.id === id ? edit!.index.peek() : total.peek();
  }

  seek({ index, id, show }: Sought): void {
    const place = () => {
      const element = entryElement(this.parts.content, id);
      if (element) (show ?? scrollToBeginning)(element);
    };
    this.reveal(index, place, () => {
      const element = entryElement(this.parts.content, id);
      if (element && !show) focusEntry(element);
    });
  }

  check(): void {
    const { state } = this.panel;
    const { scroller } = this.parts;
    const { clientHeight } = scroller;
    if (state.loading.peek() || state.total.peek() === 0 || clientHeight === 0) return;
    const { above, below } = this.beyond();
    const [first, items, total] = [state.first.peek(), state.items.peek(), state.total.peek()];
    const end = first + items.length;
    if (items.length === 0) return this.load(total - pageSize, total, 'elsewhere');
    const hasEarlier = first > 0 || state.isEndOnly.peek();
    if ((above < -clientHeight && first > 0) || (below < -clientHeight && end < total)) return this.move();
    if (above < loadedViews * clientHeight && hasEarlier) this.load(first - pageSize, first, 'beside');
    else if (below < loadedViews * clientHeight && end < total) this.load(end, end + pageSize, 'beside');
    else this.dropFar(above, below);
  }

  drawn(): void {
    const { state } = this.panel;
    if (state.loading.peek()) return;
    const { onceDrawn, shown } = this;
    this.onceDrawn = undefined;
    this.shown = state.items.peek();
    if (this.shown === shown) return;
    onceDrawn?.();
    this.check();
  }

  toEnd(): void {
    const { first, items, total } = this.panel.state;
    if (first.peek() + items.peek().length >= total.peek()) return this.parts.follower.follow();
    this.onceDrawn = () => this.parts.follower.follow();
    this.load(total.peek() - pageSize, total.peek(), 'elsewhere');
  }

  toStart(): void {
    if (!this.panel.state.isEndOnly.peek()) return this.reveal(0, () => (this.parts.scroller.scrollTop = 0));
    this.onceDrawn = () => this.toStart();
    this.load(-pageSize, 0, 'beside');
  }

  /** Shows an entry and leaves the view there; `place` is called again when late content has moved the entry. */
  private reveal(index: number, place: () => void, once?: () => void): void {
    const { first, items } = this.panel.state;
    const show = () => {
      once?.();
      place();
      this.parts.follower.stayAt(place);
    };
    if (index >= first.peek() && index < first.peek() + items.peek().length) return show();
    this.onceDrawn = show;
    const from = Math.max(0, index - pageSize / 2);
    this.load(from, from + pageSize, 'elsewhere');
  }

  loadEarlier(): void {
    const { first, items, loading } = this.panel.state;
    const head = items.peek()[0]?.id;
    if (!loading.peek()) this.load(first.peek() - pageSize, first.peek(), 'beside');
    this.onceDrawn = () => {
      const at = items.peek().findIndex(({ id }) => id === head);
      this.focusFirst(items.peek().slice(0, Math.max(0, at)).toReversed());
    };
  }

  loadLater(): void {
    const { first, items, loading } = this.panel.state;
    const end = first.peek() + items.peek().length;
    if (!loading.peek()) this.load(end, end + pageSize, 'beside');
    this.onceDrawn = () => this.focusFirst(items.peek().slice(end - first.peek()));
  }

  resized(): void {
    const { clientWidth } = this.parts.scroller;
    if (clientWidth !== this.width) this.panel.state.heights.forget();
    this.width = clientWidth;
    this.check();
  }

  private focusFirst(items: readonly Item[]): void {
    for (const { id } of items) {
      const element = entryElement(this.parts.content, id);
      if (element) return focusEntry(element);
    }
  }

  private load(from: number, to: number, where: 'beside' | 'elsewhere'): void {
    const { state, post } = this.panel;
    const requestId = ++this.requests;
    state.loading.value = { requestId, where };
    post({ type: 'loadEntries', requestId, from: state.isEndOnly.peek() ? from : Math.max(0, from), to });
  }

  private move(): void {
    const { state } = this.panel;
    this.measure();
    if (this.isWriting()) {
      const { index, id } = state.edit.peek()!;
      return this.seek({
        index: index.peek(),
        id,
        show: (entry) => entry.scrollIntoView({ block: 'nearest' }),
      });
    }
    // The view may still be moving, so it is left alone.
    const { scrollTop, scrollHeight } = this.parts.scroller;
    const [first, items, total] = [state.first.peek(), state.items.peek(), state.total.peek()];
    const end = first + items.length;
    const below = scrollTop - (scrollHeight - state.heights.room(end, total, total));
    const seen =
      below < 0 ? state.heights.inRoom(0, scrollTop, total) : state.heights.inRoom(end, below, total);
    this.load(seen - pageSize / 2, seen + pageSize / 2, 'elsewhere');
  }

  /** True if the view is at a message being edited that isn't among the loaded entries: the focus or a key led there. */
  private isWriting(): boolean {
    const { scroller, content } = this.parts;
    const far = content.querySelector(':scope > [data-far]');
    if (!far?.contains(document.activeElement)) return false;
    const [{ top, bottom }, view] = [far.getBoundingClientRect(), scroller.getBoundingClientRect()];
    return top < view.bottom && bottom > view.top;
  }

  /** Distances from the window's edges to the view's, in pixels; negative if the view has left the window. */
  private beyond(): { above: number; below: number } {
    const { scroller, content } = this.parts;
    const view = scroller.getBoundingClientRect();
    const rows = rowsIn(content);
    const [head, tail] = [rows[0]?.getBoundingClientRect(), rows.at(-1)?.getBoundingClientRect()];
    return { above: view.top - (head?.top ?? view.top), below: (tail?.bottom ?? view.bottom) - view.bottom };
  }

  private dropFar(above: number, below: number): void {
    const { state } = this.panel;
    const far = keptViews * this.parts.scroller.clientHeight;
    if (above < far && below < far) return;
    const items = state.items.peek();
    const tops = this.measure();
    const view = this.parts.scroller.getBoundingClientRect();
    // Entries that show nothing have the position of the next one.
    let from = tops.findIndex((_, index) => (tops[index + 1] ?? Infinity) > view.top - far);
    let to = tops.findLastIndex((top) => top < view.bottom + far) + 1;
    const selected = this.selected(items);
    if (selected && Math.max(to, selected.to) - Math.min(from, selected.from) <= mostSelected) {
      from = Math.min(from, selected.from);
      to = Math.max(to, selected.to);
    }
    if (from < pageSize) from = 0;
    if (items.length - to < pageSize) to = items.length;
    if (from > 0 || to < items.length) this.narrow(from, to);
  }

  private narrow(from: number, to: number): void {
    const { state } = this.panel;
    const { scroller } = this.parts;
    // Only while loaded entries are in view, which stay where they are: elsewhere another estimate is another place.
    state.heights.settleEstimate();
    const items = state.items.peek();
    const focused = document.activeElement?.closest<HTMLElement>('[data-entry-id]')?.dataset['entryId'];
    const isDropped = (item: Item, index: number) => item.id === focused && (index < from || index >= to);
    const isKept = focused === state.edit.peek()?.id;
    if (focused !== undefined && !isKept && items.some(isDropped)) scroller.focus({ preventScroll: true });
    narrow(state, from, to);
  }

  private measure(): number[] {
    const { state } = this.panel;
    const { content } = this.parts;
    const [items, first] = [state.items.peek(), state.first.peek()];
    const rows = new Map(rowsIn(content).map((row) => [row.dataset['entryId'], row.getBoundingClientRect()]));
    const tops: number[] = [];
    let next = Math.max(...[...rows.values()].map(({ bottom }) => bottom));
    for (let index = items.length - 1; index >= 0; index--) {
      const top = rows.get(items[index]!.id)?.top ?? next;
      state.heights.set(first + index, next - top);
      tops[index] = next = top;
    }
    const edit = state.edit.peek();
    const far = content.querySelector(':scope > [data-far]');
    if (edit && far) state.heights.set(edit.index.peek(), far.getBoundingClientRect().height);
    return tops;
  }

  private selected(items: readonly Item[]): { from: number; to: number } | undefined {
    const selection = document.getSelection();
    if (selection?.type !== 'Range' || selection.rangeCount === 0) return undefined;
    const range = selection.getRangeAt(0);
    const isSelected = ({ id }: Item) => {
      const element = entryElement(this.parts.content, id);
      return element !== null && range.intersectsNode(element);
    };
    const from = items.findIndex(isSelected);
    return from < 0 ? undefined : { from, to: items.findLastIndex(isSelected) + 1 };
  }
}

/** `scrollIntoView` would also scroll the editor's own frame by a few pixels. */
function scrollToBeginning(element: HTMLElement): void {
  const scroller = element.closest('.scroller');
  if (!scroller) return;
  scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

function focusEntry(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}

function rowsIn(content: HTMLElement): HTMLElement[] {
  return [...content.querySelectorAll<HTMLElement>(':scope > [data-entry-id]:not([data-far])')];
}
