/** How far below the upper edge of the view, as a part of its height, something is looked for that is to stay still. */
const heights = [0.01, 0.3, 0.6];

/**
 * Keeps what is seen where it is when something above it gets another height. Browsers do so by themselves where they
 * can; this is for those that cannot, and for a view that stands at its very beginning.
 */
export class ScrollAnchor {
  private anchors: { seen: Element; top: number }[] = [];

  constructor(private readonly scroller: HTMLElement) {}

  /** What is seen now is to stay where it is. To be called after each movement of the view. */
  record(): void {
    const { left, top, width, height } = this.scroller.getBoundingClientRect();
    const anchors = heights.flatMap((part) => {
      const seen = document.elementFromPoint(left + width / 2, top + height * part);
      if (!seen?.closest('[data-entry-id]') || !this.scroller.contains(seen)) return [];
      return [{ seen, top: this.topOf(seen) }];
    });
    // What begins above the edge may itself be what gets another height.
    this.anchors = anchors.toSorted((a, b) => Number(a.top < 0) - Number(b.top < 0));
  }

  /** Puts what was seen back to where it was, if it is still there. */
  restore(): void {
    const moved = this.moved();
    if (moved !== undefined && Math.abs(moved) >= 0.5) this.scroller.scrollTop += moved;
  }

  /** What was seen stands where it stood: the browser moved the view, because something above has another height. */
  get isStill(): boolean {
    return Math.abs(this.moved() ?? Infinity) < 1;
  }

  /** How far down what was seen has moved, in CSS pixels; undefined if it is not there any more. */
  private moved(): number | undefined {
    const anchor = this.anchors.find(({ seen }) => seen.isConnected);
    return anchor && this.topOf(anchor.seen) - anchor.top;
  }

  private topOf(element: Element): number {
    return element.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top;
  }
}

/** What shows an entry; undefined for one that shows nothing, or is not in the window. */
export function entryElement(within: Element, entryId: string): HTMLElement | null {
  return within.querySelector<HTMLElement>(`[data-entry-id="${CSS.escape(entryId)}"]`);
}
