import { parseJson } from '../json.ts';

/** A value as Python's `str` writes lists and dicts of plain values; undefined for everything else. */
export function parsePythonLiteral(text: string): unknown {
  // Each token as JSON writes it: JSON's grammar then decides what is a value.
  const token =
    /\s+|[[\]{}:,]|(True|False|None)\b|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.])|'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"/sy;
  let json = '';
  while (token.lastIndex < text.length) {
    const [whole, word, number, single, double] = token.exec(text) ?? [];
    if (whole === undefined) return undefined;
    // A larger integer would be another one after JSON has read it.
    if (number && /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))) return undefined;
    const string = single ?? double;
    json += string === undefined ? (word ? jsonWords[word] : whole) : JSON.stringify(unescaped(string));
  }
  return parseJson(json);
}

const jsonWords: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(string: string): string {
  return string.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U(000[\da-f]{5}|0010[\da-f]{4})|(.))/gs,
    (_, byte?: string, unit?: string, point?: string, other = '') => {
      const code = byte ?? unit ?? point;
      return code ? String.fromCodePoint(Number.parseInt(code, 16)) : (escapes[other] ?? other);
    },
  );
}
