import { BlockReader } from './blockReader.ts';
import type { IsSource } from './citations.ts';
import type { IsOpen } from './codeFrame.ts';
import { MarkdownView } from './markdownView.ts';

/** Drawing takes at most this part of the main thread; what is dear to draw is drawn less often. */
const share = 0.15;
/** Text that grows thirty times a second looks as smooth as sixty, for half the work: every second frame is drawn. */
const minIntervalMs = 20;
/** So long a drawing goes on before it leaves the rest to the next frame; a single step more is short. */
const drawMs = 12;

/** A text as it is now. */
interface Shown {
  text: string;
  ended: boolean;
  /** Which numbers in brackets open a source. */
  isSource: IsSource;
}

/**
 * Draws a growing text: at most every second frame, and once more when it has ended. A text of which much is new is
 * drawn over several frames.
 */
export class MarkdownStream {
  private readonly reader = new BlockReader();
  private readonly view: MarkdownView;
  private latest: Shown = { text: '', ended: false, isSource: () => false };
  private frame: number | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private earliest = 0;

  constructor(
    private readonly root: HTMLElement,
    isOpen: IsOpen,
  ) {
    this.view = new MarkdownView(root, isOpen);
  }

  /** Draws at once: for a text that is there when the page is built. */
  start(shown: Shown): void {
    this.latest = shown;
    if (!this.draw()) this.requestFrame();
  }

  /** Draws in the next frame, or in a later one if the last drawing was a moment ago or dear. */
  show(shown: Shown): void {
    const { text, ended, isSource } = this.latest;
    if (shown.text === text && shown.ended === ended && shown.isSource === isSource) return;
    this.latest = shown;
    if (this.frame !== undefined || (this.timer !== undefined && !shown.ended)) return;
    this.drawLater();
  }

  dispose(): void {
    clearTimeout(this.timer);
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.view.dispose();
  }

  private drawLater(): void {
    const waitMs = this.earliest - performance.now();
    // A frame that is asked for only to wait would cost the page nearly as much as one that draws.
    if (waitMs > 0 && !this.latest.ended) this.timer = setTimeout(() => this.requestFrame(), waitMs);
    else this.requestFrame();
  }

  private requestFrame(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.frame ??= requestAnimationFrame((time) => this.onFrame(time));
  }

  private onFrame(time: number): void {
    this.frame = undefined;
    const started = performance.now();
    const isDrawn = this.draw();
    // Laid out now instead of a moment later in the same frame, so that its cost is known.
    void this.root.offsetHeight;
    const cost = performance.now() - started;
    this.earliest = time + Math.max(minIntervalMs, cost / share);
    if (!isDrawn) this.drawLater();
  }

  /** Draws for a limited time; false if there is more to draw. */
  private draw(): boolean {
    const { text, ended, isSource } = this.latest;
    const until = performance.now() + drawMs;
    this.view.cite(isSource);
    for (;;) {
      const change = this.reader.read(text, ended);
      this.view.apply(change);
      if (change.isComplete) break;
      // What is drawn is laid out within the time that it may take.
      void this.root.offsetHeight;
      if (performance.now() > until) return false;
    }
    if (ended) this.view.highlightAll();
    return true;
  }
}
