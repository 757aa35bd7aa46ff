import { BlockCache } from './blockCache.ts';
import type { IsSource } from './citations.ts';
import { MarkdownView } from './markdownView.ts';

/** Drawing takes at most this part of the main thread; what is dear to draw is drawn less often. */
const share = 0.15;
/** Text that grows thirty times a second looks as smooth as sixty, for half the work: every second frame is drawn. */
const minIntervalMs = 20;

/** A text as it is now. */
interface Shown {
  text: string;
  ended: boolean;
  /** Which numbers in brackets open a source. */
  isSource: IsSource;
}

/** Draws a growing text: at most every second frame, and once more exactly when it has ended. */
export class MarkdownStream {
  private readonly cache = new BlockCache();
  private readonly view: MarkdownView;
  private latest: Shown = { text: '', ended: false, isSource: () => false };
  private frame: number | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private earliest = 0;

  constructor(private readonly root: HTMLElement) {
    this.view = new MarkdownView(root);
  }

  /** Draws at once: for a text that is there when the page is built. */
  start(shown: Shown): void {
    this.latest = shown;
    this.draw();
  }

  /** Draws in the next frame, or in a later one if the last drawing was a moment ago or dear. */
  show(shown: Shown): void {
    const { text, ended, isSource } = this.latest;
    if (shown.text === text && shown.ended === ended && shown.isSource === isSource) return;
    this.latest = shown;
    if (this.frame !== undefined || (this.timer !== undefined && !shown.ended)) return;
    const waitMs = this.earliest - performance.now();
    // A frame that is asked for only to wait would cost the page nearly as much as one that draws.
    if (waitMs > 0 && !shown.ended) this.timer = setTimeout(() => this.requestFrame(), waitMs);
    else this.requestFrame();
  }

  dispose(): void {
    clearTimeout(this.timer);
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
  }

  private requestFrame(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.frame ??= requestAnimationFrame((time) => this.onFrame(time));
  }

  private onFrame(time: number): void {
    this.frame = undefined;
    const started = performance.now();
    this.draw();
    // Laid out now instead of a moment later in the same frame, so that its cost is known.
    void this.root.offsetHeight;
    const cost = performance.now() - started;
    this.earliest = time + Math.max(minIntervalMs, cost / share);
  }

  private draw(): void {
    const { text, ended, isSource } = this.latest;
    this.view.cite(isSource);
    this.view.apply(ended ? this.cache.finish(text) : this.cache.update(text));
    if (ended) this.view.highlightAll();
  }
}
