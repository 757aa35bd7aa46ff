import type { Panel } from '../state/panel.ts';

/** Recalls earlier messages into the empty message box with the arrow keys, like a shell. */
export class MessageRecall {
  private recalled: { back: number; text: string } | undefined;

  constructor(
    private readonly post: Panel['post'],
    private readonly onDraft: (text: string) => void,
  ) {}

  onKey(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): boolean {
    const { key, currentTarget: box } = event;
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return false;
    const recalled = this.recalled?.text === box.value ? this.recalled : undefined;
    if (key === 'ArrowUp') {
      // In a multi-line text the arrow moves the caret first.
      if (box.value !== '' && !(recalled && (isOneLine(box) || box.selectionEnd === 0))) return false;
      this.post({ type: 'recallMessage', back: recalled ? recalled.back + 1 : 0 });
      return true;
    }
    const isAtEnd = isOneLine(box) || box.selectionStart === box.value.length;
    if (key !== 'ArrowDown' || !recalled || !isAtEnd) return false;
    if (recalled.back > 0) this.post({ type: 'recallMessage', back: recalled.back - 1 });
    else this.onDraft('');
    return true;
  }

  found(message: { back: number; text: string }): void {
    this.recalled = message;
    this.onDraft(message.text);
  }
}

function isOneLine(box: HTMLTextAreaElement): boolean {
  return !box.value.includes('\n');
}
