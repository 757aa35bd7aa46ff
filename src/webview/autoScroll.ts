import type { ScrollAnchor } from './scrollAnchor.ts';

/** This near to the end counts as being there. */
const nearEndPx = 24;

/** For this long what is drawn late does not move the view from its place, unless the user does so first. */
const placingMs = 2000;
const userInputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Keeps the end of the content in view while it grows, until the reader scrolls up; back at the end it follows
 * again. Away from the end, it keeps what is seen where it is. It moves the view after layout and before paint, so that nothing is seen to jump.
 */
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

  /** Stays at the beginning, where there is nothing yet whose end is of interest. */
  hold(isHeld: boolean): void {
    if (this.isHeld === isHeld) return;
    this.isHeld = isHeld;
    if (isHeld) this.scroller.scrollTop = 0;
    else this.follow();
  }

  /** Goes to the end and follows it. */
  follow(): void {
    this.release();
    this.set(true);
    this.moveToEnd();
    this.observeAnew();
  }

  /**
   * Stays where the view is put, until the user moves it. What comes into view gets its real height only when it is
   * drawn, and parts that are loaded late when they come: then it is put there again.
   */
  stayAt(place: () => void): void {
    this.release();
    // Where all is in view there is no way to go.
    this.set(this.scroller.scrollHeight <= this.scroller.clientHeight);
    this.place = place;
    this.observeAnew();
    this.placing = setTimeout(this.release, placingMs);
    for (const type of userInputs) window.addEventListener(type, this.release, { passive: true });
  }

  /** Shows what came at the end from its beginning, if the end is followed and there is not room for all of it. */
  readFrom(element: HTMLElement): void {
    if (this.isHeld || !this.following || element.offsetHeight <= this.scroller.clientHeight) return;
    const place = () => element.scrollIntoView();
    place();
    this.stayAt(place);
  }

  /** Leaves the view to the user. */
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

  /** The observer tells only of a height other than the last it told of, which is where other content may end up, too. */
  private observeAnew(): void {
    this.resizes.unobserve(this.content);
    this.resizes.observe(this.content);
  }

  private onResize(): void {
    if (this.isHeld) return;
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
    // Shrinking content moves the view up too, but then the end stays in view.
    else if (movedUp) this.set(false);
    else if (this.distance() <= nearEndPx) this.set(true);
  };

  /** The wish to go up is known before the view has moved, which matters while text streams in. */
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
