import { oneLine } from '../../base/oneLine.ts';

const longestDescription = 80;
const longestName = 40;
const wordsInName = 4;

/** A name to begin with: the first words of a message. */
export function promptNameOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Half of a pair is no character.
  return words
    .slice(0, wordsInName)
    .join('-')
    .slice(0, longestName)
    .replace(/[\ud800-\udbff]$/, '');
}

/** A message as the text of a prompt file. */
export function promptFileText(text: string): string {
  // A text in quotes of JSON is one in YAML, too.
  const description = JSON.stringify(oneLine(text, longestDescription));
  return `---\ndescription: ${description}\n---\n\n${text}\n`;
}
