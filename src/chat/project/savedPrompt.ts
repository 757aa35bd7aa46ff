import { oneLine } from '../../base/text/oneLine.ts';

const longestDescription = 80;
const longestName = 40;
const wordsInName = 4;

export function promptNameOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Drops half of a surrogate pair.
  return words
    .slice(0, wordsInName)
    .join('-')
    .slice(0, longestName)
    .replace(/[\ud800-\udbff]$/, '');
}

export function promptFileText(text: string): string {
  // A JSON string is valid YAML.
  const description = JSON.stringify(oneLine(text, longestDescription));
  return `---\ndescription: ${description}\n---\n\n${text}\n`;
}
