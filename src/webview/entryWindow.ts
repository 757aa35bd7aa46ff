import type { AutoScroll } from './autoScroll.ts';
import type { Panel } from './panel.ts';
import { entryElement } from './scrollAnchor.ts';
import { narrow, type Item, type Sought } from './state.ts';

/** So many entries are asked for at once. */
const pageSize = 30;
/** How far beyond what is seen there are entries, and how far beyond it they are dropped, in heights of the view. */
const loadedViews = 2;
const keptViews = 5;
/** Entries stay while they are part of what is selected, unless that are more than a page should hold. */
const mostSelected = 300;

interface Parts {
  scroller: HTMLElement;
  content: HTMLElement;
  follower: AutoScroll;
}

/**
 * The page holds the entries around what is seen, however long the conversation is: others are asked for when the view
 * comes near them, and dropped when it has left them. In their place there is room of the same height.
 */
export class EntryWindow {
  /** What is to happen when the entries that were asked for are drawn. */
  private onceDrawn: (() => void) | undefined;
  private shown: readonly Item[] | undefined;
  private requests = 0;
  private width = 0;

  constructor(
    private readonly panel: Pick<Panel, 'state' | 'post'>,
    private readonly parts: Parts,
  ) {}

  /** The place of the entry that has the focus, or else of the first that is seen from its beginning; at the end, behind the last. */
  get place(): number {
    const { content, scroller } = this.parts;
    const edge = scroller.getBoundingClientRect().top;
    const focused = document.activeElement?.closest<HTMLElement>('.entries > [data-entry-id]');
    const { items, first, total } = this.panel.state;
    if (!focused && this.parts.follower.isFollowing) return total.peek();
    const row = focused ?? rowsIn(content).find((each) => each.getBoundingClientRect().top >= edge - 1);
    const at = items.peek().findIndex(({ id }) => id === row?.dataset['entryId']);
    return at < 0 ? total.peek() : first.peek() + at;
  }

  /** Brings an entry into view, wherever it stands. */
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

  /** Looks whether entries are to be asked for or dropped. To be called when the view or the entries have changed. */
  check(): void {
    const { state } = this.panel;
    const { scroller } = this.parts;
    const { clientHeight } = scroller;
    if (state.loading.peek() || state.total.peek() === 0 || clientHeight === 0) return;
    const { above, below } = this.beyond();
    const [first, items, total] = [state.first.peek(), state.items.peek(), state.total.peek()];
    const end = first + items.length;
    if (items.length === 0) return this.load(total - pageSize, total, 'elsewhere');
    // Nothing of the window is seen.
    const hasEarlier = first > 0 || state.isEndOnly.peek();
    if ((above < -clientHeight && first > 0) || (below < -clientHeight && end < total)) return this.move();
    if (above < loadedViews * clientHeight && hasEarlier) this.load(first - pageSize, first, 'beside');
    else if (below < loadedViews * clientHeight && end < total) this.load(end, end + pageSize, 'beside');
    else this.dropFar(above, below);
  }

  /** The entries that were asked for are drawn. */
  drawn(): void {
    const { state } = this.panel;
    if (state.loading.peek()) return;
    const { onceDrawn, shown } = this;
    this.onceDrawn = undefined;
    this.shown = state.items.peek();
    // What did not come is asked for again when the view moves.
    if (this.shown === shown) return;
    onceDrawn?.();
    this.check();
  }

  /** Goes to the end and follows it. */
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

  /**
   * Shows an entry wherever it stands, and leaves the view there.
   * @param place moves the view to it; called again when what is drawn late has moved it
   */
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

  /** By a button: the keyboard goes on at what has come, from there backwards. */
  loadEarlier(): void {
    const { first, items, loading } = this.panel.state;
    const head = items.peek()[0]?.id;
    if (!loading.peek()) this.load(first.peek() - pageSize, first.peek(), 'beside');
    this.onceDrawn = () => {
      const at = items.peek().findIndex(({ id }) => id === head);
      this.focusFirst(items.peek().slice(0, Math.max(0, at)).toReversed());
    };
  }

  /** As `loadEarlier`, at the other end. */
  loadLater(): void {
    const { first, items, loading } = this.panel.state;
    const end = first.peek() + items.peek().length;
    if (!loading.peek()) this.load(end, end + pageSize, 'beside');
    this.onceDrawn = () => this.focusFirst(items.peek().slice(end - first.peek()));
  }

  /** The panel has another size. */
  resized(): void {
    const { clientWidth } = this.parts.scroller;
    if (clientWidth !== this.width) this.panel.state.heights.forget();
    this.width = clientWidth;
    this.check();
  }

  /** The first of them that shows anything. */
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

  /** The view was moved to where no entries are: those that belong there are shown in the place of the others. */
  private move(): void {
    const { state } = this.panel;
    this.measure();
    // The view itself is left alone: it may still be on its way.
    const { scrollTop, scrollHeight } = this.parts.scroller;
    const [first, items, total] = [state.first.peek(), state.items.peek(), state.total.peek()];
    const end = first + items.length;
    const below = scrollTop - (scrollHeight - state.heights.room(end, total, total));
    const seen =
      below < 0 ? state.heights.inRoom(0, scrollTop, total) : state.heights.inRoom(end, below, total);
    this.load(seen - pageSize / 2, seen + pageSize / 2, 'elsewhere');
  }

  /** How much of the window there is above the view, and below it; negative where the view has left it. */
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
    // What shows nothing stands where the next entry begins.
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
    const items = state.items.peek();
    const focused = document.activeElement?.closest<HTMLElement>('[data-entry-id]')?.dataset['entryId'];
    const isDropped = (item: Item, index: number) => item.id === focused && (index < from || index >= to);
    // From there the keyboard goes on with what is seen.
    if (focused !== undefined && items.some(isDropped)) scroller.focus({ preventScroll: true });
    narrow(state, from, to);
  }

  /** Notes the heights of all entries of the window. @returns where each begins on the screen */
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
    state.heights.settleEstimate();
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

/** `scrollIntoView` would also move what the panel stands in: the editor's own frame has a few pixels of room. */
function scrollToBeginning(element: HTMLElement): void {
  const scroller = element.closest('.scroller');
  if (!scroller) return;
  scroller.scrollTop += element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

/** The keyboard goes on from an entry, and a screen reader reads it. */
function focusEntry(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}

function rowsIn(content: HTMLElement): HTMLElement[] {
  return [...content.querySelectorAll<HTMLElement>(':scope > [data-entry-id]')];
}
