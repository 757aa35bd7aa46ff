/** What joins letters in these scripts belongs to their spelling. */
const joinedScripts = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr'
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/**
 * Characters that change how the text around them is read without being seen: C0 and C1 controls but tab and line
 * feed, soft hyphens, marks and overrides of direction, characters without width, separators, and tags. What joins or
 * colours emoji, or joins letters, is left where it does just that.
 */
const unseen = new RegExp(
  [
    '(?![\\t\\n])',
    '(?!(?<=\\p{Extended_Pictographic})\\ufe0f)',
    '(?!(?<=\\p{Extended_Pictographic}\\ufe0f?)\\u200d\\p{Extended_Pictographic})',
    `(?!(?<=[${joinedScripts}])[\\u200c\\u200d][${joinedScripts}])`,
    '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]',
  ].join(''),
  'gu',
);

/** Where some readers end a line, beside `\n`. */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const oddLineEnds = /[\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

const plain = /^[ -~]*$/;

/** The same text with what could deceive its reader written out, as `⟨U+202E⟩`. Line ends of Windows are line ends. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, writtenOut);
}

/** A name of others in one line, with nothing in it that is not seen. */
export function visibleName(name: string): string {
  return plain.test(name) ? name : name.replace(/[\t\r\n]/g, writtenOut).replace(unseen, writtenOut);
}

/** One line of a text, as it is but for what could pass for a line's end. */
export function visibleLine(line: string): string {
  return line.replace(oddLineEnds, writtenOut);
}

/** The characters that were written out in a text. */
export function asWritten(text: string): string {
  return text.replace(/⟨U\+([0-9A-F]{4,5})⟩/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
}

function writtenOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
