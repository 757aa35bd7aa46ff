import { type SplitText, ThinkTagSplitter } from '../../base/thinkTags.ts';

/**
 * The text of an app's answer: takes reasoning in `<think>` tags out, and what is only said a second time. Each node
 * of a flow that speaks may begin with reasoning of its own. Texts given back are to be appended.
 */
export class AnswerText {
  private think = new ThinkTagSplitter();
  private speaker: string | undefined;
  /** All that came, tags included. */
  private said = '';
  /** Where what agents said after their last thought begins. */
  private roundStart = 0;
  private roundOver = false;
  private mayBeRepeated = false;

  get isEmpty(): boolean {
    return this.said.trim() === '';
  }

  /** A piece; `speaker` tells the nodes of a flow apart. */
  add(piece: string, speaker = ''): SplitText {
    const before = this.speaker !== undefined && this.speaker !== speaker ? this.restart() : nothing;
    this.speaker = speaker;
    const split = this.split(piece);
    return { reasoning: before.reasoning + split.reasoning, text: before.text + split.text };
  }

  /** A piece of what an agent says. */
  addOfAgent(piece: string): SplitText {
    if (piece) this.mayBeRepeated = true;
    return this.split(piece);
  }

  /**
   * A piece, or the whole answer once more: agents stream `agent_message` and may then repeat everything, or all
   * since their last thought, in one `message`. Gives only what is new in it.
   */
  addOrRepeat(piece: string, speaker?: string): SplitText {
    if (!this.mayBeRepeated || !piece) return this.add(piece, speaker);
    this.mayBeRepeated = false;
    const whole = this.said;
    const round = whole.slice(this.roundStart);
    if (isSame(piece, whole) || isSame(piece, round)) return nothing;
    const fresh = piece.startsWith(whole) ? piece.slice(whole.length) : piece;
    return this.add(fresh, speaker);
  }

  /** An agent thinks or uses a tool: what it says next is another round. */
  endRound(): void {
    this.roundOver = true;
  }

  /** All that was said is this instead; gives it without its reasoning, which came before. */
  replace(whole: string): string {
    this.think = new ThinkTagSplitter();
    this.said = '';
    this.roundStart = 0;
    this.mayBeRepeated = false;
    return this.split(whole).text + this.restart().text;
  }

  /** What was held back in case it began a tag. */
  end(): SplitText {
    return this.think.end();
  }

  private split(piece: string): SplitText {
    if (this.roundOver && piece) {
      this.roundStart = this.said.length;
      this.roundOver = false;
    }
    this.said += piece;
    return this.think.isPlain ? { reasoning: '', text: piece } : this.think.add(piece);
  }

  private restart(): SplitText {
    const rest = this.think.end();
    this.think = new ThinkTagSplitter();
    return rest;
  }
}

const nothing: SplitText = { reasoning: '', text: '' };

function isSame(a: string, b: string): boolean {
  return a.trim() === b.trim();
}
