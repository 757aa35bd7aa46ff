const opening = '<think>';
const closing = '</think>';

export interface SplitText {
  reasoning: string;
  text: string;
}

/** Separates `<think>…</think>` at the start of a streamed answer as reasoning. Elsewhere the tags are ordinary text. */
export class ThinkTagSplitter {
  private state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  private held = '';

  get isPlain(): boolean {
    return this.state === 'text';
  }

  add(piece: string): SplitText {
    const out: SplitText = { reasoning: '', text: '' };
    this.held += piece;
    while (this.step(out));
    return out;
  }

  end(): SplitText {
    const rest = this.held;
    this.held = '';
    const thinking = this.state === 'thinking';
    if (this.state === 'start' && rest) this.state = 'text';
    return thinking
      ? { reasoning: rest, text: '' }
      : { reasoning: '', text: this.state === 'after' ? '' : rest };
  }

  private step(out: SplitText): boolean {
    switch (this.state) {
      case 'start': {
        const rest = this.held.trimStart();
        if (rest.startsWith(opening)) return this.go('thinking', rest.slice(opening.length));
        return !opening.startsWith(rest) && this.go('text', this.held);
      }
      case 'thinking': {
        const end = this.held.indexOf(closing);
        if (end >= 0) {
          out.reasoning += this.held.slice(0, end);
          return this.go('after', this.held.slice(end + closing.length));
        }
        const keep = heldBack(this.held);
        out.reasoning += this.held.slice(0, this.held.length - keep);
        this.held = this.held.slice(this.held.length - keep);
        return false;
      }
      case 'after': {
        const rest = this.held.trimStart();
        this.held = '';
        return rest !== '' && this.go('text', rest);
      }
      case 'text':
        out.text += this.held;
        this.held = '';
        return false;
    }
  }

  private go(state: 'thinking' | 'after' | 'text', held: string): true {
    this.state = state;
    this.held = held;
    return true;
  }
}

function heldBack(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
    if (closing.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
