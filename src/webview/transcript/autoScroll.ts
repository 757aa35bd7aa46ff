import type { ScrollAnchor } from './scrollAnchor.ts';

const nearEndPx = 24;

/** In ms: late content can't move a view that was just placed, unless the user scrolls. */
const placingMs = 2000;
const userInputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Follows growing content until the user scrolls up, else keeps the view in place. Runs between layout and paint. */
export class AutoScroll {
  private following = true;
  private isHeld = false;
  private lastTop = 0;
  private place: (() => void) | undefined;
  private placing: ReturnType<typeof setTimeout> | undefined;
  private readonly resizes = new ResizeObserver(() => this.onResize());

  constructor(
    private readonly scroller: HTMLElement,
    private readonly content: HTMLElement,
    private readonly anchor: ScrollAnchor,
    private readonly onChange: (following: boolean) => void,
  ) {
    this.resizes.observe(content);
    this.resizes.observe(scroller);
    scroller.addEventListener('scroll', this.onScroll, { passive: true });
    scroller.addEventListener('wheel', this.onWheel, { passive: true });
    this.moveToEnd();
  }

  hold(isHeld: boolean): void {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    if (isHeld) this.scroller.scrollTop = 0;
    else this.follow();
  }

  follow(): void {
    this.release();
    this.set(true);
    this.moveToEnd();
    this.observeAnew();
  }

  /** Stays at a place until the user moves the view. Repeats `place` when entries get their final height. */
  stayAt(place: () => void): void {
    this.release();
    // Without overflow the end is in view.
    this.set(this.scroller.scrollHeight <= this.scroller.clientHeight);
    this.place = place;
    this.observeAnew();
    this.placing = setTimeout(this.release, placingMs);
    for (const type of userInputs) window.addEventListener(type, this.release, { passive: true });
  }

  readFrom(element: HTMLElement): void {
    if (this.isHeld || !this.following || element.offsetHeight <= this.scroller.clientHeight) return;
    const place = () => element.scrollIntoView();
    place();
    this.stayAt(place);
  }

  readonly release = (): void => {
    this.place = undefined;
    clearTimeout(this.placing);
    for (const type of userInputs) window.removeEventListener(type, this.release);
  };

  get isFollowing(): boolean {
    return this.following;
  }

  dispose(): void {
    this.release();
    this.resizes.disconnect();
    this.scroller.removeEventListener('scroll', this.onScroll);
    this.scroller.removeEventListener('wheel', this.onWheel);
  }

  /** Observers only report changes of size, but other content may have the same height. */
  private observeAnew(): void {
    this.resizes.unobserve(this.content);
    this.resizes.observe(this.content);
  }

  private onResize(): void {
    if (this.isHeld) return;
    // A message being edited stays where it is written, though it grows.
    const isWriting = document.activeElement?.closest('.message-edit');
    if (isWriting && !this.place) return this.anchor.record();
    if (this.place) this.place();
    else if (this.following) this.moveToEnd();
    else {
      this.anchor.restore();
      if (this.distance() <= 1) this.set(true);
    }
    this.anchor.record();
  }

  private readonly onScroll = () => {
    const top = this.scroller.scrollTop;
    const movedUp = top < this.lastTop && !this.anchor.isStill;
    this.lastTop = top;
    this.anchor.record();
    if (this.isHeld || this.place) return;
    if (this.distance() <= 1) this.set(true);
    // Shrinking content moves the view up, too, but keeps its end visible.
    else if (movedUp) this.set(false);
    else if (this.distance() <= nearEndPx) this.set(true);
  };

  /** Known before the view moves, which matters while text streams in. */
  private readonly onWheel = (event: WheelEvent) => {
    if (event.deltaY < 0 && !this.isHeld && this.scroller.scrollTop > 0) this.set(false);
  };

  private moveToEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.lastTop = this.scroller.scrollTop;
  }

  private distance(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight;
  }

  private set(following: boolean): void {
    if (this.following === following) return;
    this.following = following;
    this.onChange(following);
  }
}
