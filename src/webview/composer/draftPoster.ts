import type { ToHost } from '../../shared/protocol.ts';

/** In characters; longer text is posted at pauses, since each step on the way copies all of it. */
const longDraft = 20_000;
const pauseMs = 250;

/** Posts the draft to the host at most once per frame, and at once when the page may go away. */
export class DraftPoster {
  private pending: string | undefined;
  private pause: ReturnType<typeof setTimeout> | undefined;

  private readonly listening = new AbortController();

  constructor(private readonly post: (message: ToHost) => void) {
    const flush = () => this.flush();
    const { signal } = this.listening;
    window.addEventListener('pagehide', flush, { signal });
    document.addEventListener('visibilitychange', flush, { signal });
  }

  changed(text: string): void {
    this.pending = text;
    clearTimeout(this.pause);
    if (text.length > longDraft) this.pause = setTimeout(() => this.flush(), pauseMs);
    else requestAnimationFrame(() => this.flush());
  }

  flush(): void {
    clearTimeout(this.pause);
    if (this.pending === undefined) return;
    this.post({ type: 'changeDraft', text: this.pending });
    this.pending = undefined;
  }

  dispose(): void {
    this.flush();
    this.listening.abort();
  }
}
