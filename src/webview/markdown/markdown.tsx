import { effect, type ReadonlySignal } from '@preact/signals';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { Source } from '../../shared/knowledge.ts';
import { StayAtContext, usePanel } from '../state/panel.ts';
import type { IsSource } from './citations/citationButtons.ts';
import { BlockReader } from './blockReader.ts';
import type { IsOpen } from './code/codeFrame.ts';
import { onMarkdownClick } from './markdownClicks.ts';
import { MarkdownView } from './markdownView.ts';
import type { IsThere } from './places.ts';

export interface MarkdownProps {
  text: ReadonlySignal<string>;
  ended: ReadonlySignal<boolean>;
  isSource: ReadonlySignal<IsSource>;
  sources?: ReadonlySignal<readonly Source[] | undefined>;
}

/** A model's text, drawn while it grows. Its nodes are updated by block, outside of the component tree. */
export function Markdown({ text, ended, isSource, sources }: MarkdownProps) {
  const { state, views, post } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return undefined;
    const { paths } = state;
    const stream = new MarkdownStream(
      root.current,
      (key) => views.isOpen(key) === true,
      (path) => paths.isThere(path),
      (unknown) => {
        for (const asked of paths.toAsk(unknown)) post({ type: 'findPaths', paths: asked });
      },
    );
    stream.start({
      ...{ text: text.peek(), ended: ended.peek(), isSource: isSource.peek() },
      sources: sources?.peek(),
    });
    const stop = effect(() =>
      stream.show({
        ...{ text: text.value, ended: ended.value, isSource: isSource.value },
        sources: sources?.value,
      }),
    );
    const stopLinking = effect(() => {
      if (paths.changes.value > 0) stream.linkSoon();
    });
    return () => {
      stop();
      stopLinking();
      stream.dispose();
    };
  }, [text, ended, isSource, sources, state, views, post]);
  const stayAt = useContext(StayAtContext);
  const onClick = (event: MouseEvent) => onMarkdownClick(event, { post, views, stayAt });
  return <div class="markdown" dir="auto" ref={root} onClick={onClick} />;
}

/** Share of the main thread; costly text is drawn less often. */
const share = 0.15;
/** 30 updates a second look as smooth as 60. */
const minIntervalMs = 30;
/** Time budget per frame; one more step is short. */
const drawMs = 12;
/** Pause between two looks for paths in a growing text: each look goes through what is drawn. */
const linkMs = 400;

interface Shown {
  text: string;
  ended: boolean;
  isSource: IsSource;
  sources: readonly Source[] | undefined;
}

/** Draws a growing text at most 30 times a second, and once more at its end. Large additions take several frames. */
class MarkdownStream {
  private readonly reader = new BlockReader();
  private readonly view: MarkdownView;
  private latest: Shown = {
    ...{ text: '', ended: false, isSource: () => false },
    sources: undefined,
  };
  private frame: number | undefined;
  private linking: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private earliest = 0;

  constructor(
    private readonly root: HTMLElement,
    isOpen: IsOpen,
    isThere: IsThere,
    private readonly ask: (paths: readonly string[]) => void,
  ) {
    this.view = new MarkdownView(root, isOpen, isThere);
  }

  start(shown: Shown): void {
    this.latest = shown;
    if (!this.draw()) this.requestFrame();
  }

  show(shown: Shown): void {
    const { text, ended, isSource, sources } = this.latest;
    if (
      shown.text === text &&
      shown.ended === ended &&
      shown.isSource === isSource &&
      shown.sources === sources
    )
      return;
    this.latest = shown;
    if (this.frame !== undefined || (this.timer !== undefined && !shown.ended)) return;
    this.drawLater();
  }

  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.linking);
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.view.dispose();
  }

  linkSoon(): void {
    this.linking ??= setTimeout(
      () => {
        this.linking = undefined;
        const unknown = this.view.linkPaths();
        if (unknown.length > 0) this.ask(unknown);
      },
      this.latest.ended ? 0 : linkMs,
    );
  }

  private drawLater(): void {
    const waitMs = this.earliest - performance.now();
    // A frame requested only to wait costs nearly as much as one that draws.
    if (waitMs > 0 && !this.latest.ended) this.timer = setTimeout(() => this.requestFrame(), waitMs);
    else this.requestFrame();
  }

  private requestFrame(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.frame ??= requestAnimationFrame(() => this.onFrame());
  }

  private onFrame(): void {
    this.frame = undefined;
    const started = performance.now();
    const isDrawn = this.draw();
    // Forces layout now to include it in the cost.
    void this.root.offsetHeight;
    const cost = performance.now() - started;
    // Not by the frame's time, which is that of the frame before where nothing else is drawn.
    this.earliest = started + Math.max(minIntervalMs, cost / share);
    if (!isDrawn) this.drawLater();
  }

  private checkQuotations(sources: readonly Source[]): void {
    import('./citations/markQuotations.ts')
      .then(({ markQuotations }) => {
        if (this.latest.sources === sources) markQuotations(this.root, sources);
      })
      .catch((error: unknown) => console.error(error));
  }

  private draw(): boolean {
    const { text, ended, isSource, sources } = this.latest;
    const until = performance.now() + drawMs;
    this.linkSoon();
    this.view.cite(isSource);
    for (;;) {
      const change = this.reader.read(text, ended);
      this.view.apply(change);
      if (change.isComplete) break;
      void this.root.offsetHeight;
      if (performance.now() > until) return false;
    }
    if (ended) this.view.highlightAll();
    if (ended && sources) this.checkQuotations(sources);
    return true;
  }
}
