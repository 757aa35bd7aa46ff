type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'string';

// eslint-disable-next-line no-control-regex -- these are what it looks for
const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;
const sevenBit: Readonly<Record<string, State>> = {
  '[': 'csi',
  ']': 'string',
  P: 'string',
  X: 'string',
  '^': 'string',
  _: 'string',
};
const eightBit: Readonly<Record<string, State>> = {
  '\x9b': 'csi',
  '\x90': 'string',
  '\x98': 'string',
  '\x9d': 'string',
  '\x9e': 'string',
  '\x9f': 'string',
};

const longestSequence = 64;

/** Removes escape sequences (ECMA-48) and controls, except `\n\t\r\b`, from text that is streamed in pieces. */
export class EscapeFilter {
  private state: State = 'ground';
  private sequence = '';

  /** @param kept final characters of control sequences to keep, such as `m` for colours */
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
    if (character === '\x1b') return this.to('escape');
    if (state === 'string') {
      if (character === '\n') return this.end(character);
      return character === '\x07' || character === '\x9c' ? this.end() : '';
    }
    control.lastIndex = 0;
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

const longestHeld = 4096;

/** Applies carriage returns and backspaces like a screen, so that a progress bar leaves its last state. */
export class LineEditor {
  private line = '';
  private isReturned = false;
  private isCut = false;

  push(text: string): string {
    if (!text.includes('\r') && !text.includes('\b')) return this.append(text);
    let out = '';
    for (const part of text.split(/([\r\b])/)) {
      if (part === '\r') this.isReturned = true;
      else if (part === '\b') this.line = this.line.slice(0, -1);
      else out += this.append(part);
    }
    return out;
  }

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
