import type { LinePattern } from './pattern.ts';

/**
 * A character of a file that is not UTF-8: such files count as Windows-1252 (or another encoding of one byte a
 * character), where everything beyond ASCII is one high byte.
 */
const highByte = '(?-u:[\\x80-\\xFF])';
const anyCharacter = `(?:[^\\n]|${highByte})`;
/** The carriage return of a line end is no part of the line for us, but is for ripgrep. */
const lineEnd = '(?:\\r?$)';
const digit = '0-9';
const word = '0-9A-Za-z_';
const space =
  '\\t\\x0B\\x0C\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';

/**
 * ripgrep's arguments for a pattern that matches at least every line the JavaScript pattern matches. ripgrep only
 * chooses files; what matches in them is decided by JavaScript alone, so the dialects need not agree: what Rust
 * lacks (look-around, back references) is widened. Undefined where that cannot be said.
 */
export function ripgrepPattern({ source, flags, literal }: LinePattern): string[] | undefined {
  const folding = flags.includes('i') ? ['--ignore-case'] : ['--case-sensitive'];
  // eslint-disable-next-line no-control-regex -- plain ASCII is what is asked
  if (literal !== undefined && /^[\x00-\x7f]*$/.test(literal))
    return [...folding, '--fixed-strings', '-e', literal];
  if (!flags.includes('u')) return undefined;
  try {
    return [...folding, '-e', new Translator(Array.from(source)).translate()];
  } catch {
    return undefined;
  }
}

class Untranslatable extends Error {}

class Translator {
  private at = 0;

  constructor(private readonly characters: readonly string[]) {}

  translate(): string {
    const result = this.alternatives();
    if (this.at < this.characters.length) throw new Untranslatable();
    return result;
  }

  private alternatives(): string {
    let result = '';
    for (;;) {
      const character = this.characters[this.at];
      if (character === undefined || character === ')') return result;
      this.at++;
      if (character === '|') result += '|';
      else result += this.quantified(this.atom(character));
    }
  }

  private atom(character: string): string {
    switch (character) {
      case '^':
        return character;
      case '$':
        return lineEnd;
      case '.':
        return anyCharacter;
      case '(':
        return this.group();
      case '[':
        return this.characterClass();
      case '\\':
        return this.escape();
      default:
        return one(character);
    }
  }

  private group(): string {
    const rest = this.characters.slice(this.at, this.at + 64).join('');
    const [lead = ''] = /^\?(?::|<?[=!]|<[^>=!]+>)/.exec(rest) ?? [];
    if (lead === '' && rest.startsWith('?')) throw new Untranslatable();
    this.at += Array.from(lead).length;
    const inside = this.alternatives();
    if (this.characters[this.at] !== ')') throw new Untranslatable();
    this.at++;
    // Without its condition a pattern matches more, never less.
    return /[=!]$/.test(lead) ? '' : `(?:${inside})`;
  }

