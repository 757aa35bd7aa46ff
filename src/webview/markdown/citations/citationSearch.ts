import type { Block } from '../blocks.ts';
import { BlockReader } from '../blockReader.ts';
import { numbersIn } from './citations.ts';

export class CitationSearch {
  private readonly reader = new BlockReader();
  private readonly found: number[][] = [];
  private isDone: boolean;

  constructor(private readonly text: string) {
    this.isDone = !text.includes('[');
  }

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

/** Reads the renderer's own markup; a text that looks like it is escaped. */
function citedIn(block: Block): number[] {
  const html = block.type === 'html' ? [block.html] : [];
  if ('items' in block) html.push(block.open, ...block.items.map((item) => item.html));
  return html.flatMap((each) =>
    [...each.matchAll(/<span class="citation">(.*?)<\/span>/g)].flatMap(([, inside = '']) =>
      numbersIn(inside),
    ),
  );
}
