/** A change lays out one piece, however long the text is. */
const linesPerPiece = 40;
const charactersPerPiece = 8000;
/** A group is painted by itself: a paint also visits the neighbours of a change. */
const piecesPerGroup = 20;

export class CodeText {
  private shown = '';
  private last: { text: Text; lines: number } | undefined;
  private breaks = 0;
  private group: Element | undefined;

  constructor(private readonly code: Element) {}

  get text(): string {
    return this.shown;
  }

  get lines(): number {
    return this.breaks + 1;
  }

  set(text: string): void {
    // `startsWith` would compare character by character.
    if (text.slice(0, this.shown.length) === this.shown) {
      this.append(text.slice(this.shown.length));
    } else if (
      this.last &&
      this.shown.slice(0, text.length) === text &&
      this.surplus(text) < this.last.text.length
    ) {
      // The line break before a closing fence counted as code until the fence came.
      this.breaks -= this.shown.slice(text.length).split('\n').length - 1;
      this.last.text.deleteData(this.last.text.length - this.surplus(text), this.surplus(text));
    } else {
      this.code.replaceChildren();
      this.last = undefined;
      this.group = undefined;
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
    if (!this.group || this.group.childElementCount === piecesPerGroup)
      this.group = addBlock(this.code, 'code-group');
    const text = document.createTextNode('');
    addBlock(this.group, 'code-piece').append(text);
    return (this.last = { text, lines: 0 });
  }
}

function addBlock(parent: Element, name: string): Element {
  const element = document.createElement('span');
  element.className = name;
  parent.append(element);
  return element;
}

function hasRoom({ text, lines }: { text: Text; lines: number }): boolean {
  return lines < linesPerPiece && text.length < charactersPerPiece;
}

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
