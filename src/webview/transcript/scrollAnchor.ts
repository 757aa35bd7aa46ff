const heights = [0.01, 0.3, 0.6];

/** Keeps the view in place when content above changes height, where browsers don't: no anchoring, or at the top. */
export class ScrollAnchor {
  private anchors: { seen: Element; top: number }[] = [];

  constructor(private readonly scroller: HTMLElement) {}

  record(): void {
    const { left, top, width, height } = this.scroller.getBoundingClientRect();
    const anchors = heights.flatMap((part) => {
      const seen = document.elementFromPoint(left + width / 2, top + height * part);
      if (!seen?.closest('[data-entry-id]') || !this.scroller.contains(seen)) return [];
      return [{ seen, top: this.topOf(seen) }];
    });
    // Elements that begin above the edge may change height themselves.
    this.anchors = anchors.toSorted((a, b) => Number(a.top < 0) - Number(b.top < 0));
  }

  restore(): void {
    const moved = this.moved();
    if (moved !== undefined && Math.abs(moved) >= 0.5) this.scroller.scrollTop += moved;
  }

  /** True if the browser's own scroll anchoring moved the view. */
  get isStill(): boolean {
    return Math.abs(this.moved() ?? Infinity) < 1;
  }

  private moved(): number | undefined {
    const anchor = this.anchors.find(({ seen }) => seen.isConnected);
    return anchor && this.topOf(anchor.seen) - anchor.top;
  }

  private topOf(element: Element): number {
    return element.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top;
  }
}

export function entryElement(within: Element, entryId: string): HTMLElement | null {
  return within.querySelector<HTMLElement>(`[data-entry-id="${CSS.escape(entryId)}"]`);
}
