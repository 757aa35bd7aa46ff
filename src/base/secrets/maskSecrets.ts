import { percentDecoded } from '../address.ts';

/** Letters and digits of a secret that may be shown in a row; fewer could be words. */
const shownAtMost = 7;
const mask = '***';

interface Folded {
  text: string;
  starts: number[];
  ends: number[];
}

/** Masks parts of eight letters and digits: any case, interrupted, full-width, percent, hex or base64. Linear time. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const pieces = secrets.flatMap(piecesOf);
  if (pieces.length === 0) return text;
  const folded = fold(text);
  const isHidden = new Uint8Array(folded.text.length);
  for (const [length, known] of byLength(pieces)) {
    for (let at = 0; at + length <= folded.text.length; at++) {
      if (known.has(folded.text.slice(at, at + length))) isHidden.fill(1, at, at + length);
    }
  }
  let masked = '';
  let from = 0;
  for (let at = isHidden.indexOf(1); at >= 0; at = isHidden.indexOf(1, at)) {
    const end = isHidden.indexOf(0, at);
    const last = (end < 0 ? isHidden.length : end) - 1;
    masked += text.slice(from, folded.starts[at]) + mask;
    from = folded.ends[last] ?? text.length;
    at = last + 1;
  }
  return masked + text.slice(from);
}

/** Folded parts to mask: short secrets whole, others by every eight characters. */
function piecesOf(secret: string): string[] {
  const forms = [withoutWord(secret), Buffer.from(secret).toString('hex'), ...base64Forms(secret)];
  return forms.flatMap((form, index) => {
    const { text } = fold(form);
    // The encodings of a short secret could be ordinary words.
    if (text.length <= shownAtMost)
      return index === 0 && secret.length >= 4 && text.length >= 4 ? [text] : [];
    return Array.from({ length: text.length - shownAtMost }, (_, at) => text.slice(at, at + shownAtMost + 1));
  });
}

/** Ignores the common prefix of knowledge base keys, which occurs in many messages. */
function withoutWord(secret: string): string {
  const rest = secret.replace(/^dataset-/i, '');
  return fold(rest).text.length > shownAtMost ? rest : secret;
}

/** The base64 forms for the three possible byte offsets, without characters that depend on neighbours. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = Math.ceil((offset * 4) / 3);
    const last = Math.floor(((offset + bytes.length) * 4) / 3);
    return encoded.slice(first, last);
  });
}

const percentCodes = /(?:%[0-9a-f]{2})+/iy;

function fold(text: string): Folded {
  let folded = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < text.length;) {
    percentCodes.lastIndex = at;
    const codes = text[at] === '%' ? percentCodes.exec(text)?.[0] : undefined;
    const piece = codes ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    for (const letter of lettersOf(codes === undefined ? piece : percentDecoded(codes))) {
      folded += letter;
      starts.push(at);
      ends.push(at + piece.length);
    }
    at += piece.length;
  }
  return { text: folded, starts, ends };
}

function lettersOf(text: string): string {
  const plain = /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKC');
  return plain.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function byLength(pieces: readonly string[]): Map<number, Set<string>> {
  const sets = new Map<number, Set<string>>();
  for (const piece of pieces) {
    const set = sets.get(piece.length) ?? new Set();
    sets.set(piece.length, set.add(piece));
  }
  return sets;
}
