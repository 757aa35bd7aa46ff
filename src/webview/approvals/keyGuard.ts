/** In ms; a key that is pressed sooner was meant for what was there before the question. */
const readingMs = 500;

/** Tells keys meant for a question from those that were typed ahead. */
export class KeyGuard {
  private shownAtMs: number | undefined;
  /** The judgement on the last key, which VS Code reports later as a command. */
  private lastKey: boolean | undefined;

  constructor(private readonly nowMs: () => number) {}

  setShown(isShown: boolean): void {
    if (!isShown) this.shownAtMs = undefined;
    else this.shownAtMs ??= this.nowMs();
  }

  /** Call before anything handles the key. `isTyping`: it belongs to a text. */
  keyDown(isRepeat: boolean, isTyping: boolean): void {
    this.lastKey = !isRepeat && !isTyping && this.isRead;
  }

  /** True if the question may be allowed by the last key, or by a command without any. */
  takeKey(isTyping: boolean): boolean {
    const { lastKey = !isTyping && this.isRead } = this;
    this.lastKey = undefined;
    return lastKey && this.isShown;
  }

  get isShown(): boolean {
    return this.shownAtMs !== undefined;
  }

  private get isRead(): boolean {
    return this.shownAtMs !== undefined && this.nowMs() - this.shownAtMs >= readingMs;
  }
}
