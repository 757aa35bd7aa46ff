import { type SplitText, ThinkTagSplitter } from '../../base/text/thinkTags.ts';

/** Text of an app's answer without reasoning and repetitions. Returned texts are to be appended. */
export class AnswerText {
  private think = new ThinkTagSplitter();
  private speaker: string | undefined;
  private said = '';
  private roundStart = 0;
  private roundOver = false;
  private mayBeRepeated = false;

  get isEmpty(): boolean {
    return this.said.trim() === '';
  }

  add(piece: string, speaker = ''): SplitText {
    const before = this.speaker !== undefined && this.speaker !== speaker ? this.restart() : nothing;
    this.speaker = speaker;
    const split = this.split(piece);
    return { reasoning: before.reasoning + split.reasoning, text: before.text + split.text };
  }

  addOfAgent(piece: string): SplitText {
    if (piece) this.mayBeRepeated = true;
    return this.split(piece);
  }

  /** Agents stream `agent_message` and may repeat all of it, or the text since their last thought, in one `message`. */
  addOrRepeat(piece: string, speaker?: string): SplitText {
    if (!this.mayBeRepeated || !piece) return this.add(piece, speaker);
    this.mayBeRepeated = false;
    const whole = this.said;
    const round = whole.slice(this.roundStart);
    if (isSame(piece, whole) || isSame(piece, round)) return nothing;
    const fresh = piece.startsWith(whole) ? piece.slice(whole.length) : piece;
    return this.add(fresh, speaker);
  }

  endRound(): void {
    this.roundOver = true;
  }

  /** Replaces the whole text; returns it without reasoning, which was sent before. */
  replace(whole: string): string {
    this.think = new ThinkTagSplitter();
    this.said = '';
    this.roundStart = 0;
    this.mayBeRepeated = false;
    return this.split(whole).text + this.restart().text;
  }

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
