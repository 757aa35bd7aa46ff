import type { Block } from './blocks.ts';
import { BlockReader } from './blockReader.ts';
import { numbersIn } from './citations.ts';

/** Looks for the numbers that a text cites: those that are drawn as citations, which those in code and links are not. */
export class CitationSearch {
  private readonly reader = new BlockReader();
  /** The numbers in each block. */
  private readonly found: number[][] = [];
  private isDone: boolean;

  constructor(private readonly text: string) {
    // An answer without brackets need not be read.
    this.isDone = !text.includes('[');
  }

  /** Goes on for a limited time; the numbers when all is read. */
  search(ms = Infinity): Set<number> | undefined {
    const until = performance.now() + ms;
    while (!this.isDone && performance.now() < until) {
      const { from, blocks, isComplete } = this.reader.read(this.text, true);
      this.found.splice(from, isComplete ? Infinity : blocks.length, ...blocks.map(citedIn));
      this.isDone = isComplete;
    }
    return this.isDone ? new Set(this.found.flat()) : undefined;
  }
}

/** The numbers in what the renderer marks; a text that looks the same is escaped there. */
function citedIn(block: Block): number[] {
  const html = block.type === 'html' ? [block.html] : [];
  if ('items' in block) html.push(block.open, ...block.items.map((item) => item.html));
  return html.flatMap((each) =>
    [...each.matchAll(/<span class="citation">(.*?)<\/span>/g)].flatMap(([, inside = '']) =>
      numbersIn(inside),
    ),
  );
}
