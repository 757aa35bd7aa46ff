export interface CitedBlock<C> {
  text: string;
  cites: readonly { at: number; n: number; cite: C }[];
  isBlockQuote: boolean;
}

/** A source's text; undefined if it isn't known whole. */
export type ContentOf = (n: number) => string | undefined;

/** Citations whose directly quoted words are nowhere in their source. Linear in the text; short quotations are passed. */
export function unsupportedCitations<C>(blocks: readonly CitedBlock<C>[], contentOf: ContentOf): C[] {
  const sources = new SourceWords(contentOf);
  return blocks.flatMap((block, index) =>
    groupsIn(block).flatMap((group) => {
      const quoted = quotedAt(block, group) ?? quotedBefore(blocks[index - 1], block, group);
      if (quoted === undefined) return [];
      const numbers = group.cites.map(({ n }) => n);
      return sources.haveNot(numbers, quoted) ? group.cites.map(({ cite }) => cite) : [];
    }),
  );
}

interface Group<C> {
  /** End of the group before. */
  from: number;
  at: number;
  end: number;
  cites: CitedBlock<C>['cites'][number][];
}

function groupsIn<C>({ text, cites }: CitedBlock<C>): Group<C>[] {
  const groups: Group<C>[] = [];
  for (const cite of cites) {
    const last = groups.at(-1);
    if (last && /^[\s,;，、]*$/.test(text.slice(last.end, cite.at))) {
      last.end = cite.at;
      last.cites.push(cite);
    } else groups.push({ from: last?.end ?? 0, at: cite.at, end: cite.at, cites: [cite] });
  }
  return groups;
}

const pairs: Readonly<Record<string, readonly string[]>> = {
  '"': ['"'],
  '\u201d': ['\u201c', '\u201e'],
  '\u201c': ['\u201e'],
  '\u300d': ['\u300c'],
  '\u300f': ['\u300e'],
  '\u00bb': ['\u00ab'],
};
const between = /^[\s.,;:!?()。，；：！？（）—–-]$/;
const mostBetween = 8;

/** Quoted words that end directly before a citation, or around it; in a block quote, all before it. */
function quotedAt<C>({ text, isBlockQuote }: CitedBlock<C>, { from, at, end }: Group<C>): string | undefined {
  const stretch = text.slice(from, at);
  let last = stretch.length - 1;
  const least = Math.max(0, stretch.length - mostBetween);
  while (last >= least && between.test(stretch[last]!)) last--;
  const closing = stretch[last];
  if (closing !== undefined && pairs[closing] !== undefined) return quotation(stretch, last, closing);
  const after = /^[\s.,;:!?。，；！？]{0,3}([\u201d\u300d\u300f\u00bb])/.exec(text.slice(end, end + 8))?.[1];
  if (after !== undefined) return quotation(stretch, stretch.length, after);
  return isBlockQuote ? blockQuotation(stretch) : undefined;
}

function quotation(text: string, close: number, closing: string): string | undefined {
  const openings = pairs[closing] ?? [];
  const inside = text.slice(0, close);
  const open = Math.max(...openings.map((opening) => inside.lastIndexOf(opening)));
  if (open < 0) return undefined;
  const words = inside.slice(open + 1);
  // Quotations in quotations, and inches, can't be told apart.
  if (words.includes(closing)) return undefined;
  const isStraight = closing === '"';
  const isOpening = open === 0 || /[\s([{:\u2014\u2013\-，：（]/.test(inside[open - 1]!);
  if (isStraight && (!isOpening || /^\s|\s$/.test(words))) return undefined;
  return words;
}

/** A note in a block quote begins with its label, and quotes nobody. */
const label = /^\s*(?:\[!\w+\]|[^\s:：]{1,20}(?: [^\s:：]{1,20})?[:：])/;

function blockQuotation(text: string): string | undefined {
  if (label.test(text)) return undefined;
  const words = text.replace(/(?:\n\s{0,20}[—–-]{1,3}|\s[—–]{1,3})[^\n—–]{0,120}$/, '');
  return words.trim() === '' ? undefined : words;
}

function quotedBefore<C>(
  above: CitedBlock<C> | undefined,
  { text, isBlockQuote }: CitedBlock<C>,
  { from, at, end }: Group<C>,
): string | undefined {
  if (isBlockQuote || !above?.isBlockQuote || above.cites.length > 0 || from > 0) return undefined;
  const isAlone = /^[\s—–\-(（]*$/.test(text.slice(0, at)) && /^[\s.。)）]*$/.test(text.slice(end));
  return isAlone ? blockQuotation(above.text) : undefined;
}

const fewestWords = 3;
const fewestCharacters = 12;
const fewestIdeographs = 8;
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Cuts, insertions of who quotes, and redactions. */
const gaps = /…|\.{3,}|\[[^[\]]{0,200}\]|[(（]\s{0,3}(?:…|\.{3})\s{0,3}[)）]/;

class SourceWords {
  private readonly known = new Map<number, readonly string[] | undefined>();

  constructor(private readonly contentOf: ContentOf) {}

  /** True if none of the sources has the words, and all of them are known. */
  haveNot(numbers: readonly number[], quoted: string): boolean {
    const parts = quoted.split(gaps);
    if (!isLong(parts.join(' '))) return false;
    const wanted = parts.map(lettersOf).filter((part) => part !== '');
    const texts = numbers.map((n) => this.textsOf(n));
    return texts.every((forms) => forms !== undefined && !forms.some((text) => hasInOrder(text, wanted)));
  }

  private textsOf(n: number): readonly string[] | undefined {
    if (!this.known.has(n)) {
      const content = this.contentOf(n);
      const isKnown = content !== undefined && content.trim() !== '';
      this.known.set(n, isKnown ? [lettersOf(content), lettersOf(asShown(content))] : undefined);
    }
    return this.known.get(n);
  }
}

function isLong(text: string): boolean {
  if ((text.match(ideographs)?.length ?? 0) >= fewestIdeographs) return true;
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length >= fewestWords && lettersOf(text).length >= fewestCharacters;
}

/** Letters and digits alone: punctuation, quotes, white space and Markdown differ without a change of words. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Markdown and HTML without addresses, tags and entities. */
function asShown(content: string): string {
  return content
    .replace(/\]\([^()\s]*(?:\s"[^"\n]*")?\)/g, '')
    .replace(/<[^<>]{1,200}>/g, '')
    .replace(/&#?\w{1,10};/g, '');
}

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
