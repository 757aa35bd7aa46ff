import fc from 'fast-check';
import { BlockReader } from '../../src/webview/markdown/blockReader.ts';
import type { Block } from '../../src/webview/markdown/blocks.ts';
import { md } from '../../src/webview/markdown/parser.ts';

export function readBlocks(text: string, pieces = 1): Block[] {
  const reader = new BlockReader();
  const blocks: Block[] = [];
  const size = Math.ceil(text.length / pieces) || 1;
  for (let end = size; ; end += size) {
    const hasEnded = end >= text.length;
    for (let isComplete = false; !isComplete;) {
      const change = reader.read(text.slice(0, end), hasEnded);
      ({ isComplete } = change);
      blocks.splice(change.from, isComplete ? Infinity : change.blocks.length, ...change.blocks);
    }
    if (hasEnded) return blocks;
  }
}

/** The visible letters and digits. */
export function lettersOf(blocks: readonly Block[]): string {
  const texts = blocks.map((block, index) => {
    if ('text' in block) return block.text;
    const before = blocks[index - 1];
    // A long table repeats its head above each part.
    const isPart = 'items' in block && before && 'items' in before && before.open === block.open;
    const items = 'items' in block ? [isPart ? '' : block.open, ...block.items.map((item) => item.html)] : [];
    const html = block.type === 'html' ? block.html : items.join('');
    return html.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, ' ');
  });
  return texts.join('').replace(/[^\p{L}\p{N}]/gu, '');
}

const marks = [
  '*',
  '**',
  '_',
  '~~',
  '`',
  '> ',
  '- ',
  '1) ',
  '# ',
  '[',
  ']',
  '(',
  '!',
  '<',
  '>',
  '|',
  '\\',
  '\n',
  '\n\n',
];
const part = fc.tuple(
  fc.constantFrom(...marks, '    ', '\n---\n', '\n===\n', '\n~~~\n', '$$', '\\(', '\\['),
  fc.nat(30),
);
/** Words among marks of which none, parsed correctly, hides a word. */
export const wordsAmongMarks = fc.array(part, { maxLength: 60 }).map((parts) =>
  // Text after `](` or `]:` is an address, after a fence a language; lists have numbers.
  parts
    .map(([mark, times], index) => `${mark.repeat(times % 7 === 0 ? times : 1)}w${index}x`)
    .join(' ')
    .replace(/\](?=[(:])/g, '] ')
    .replace(/(?<=^|\n)([\s>]*)(?:\d+[.)]|~~~+|```+)/g, '$1'),
);

export function wordsIn(text: string): string[] {
  return text.match(/w\d+x/g) ?? [];
}

/** Characters that the parser reads during `act`: a reproducible measure of time. */
export function charactersRead(act: () => void): number {
  const { State } = md.block;
  const { State: InlineState } = md.inline;
  let characters = 0;
  md.block.State = class extends State {
    constructor(...args: ConstructorParameters<typeof State>) {
      super(...args);
      characters += this.src.length;
    }
  };
  md.inline.State = class extends InlineState {
    constructor(...args: ConstructorParameters<typeof InlineState>) {
      super(...args);
      characters += this.src.length;
    }
  };
  try {
    act();
  } finally {
    md.block.State = State;
    md.inline.State = InlineState;
  }
  return characters;
}
