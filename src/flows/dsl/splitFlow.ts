export interface Piece {
  /** Offset in the whole text. */
  readonly start: number;
  readonly text: string;
}

export interface FlowPieces {
  readonly frame: string;
  readonly nodes: readonly Piece[];
  readonly edges: readonly Piece[];
  /** Offset in the whole text of an offset in `frame`. */
  readonly toOffset: (offset: number) => number;
}

type ListName = 'nodes' | 'edges';

interface Line {
  start: number;
  end: number;
  indent: number;
  isItem: boolean;
}

/** Cuts a DSL at nodes and edges written as blocks, so that only changed ones are parsed: 350 KB take half a second. */
export function splitFlow(text: string): FlowPieces {
  const found = new ListFinder();
  const pieces: Record<ListName, Piece[]> = { nodes: [], edges: [] };
  const cuts: Piece[] = [];
  const kept: string[] = [];
  let at = 0;
  let open: { name: ListName; indent: number; starts: number[] } | undefined;
  const close = (end: number) => {
    if (!open) return;
    const [first = end] = open.starts;
    const ends = [...open.starts.slice(1), end];
    for (const [index, start] of open.starts.entries()) {
      pieces[open.name].push({ start, text: text.slice(start, ends[index]) });
    }
    kept.push(text.slice(at, first));
    cuts.push({ start: first, text: text.slice(first, end) });
    at = end;
    open = undefined;
  };
  for (const line of linesOf(text)) {
    if (open && (line.indent > open.indent || (line.indent === open.indent && line.isItem))) {
      if (line.indent === open.indent) open.starts.push(line.start);
      continue;
    }
    close(line.start);
    const name = found.listBefore(line, text);
    if (name) open = { name, indent: line.indent, starts: [line.start] };
  }
  close(text.length);
  kept.push(text.slice(at));
  const toOffset = (offset: number) =>
    cuts.reduce((place, cut) => (place >= cut.start ? place + cut.text.length : place), offset);
  return { frame: kept.join(''), ...pieces, toOffset };
}

class ListFinder {
  #isWorkflow = false;
  #isGraph = false;
  /** Indentation of the keys of `workflow` and of `graph`. */
  #workflowIndent: number | undefined;
  #graphIndent: number | undefined;
  #list: { name: ListName; indent: number } | undefined;

  listBefore({ start, end, indent, isItem }: Line, text: string): ListName | undefined {
    const list = this.#list;
    this.#list = undefined;
    if (list && isItem && indent >= list.indent) return list.name;
    const body = text.slice(start + indent, end).trim();
    const key = /^([\w"']+)\s*:\s*(?:#.*)?$/.exec(body)?.[1]?.replaceAll(/["']/g, '');
    if (indent === 0) {
      this.#isWorkflow = key === 'workflow';
      this.#isGraph = false;
      this.#workflowIndent = undefined;
    } else if (this.#isWorkflow && indent === (this.#workflowIndent ??= indent)) {
      this.#isGraph = key === 'graph';
      this.#graphIndent = undefined;
    } else if (this.#isGraph && indent === (this.#graphIndent ??= indent)) {
      if (key === 'nodes' || key === 'edges') this.#list = { name: key, indent };
    }
    return undefined;
  }
}

function* linesOf(text: string): Iterable<Line> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    let at = start;
    while (text.charCodeAt(at) === 0x20) at++;
    const first = text[at];
    if (at < end && first !== '#' && first !== '\n' && first !== '\r') {
      const second = text[at + 1];
      const isItem =
        first === '-' && (second === undefined || second === ' ' || second === '\n' || second === '\r');
      yield { start, end, indent: at - start, isItem };
    }
    start = end;
  }
}
