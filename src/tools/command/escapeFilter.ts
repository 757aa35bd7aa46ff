type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape';

/** Everything that is not text: controls, but for tab and line feed. */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
/** What begins behind an escape character. */
const sevenBit: Readonly<Record<string, State>> = {
  '[': 'csi',
  ']': 'string',
  P: 'string',
  X: 'string',
  '^': 'string',
  _: 'string',
};
/** The same in one character. */
const eightBit: Readonly<Record<string, State>> = {
  '\x9b': 'csi',
  '\x90': 'string',
  '\x98': 'string',
  '\x9d': 'string',
  '\x9e': 'string',
  '\x9f': 'string',
};

/** Longer parameters mean nothing to a terminal. */
const longestSequence = 64;

/**
 * Takes escape sequences (ECMA-48) and controls out of a text that comes in pieces, whose sequences may be split between
 * them. Line feeds, tabs, carriage returns and backspaces stay. A string sequence without an end ends with its line.
 */
export class EscapeFilter {
  private state: State = 'ground';
  private sequence = '';

  /** @param kept final characters of the control sequences that stay, as `m` for colours */
  constructor(private readonly kept = '') {}

  push(text: string): string {
    let out = '';
    for (let at = 0; at < text.length;) {
      if (this.state === 'ground') {
        control.lastIndex = at;
        const next = control.exec(text)?.index ?? text.length;
        out += text.slice(at, next);
        at = next;
      }
      if (at < text.length) out += this.take(text[at++] ?? '');
    }
    return out;
  }

  private take(character: string): string {
    const { state } = this;
    if (character === '\x1b') return this.to(state.startsWith('string') ? 'string-escape' : 'escape');
    if (state === 'string') {
      if (character === '\n') return this.end(character);
      return character === '\x07' || character === '\x9c' ? this.end() : '';
    }
    if (state === 'string-escape' && character === '\\') return this.end();
    control.lastIndex = 0;
    // A control ends what it stands in.
    if (state === 'ground' || character === '\n' || control.test(character)) {
      return this.to(eightBit[character] ?? 'ground', /[\n\r\b]/.test(character) ? character : '');
    }
    if (state === 'csi') {
      if (/[ -?]/.test(character)) {
        if (this.sequence.length < longestSequence) this.sequence += character;
        return '';
      }
      return this.end(this.kept.includes(character) ? `\x1b[${this.sequence}${character}` : '');
    }
    if (/[ -/]/.test(character)) return this.to('intermediate');
    if (state === 'intermediate') return this.end();
    return this.to(sevenBit[character] ?? 'ground');
  }

  private to(state: State, out = ''): string {
    this.state = state;
    this.sequence = '';
    return out;
  }

  private end(out = ''): string {
    return this.to('ground', out);
  }
}

/** More of a line is not held for what comes after it. */
const longestHeld = 4096;

/** Lets carriage returns and backspaces do what they do on a screen: of a progress bar its last state is left. */
export class LineEditor {
  private line = '';
  private isReturned = false;
  /** The beginning of the line is given away. */
  private isCut = false;

  /** What is certain. */
  push(text: string): string {
    // Most texts have neither, and looking for a character is cheap.
    if (!text.includes('\r') && !text.includes('\b')) return this.append(text);
    let out = '';
    for (const part of text.split(/([\r\b])/)) {
      if (part === '\r') this.isReturned = true;
      else if (part === '\b') this.line = this.line.slice(0, -1);
      else out += this.append(part);
    }
    return out;
  }

  /** The line that has not ended yet. */
  get held(): string {
    return this.line;
  }

  private append(text: string): string {
    let out = '';
    if (text === '') return out;
    if (this.isReturned && !text.startsWith('\n')) {
      if (this.isCut) out = '\n';
      this.start();
    }
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) {
      out += this.line + text.slice(0, end);
      this.start();
    }
    this.line += text.slice(end);
    if (this.line.length > longestHeld) {
      out += this.line;
      this.start();
      this.isCut = true;
    }
    return out;
  }

  private start(): void {
    this.line = '';
    this.isReturned = false;
    this.isCut = false;
  }
}
