/** Lines and characters in one piece of a text: laying out a change costs one piece, however long the text is. */
const linesPerPiece = 40;
const charactersPerPiece = 8000;

/** The text of a block that grows at its end. */
export class CodeText {
  private shown = '';
  private last: { text: Text; lines: number } | undefined;
  private breaks = 0;

  constructor(private readonly code: Element) {}

  get text(): string {
    return this.shown;
  }

  get lines(): number {
    return this.breaks + 1;
  }

  /** Shows this text; what it has in common with the last one at the beginning is left alone. */
  set(text: string): void {
    // Compared at once; `startsWith` would do it character by character.
    if (text.slice(0, this.shown.length) === this.shown) {
      this.append(text.slice(this.shown.length));
    } else if (
      this.last &&
      this.shown.slice(0, text.length) === text &&
      this.surplus(text) < this.last.text.length
    ) {
      // The line break before a closing fence was code until the fence came.
      this.breaks -= this.shown.slice(text.length).split('\n').length - 1;
      this.last.text.deleteData(this.last.text.length - this.surplus(text), this.surplus(text));
    } else {
      this.code.replaceChildren();
      this.last = undefined;
      this.breaks = 0;
      this.append(text);
    }
    this.shown = text;
  }

  private surplus(text: string): number {
    return this.shown.length - text.length;
  }

  private append(text: string): void {
    for (let done = 0; done < text.length;) {
      const piece = this.last && hasRoom(this.last) ? this.last : this.addPiece();
      const atMost = {
        lines: linesPerPiece - piece.lines,
        characters: charactersPerPiece - piece.text.length,
      };
      const taken = takeLines(text, done, atMost);
      piece.text.appendData(text.slice(done, taken.end));
      piece.lines += taken.lines;
      this.breaks += taken.lines;
      done = taken.end;
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

function hasRoom({ text, lines }: { text: Text; lines: number }): boolean {
  return lines < linesPerPiece && text.length < charactersPerPiece;
}

/** Where the first lines of what follows a place end, and how many of them are complete. */
function takeLines(
  text: string,
  start: number,
  atMost: { lines: number; characters: number },
): { end: number; lines: number } {
  const limit = start + atMost.characters;
  let end = start;
  for (let lines = 0; lines < atMost.lines; lines++) {
    const next = text.indexOf('\n', end) + 1;
    if (next === 0 || next > limit) return { end: Math.min(limit, text.length), lines };
    end = next;
  }
  return { end, lines: atMost.lines };
}