  private quantified(atom: string): string {
    const rest = this.characters.slice(this.at, this.at + 32).join('');
    const [quantifier = ''] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest) ?? [];
    if (quantifier === '') return atom;
    if (atom === '' || atom === '^' || atom === lineEnd) throw new Untranslatable();
    this.at += quantifier.length;
    return `(?:${atom})${quantifier}`;
  }

  private escape(): string {
    const character = this.characters[this.at++];
    switch (character) {
      case 'd':
        return `[${digit}]`;
      case 'w':
        return `[${word}]`;
      case 's':
        return `(?:[${space}]|${highByte})`;
      case 'D':
        return `(?:[^\\n${digit}]|${highByte})`;
      case 'W':
        return `(?:[^\\n${word}]|${highByte})`;
      case 'S':
      case 'p':
      case 'P':
        if (character !== 'S') this.skipBraces();
        return anyCharacter;
      case 'b':
        return '(?-u:\\b)';
      case 'B':
        return '';
      case 'k':
        this.skipTo('>');
        return `${anyCharacter}*`;
      default:
        break;
    }
    if (character !== undefined && /[1-9]/.test(character)) {
      while (/^\d$/.test(this.characters[this.at] ?? '')) this.at++;
      return `${anyCharacter}*`;
    }
    return one(this.escapedCharacter(character));
  }

  private characterClass(): string {
    const isNegated = this.characters[this.at] === '^';
    if (isNegated) this.at++;
    let content = '';
    let reachesBeyondAscii = isNegated;
    let isAnything = false;
    for (;;) {
      const character = this.characters[this.at++];
      if (character === undefined) throw new Untranslatable();
      if (character === ']') break;
      const next = this.characters[this.at];
      if (character === '\\' && next !== undefined && /[dwsDWSpP]/.test(next)) {
        this.at++;
        if (next === 'd') content += digit;
        else if (next === 'w') content += word;
        else if (next === 's') {
          content += space;
          reachesBeyondAscii = true;
        } else {
          if (/p/i.test(next)) this.skipBraces();
          isAnything = true;
        }
        continue;
      }
      const value =
        character === '\\'
          ? next === 'b'
            ? (this.at++, '\b')
            : this.escapedCharacter(this.characters[this.at++])
          : character;
      if ((value.codePointAt(0) ?? 0) > 0x7f) reachesBeyondAscii = true;
      content += character === '-' ? '\\-' : escaped(value);
      if (this.characters[this.at] === '-' && this.characters[this.at + 1] !== ']') {
        this.at++;
        content += '-';
        const last = this.characters[this.at++] ?? '';
        const end = last === '\\' ? this.escapedCharacter(this.characters[this.at++]) : last;
        if (/^[dwsDWSpPb]$/.test(end) && last === '\\') throw new Untranslatable();
        if ((end.codePointAt(0) ?? 0) > 0x7f) reachesBeyondAscii = true;
        content += escaped(end);
      }
    }
    if (isAnything) return anyCharacter;
    if (content === '') throw new Untranslatable();
    const own = isNegated ? `[^\\n${content}]` : `[${content}]`;
    return reachesBeyondAscii ? `(?:${own}|${highByte})` : own;
  }

  private escapedCharacter(character: string | undefined): string {
    switch (character) {
      case 't':
        return '\t';
      case 'v':
        return '\v';
      case 'f':
        return '\f';
      case 'x':
        return this.hexadecimal(2);
      case 'u':
        if (this.characters[this.at] !== '{') return this.hexadecimal(4);
        this.at++;
        return fromHexadecimal(this.skipTo('}'));
      default:
        // Line ends cannot match within a line; ripgrep would refuse them.
        if (character === undefined || /[\w\r\n]/.test(character)) throw new Untranslatable();
        return character;
    }
  }

  private hexadecimal(length: number): string {
    const digits = this.characters.slice(this.at, this.at + length).join('');
    this.at += length;
    return fromHexadecimal(digits);
  }

  private skipTo(end: string): string {
    const start = this.at;
    const found = this.characters.indexOf(end, start);
    if (found < 0) throw new Untranslatable();
    this.at = found + 1;
    return this.characters.slice(start, found).join('');
  }

  private skipBraces(): void {
    if (this.characters[this.at] !== '{') throw new Untranslatable();
    this.skipTo('}');
  }
}

function fromHexadecimal(digits: string): string {
  const code = Number.parseInt(digits, 16);
  // Half of a pair is no character in Rust.
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) throw new Untranslatable();
  return String.fromCodePoint(code);
}

/** A character outside a class. */
function one(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 10 || code === 13 || code === 0 || (code >= 0xd800 && code <= 0xdfff))
    throw new Untranslatable();
  return code > 0x7f ? `(?:${escaped(character)}|${highByte})` : escaped(character);
}

function escaped(character: string): string {
  return /^[A-Za-z0-9_]$/.test(character)
    ? character
    : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
