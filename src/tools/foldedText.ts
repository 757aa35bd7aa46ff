/** Characters that look alike and that models write for each other, by the class that stands for any of them. */
const lookAlikes = [
  '\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000',
  '\\-\\u2010-\\u2015\\u2212',
  "'\\u2018-\\u201B",
  '"\\u201C-\\u201F',
].map((characters) => new RegExp(`[${characters}]`));

const spaces = '[\\t\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]';

/**
 * Start and end of each place where a text reads the same but for line ends, white space at the end of lines, and
 * characters that look alike: dashes, quotes and spaces. Nothing else is taken for the same.
 */
export function foldedPlaces(text: string, wanted: string): [start: number, end: number][] {
  if (wanted.trim() === '') return [];
  const lines = wanted.split(/\r?\n/);
  const patterns = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const words = line.replace(/\s+$/, '');
    const pattern = words.replace(/[^]/gu, (character) => patternOf(character));
    // A line in which nothing else stands is a whole line.
    const start = index === 0 && words === '' ? '(?<![^\\n])' : '';
    if (!isLast) return `${start}${pattern}${spaces}*\\r?\\n`;
    const hasEnd = words !== line;
    return `${start}${pattern}${hasEnd ? `(?:${spaces}*(?=\\r?\\n|$(?![^])))` : ''}`;
  });
  return [...text.matchAll(new RegExp(patterns.join(''), 'gu'))].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}

function patternOf(character: string): string {
  const alike = lookAlikes.find((each) => each.test(character));
  return alike ? alike.source : character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
}
