const widestRange = 100;

export type GlobNode =
  | { type: 'one'; fits: (character: string) => boolean }
  | { type: 'many'; fits: (character: string) => boolean }
  | { type: 'choice'; options: GlobNode[][] };

const anything = () => true;
const inName = (character: string) => character !== '/';
const one = (wanted: string): GlobNode => ({ type: 'one', fits: (character) => character === wanted });
const literal = (text: string): GlobNode[] => text.split('').map(one);
const optional = (...nodes: GlobNode[]): GlobNode => ({ type: 'choice', options: [[], nodes] });

export function parseGlob(glob: string): GlobNode[] {
  return new GlobParser(glob.replace(/(^|\/)\*\*(?:\/\*\*)+(?=\/|$)/g, '$1**')).parse();
}

class GlobParser {
  private readonly closing: ReadonlyMap<number, number>;
  private at = 0;

  constructor(private readonly text: string) {
    this.closing = matchingBraces(text);
  }

  parse(): GlobNode[] {
    return this.sequence(this.text.length, '');
  }

  private sequence(end: number, stop: string): GlobNode[] {
    const nodes: GlobNode[] = [];
    while (this.at < end && this.text.charAt(this.at) !== stop)
      nodes.push(...this.next(end, nodes.length === 0));
    return nodes;
  }

  private next(end: number, isFirst: boolean): GlobNode[] {
    const { text } = this;
    const character = text.charAt(this.at);
    if (character === '/' && this.isGlobstar(this.at + 1) && text[this.at + 3] !== '/') {
      // `a/**` matches `a`.
      this.at += 3;
      return [optional(one('/'), { type: 'many', fits: anything })];
    }
    if (this.isGlobstar(this.at)) return [this.globstar()];
    if (character === '*') return this.stars(end, isFirst);
    if (character === '[') return [this.characterClass()];
    const close = character === '{' ? this.closing.get(this.at) : undefined;
    if (close !== undefined) return [this.choice(close)];
    if (character === '\\' && this.at + 1 < end) this.at++;
    const taken = text.charAt(this.at++);
    return [character === '?' ? { type: 'one', fits: inName } : one(taken)];
  }

  private isGlobstar(index: number): boolean {
    const { text } = this;
    return (
      text.startsWith('**', index) &&
      this.isEdge(index - 1) &&
      this.isEdge(index + 2) &&
      text[index - 1] !== '}' &&
      text[index + 2] !== '{'
    );
  }

  private isEdge(index: number): boolean {
    const character = this.text[index];
    return character === undefined || '/,{}'.includes(character);
  }

  private globstar(): GlobNode {
    const names: GlobNode = { type: 'many', fits: anything };
    const isFollowed = this.text[this.at + 2] === '/';
    this.at += isFollowed ? 3 : 2;
    return isFollowed ? optional(names, one('/')) : names;
  }

  private stars(end: number, isFirst: boolean): GlobNode[] {
    const { text } = this;
    const isNameStart = isFirst || text[this.at - 1] === '/';
    while (text[this.at] === '*' && this.at < end) this.at++;
    const isWholeName = isNameStart && (this.at >= text.length || text[this.at] === '/');
    const rest: GlobNode = { type: 'many', fits: inName };
    // A name is never empty, so `*` alone needs a character.
    return isWholeName ? [{ type: 'one', fits: inName }, rest] : [rest];
  }

  private choice(end: number): GlobNode {
    const inside = this.text.slice(this.at + 1, end);
    const range = rangeOf(inside)?.map(literal);
    const options = range ?? this.options(end);
    // Some dialects read braces around a single option literally.
    if (!range && options.length === 1) options.push(literal(`{${inside}}`));
    this.at = end + 1;
    return { type: 'choice', options };
  }

  private options(end: number): GlobNode[][] {
    const options: GlobNode[][] = [];
    do {
      this.at++;
      options.push(this.sequence(end, ','));
    } while (this.at < end);
    return options;
  }

  private characterClass(): GlobNode {
    const { text } = this;
    const isNegated = '!^'.includes(text.charAt(this.at + 1) || ' ');
    const first = this.at + (isNegated ? 2 : 1);
    let end = first;
    while (end < text.length && (text[end] !== ']' || end === first)) end += text[end] === '\\' ? 2 : 1;
    if (end >= text.length) {
      this.at++;
      return one('[');
    }
    const ranges = rangesIn(text.slice(first, end));
    this.at = end + 1;
    return {
      type: 'one',
      fits: (character) =>
        character !== '/' && ranges.some(([from, to]) => from <= character && character <= to) !== isNegated,
    };
  }
}

function rangesIn(text: string): [from: string, to: string][] {
  const ranges: [string, string][] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    const from = text.charAt(at);
    const to = text[at + 1] === '-' ? text[at + 2] : undefined;
    if (to !== undefined) at += 2;
    ranges.push([from, to ?? from]);
  }
  return ranges;
}

function matchingBraces(text: string): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') open.push(at);
    else if (text[at] === '}') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, at);
    }
  }
  return closing;
}

function rangeOf(text: string): string[] | undefined {
  const [, from = '', to = ''] = /^(\d{1,6}|[a-z])\.\.(\d{1,6}|[a-z])$/i.exec(text) ?? [];
  const isNumeric = /^\d/.test(from) && /^\d/.test(to);
  if (from === '' || isNumeric !== /\d/.test(from + to)) return undefined;
  const [first, last] = isNumeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.abs(last - first) + 1;
  if (count > widestRange) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -index : index);
    return isNumeric ? String(value) : String.fromCharCode(value);
  });
}
