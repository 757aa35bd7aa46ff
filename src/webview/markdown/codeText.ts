/** Lines in one piece of a code block: laying out a change costs one piece, however long the code is. */
const linesPerPiece = 40;

/** The text of a code block that grows at its end. */
export class CodeText {
  private shown = '';
  private last: { text: Text; lines: number } | undefined;

  constructor(private readonly code: Element) {}

  get text(): string {
    return this.shown;
  }

  /** Shows this text; what it has in common with the last one at the beginning is left alone. */
  set(text: string): void {
    if (text.startsWith(this.shown)) {
      this.append(text.slice(this.shown.length));
    } else if (this.last && this.shown.startsWith(text) && this.surplus(text) < this.last.text.length) {
      // The line break before a closing fence was code until the fence came.
      this.last.text.deleteData(this.last.text.length - this.surplus(text), this.surplus(text));
    } else {
      this.code.replaceChildren();
      this.last = undefined;
      this.append(text);
    }
    this.shown = text;
  }

  private surplus(text: string): number {
    return this.shown.length - text.length;
  }

  private append(text: string): void {
    for (let rest = text; rest;) {
      const piece = this.last && this.last.lines < linesPerPiece ? this.last : this.addPiece();
      const taken = takeLines(rest, linesPerPiece - piece.lines);
      piece.text.appendData(rest.slice(0, taken.length));
      piece.lines += taken.lines;
      rest = rest.slice(taken.length);
    }
  }

  private addPiece(): { text: Text; lines: number } {
    const element = document.createElement('span');
    element.className = 'code-piece';
    const text = document.createTextNode('');
    element.append(text);
    this.code.append(element);
    return (this.last = { text, lines: 0 });
  }
}

/** How much of a text its first lines are, and how many of them are complete. */
function takeLines(text: string, atMost: number): { length: number; lines: number } {
  let length = 0;
  for (let lines = 0; lines < atMost; lines++) {
    const end = text.indexOf('\n', length);
    if (end < 0) return { length: text.length, lines };
    length = end + 1;
  }
  return { length, lines: atMost };
}
