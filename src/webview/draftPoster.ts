import type { ToHost } from '../shared/protocol.ts';

/** Characters; a longer text goes to the host at pauses: every way there copies all of it. */
const longDraft = 20_000;
const pauseMs = 250;

/** Tells the host what is typed: at most once per frame, and at once when the page may be about to go. */
export class DraftPoster {
  private pending: string | undefined;
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly post: (message: ToHost) => void) {
    const flush = () => this.flush();
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', flush);
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
}
