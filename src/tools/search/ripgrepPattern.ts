import { decoderLabel } from '../files/decodeText.ts';
import type { LinePattern } from './linePattern.ts';

const escape = String.raw`\\(?:u\{[\da-f]+\}|u(?:d[89ab]..\\ud[c-f]..|....)|x..|c.|.)`;
const tokens = new RegExp(
  String.raw`${escape}|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<[^>]*>|:)|\{[^}]*\}|.`,
  'gisu',
);
const classTokens = new RegExp(`${escape}|.`, 'gisu');

/** ripgrep's arguments for each run: together they find all files with a match. Undefined if untranslatable. */
export function ripgrepPatterns(
  { source, flags, literal }: LinePattern,
  encoding: string | undefined,
): string[][] | undefined {
  const isFolding = flags.includes('i');
  const folding = isFolding ? '--ignore-case' : '--case-sensitive';
  // eslint-disable-next-line no-control-regex -- plain ASCII is what is asked
  if (literal !== undefined && /^[\x00-\x7f]*$/.test(literal))
    return [[folding, '--fixed-strings', '-e', literal]];
  const pcre = flags.includes('u') ? toPcre(source, isFolding) : undefined;
  if (pcre === undefined) return undefined;
  // --crlf ends a line before its carriage return. PCRE2 skips invalid UTF-8, so other encodings need a run.
  const label = decoderLabel(encoding) ?? 'utf-8';
  const run = ['--pcre2', '--crlf', folding, '-e', pcre];
  return [run, [...run, '--encoding', label === 'utf-8' ? 'windows-1252' : label]];
}

/** To PCRE2 for one line. Undefined for group references (matched differently) and Unicode properties (by version). */
function toPcre(source: string, isFolding: boolean): string | undefined {
  const sets = isFolding ? { ...plainSets, W: foldingW } : plainSets;
  const word = `[${plainSets.w}]`;
  const escaped = (token: string): string | undefined => {
    if (token === '\\b') return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    if (token === '\\B') return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
    const set = setOf(token, sets);
    return set === undefined ? character(token) : oneOf(set);
  };
  const translated = (token: string): string | undefined => {
    if (token === '^') return '\\A';
    if (token === '$') return '(?=\\n?\\z)';
    if (token === '.') return '[^\\n\\r\\x{2028}\\x{2029}]';
    if (/^\((?:\?<[^=!]|$)/.test(token)) return '(?:';
    if (/^(?:\(\?.*|[)|*+?]|\{.+)$/s.test(token)) return token;
    if (token.startsWith('[')) return characterClass(token, sets);
    const one = token.startsWith('\\') ? escaped(token) : character(token);
    // A line contains no line feed.
    return one === '\\x{a}' ? '(?!)' : one;
  };
  return joined(source.match(tokens)?.map(translated));
}

function characterClass(token: string, sets: Sets): string | undefined {
  const [, negation = '', content = ''] = /^\[(\^?)(.*)\]$/s.exec(token) ?? [];
  if (content === '') return negation ? '[^\\n]' : '(?!)';
  const items = joined(
    content.match(classTokens)?.map((item) => {
      if (item === '-') return item;
      if (item === '\\b') return '\\x{8}';
      return setOf(item, sets) ?? character(item);
    }),
  );
  return items && oneOf(negation + items);
}

/** With --crlf a line can still contain a lone line feed. */
function oneOf(characters: string): string {
  return `(?:(?!\\n)[${characters}])`;
}

function joined(parts: (string | undefined)[] | undefined): string | undefined {
  return parts?.includes(undefined) ? undefined : parts?.join('');
}

function character(token: string): string | undefined {
  const hexadecimal = /^\\(?:x(..)|u\{(.+)\}|u(....))$/.exec(token);
  if (hexadecimal) return byNumber(Number.parseInt(hexadecimal.slice(1).join(''), 16));
  const pair = /^\\u(....)\\u(....)$/.exec(token);
  if (pair) {
    const units = pair.slice(1).map((unit) => Number.parseInt(unit, 16));
    return byNumber(String.fromCharCode(...units).codePointAt(0));
  }
  if (token.startsWith('\\c')) return byNumber((token.codePointAt(2) ?? 0) & 31);
  if (!token.startsWith('\\')) return byNumber(token.codePointAt(0));
  const index = 'tnvfr'.indexOf(token[1] ?? '');
  if (index >= 0) return byNumber(9 + index);
  if (token === '\\0') return byNumber(0);
  return /^\\\w/.test(token) ? undefined : byNumber(token.codePointAt(1));
}

function byNumber(code: number | undefined): string {
  return `\\x{${(code ?? 0).toString(16)}}`;
}

function setOf(token: string, sets: Sets): string | undefined {
  const name = /^\\([dDwWsS])$/.exec(token)?.[1];
  return name && sets[name as keyof Sets];
}

const plainSets = {
  d: '0-9',
  D: '\\x{0}-/:-\\x{10FFFF}',
  w: '0-9A-Z_a-z',
  W: '\\x{0}-/:-@\\[-\\^`{-\\x{10FFFF}',
  s:
    '\\x{9}-\\x{D} \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}' +
    '\\x{205F}\\x{3000}\\x{FEFF}',
  S:
    '\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}' +
    '\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}',
};

/** Two non-ASCII characters fold to ASCII letters and so belong to `\w` if case is ignored. */
const foldingW = '\\x{0}-/:-@\\[-\\^`{-\\x{17E}\\x{180}-\\x{2129}\\x{212B}-\\x{10FFFF}';

type Sets = typeof plainSets;
