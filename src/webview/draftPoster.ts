import type { ToHost } from '../shared/protocol.ts';

/** Tells the host what is typed: at most once per frame, and at once when the page may be about to go. */
export class DraftPoster {
  private pending: string | undefined;

  constructor(private readonly post: (message: ToHost) => void) {
    const flush = () => this.flush();
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', flush);
  }

  changed(text: string): void {
    if (this.pending === undefined) requestAnimationFrame(() => this.flush());
    this.pending = text;
  }

  flush(): void {
    if (this.pending === undefined) return;
    this.post({ type: 'changeDraft', text: this.pending });
    this.pending = undefined;
  }
}
