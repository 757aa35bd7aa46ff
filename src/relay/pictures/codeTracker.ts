const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;
/** A fence's closing line is never longer, and an opening one is recognized by its beginning. */
const longestStart = 200;

export class CodeTracker {
  private opened: string | undefined;
  private start = '';
  private isInSpan = false;

  get isInCode(): boolean {
    return this.opened !== undefined || this.isInSpan || fence.test(this.start);
  }

  add(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.goOn(text, from, end);
      this.endLine();
      from = end + 1;
    }
    this.goOn(text, from, text.length);
  }

  private goOn(text: string, from: number, to: number): void {
    const free = longestStart - this.start.length;
    if (free > 0) this.start += text.slice(from, Math.min(to, from + free));
    for (let at = text.indexOf('`', from); at >= 0 && at < to; at = text.indexOf('`', at + 1)) {
      this.isInSpan = !this.isInSpan;
    }
  }

  private endLine(): void {
    const [, marks = '', info = ''] = fence.exec(this.start.trimEnd()) ?? [];
    if (this.opened === undefined) {
      // A line such as ```code``` is a span.
      if (marks && !(marks.startsWith('`') && info.includes('`'))) this.opened = marks;
    } else if (marks.startsWith(this.opened) && info === '') this.opened = undefined;
    this.start = '';
    this.isInSpan = false;
  }
}
