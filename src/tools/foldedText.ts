/** Characters that look alike and that models write for each other, by the class that stands for any of them. */
const lookAlikes = [
  '\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000',
  '\\-\\u2010-\\u2015\\u2212',
  "'\\u2018-\\u201B",
  '"\\u201C-\\u201F',
].map((characters) => new RegExp(`[${characters}]`));

const spaces = '[\\t\\u0020\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]';

/**
 * A model chooses what is looked for, and the search may look at each character of the one for each of the other: so long, and
 * no longer, does it take. What is beyond is found where it stands exactly.
 */
const longestWanted = 20_000;
const mostSteps = 5e7;

/**
 * Start and end of each place where a text reads the same but for line ends, white space at the end of lines, and
 * characters that look alike: dashes, quotes and spaces. Nothing else is taken for the same.
 */
export function foldedPlaces(text: string, wanted: string): [start: number, end: number][] {
  if (wanted.trim() === '' || wanted.length > longestWanted || wanted.length * text.length > mostSteps)
    return [];
  const lines = wanted.split(/\r?\n/);
  const patterns = lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const words = line.trimEnd();
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
