import { FlowValue, parseYaml, type ParsedYaml, type TextRange, type YamlProblem } from './flowValue.ts';
import { type Piece, splitFlow } from './splitFlow.ts';

export type FlowMode = 'workflow' | 'advanced-chat';

export class GraphItem {
  #parsed: ParsedYaml | undefined;
  #value: FlowValue | undefined;

  constructor(
    readonly source: Piece | FlowValue,
    parsed?: ParsedYaml,
  ) {
    this.#parsed = parsed;
  }

  /** The text as it is in the file; undefined where the list is not written as a block. */
  get text(): string | undefined {
    return this.source instanceof FlowValue ? undefined : this.source.text;
  }

  get parsed(): ParsedYaml | undefined {
    return this.source instanceof FlowValue ? undefined : (this.#parsed ??= parseYaml(this.source.text));
  }

  /** True if the item has been parsed; another reading of the same text takes it over. */
  get isParsed(): boolean {
    return this.#parsed !== undefined;
  }

  get value(): FlowValue | undefined {
    if (this.source instanceof FlowValue) return this.source;
    const { contents } = this.parsed!;
    if (!contents) return undefined;
    const { start } = this.source;
    return (this.#value ??= new FlowValue(contents, (offset) => start + offset).items()[0]);
  }

  get range(): TextRange {
    if (this.source instanceof FlowValue) return this.source.range;
    const { start, text } = this.source;
    return { start: start + text.search(/[^ ]/), end: start + text.trimEnd().length };
  }

  get problems(): YamlProblem[] {
    if (this.source instanceof FlowValue) return [];
    const { start } = this.source;
    return this.parsed!.problems.map((problem) => ({
      ...{ message: problem.message, start: start + problem.start, end: start + problem.end },
    }));
  }

  get id(): string | undefined {
    return this.#quickId() ?? this.value?.get('id')?.text();
  }

  /** Id as the platform writes it, without parsing the item. */
  #quickId(): string | undefined {
    if (this.source instanceof FlowValue) return undefined;
    const { text } = this.source;
    const indent = text.search(/[^ ]/);
    if (!text.startsWith('- ', indent)) return undefined;
    const below = text.indexOf(`\n${' '.repeat(indent + 2)}id: `);
    const isFirst = text.startsWith('id: ', indent + 2);
    if (!isFirst && below < 0) return undefined;
    const at = isFirst ? indent + 2 : below + indent + 3;
    const end = text.indexOf('\n', at);
    const value = /^id: (?:'([^'\n]*)'|([\w-]+))\r?$/.exec(text.slice(at, end < 0 ? undefined : end));
    return value?.[1] ?? value?.[2];
  }
}

export class FlowNode extends GraphItem {
  get data(): FlowValue | undefined {
    return this.value?.get('data');
  }

  get type(): string {
    return this.data?.get('type')?.text() ?? '';
  }

  get title(): string {
    return this.data?.get('title')?.text()?.trim() || (this.id ?? '');
  }
}

export class FlowEdge extends GraphItem {
  get from(): FlowValue | undefined {
    return this.value?.get('source');
  }

  get to(): FlowValue | undefined {
    return this.value?.get('target');
  }

  get handle(): string {
    return this.value?.get('sourceHandle')?.text() ?? 'source';
  }
}

/** A DSL text as it was read. What is missing or of another shape is left out. */
export interface Flow {
  readonly text: string;
  /** All but the graph; undefined if the text is not YAML. */
  readonly root: FlowValue | undefined;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
  readonly frame: ParsedYaml;
  readonly frameProblems: readonly YamlProblem[];
}

/** Reads a DSL text; items that are the same in `previous` are not parsed again. Never throws. */
export function readFlow(text: string, previous?: Flow): Flow {
  const { frame: frameText, nodes, edges, toOffset } = splitFlow(text);
  const frame = parseYaml(frameText);
  const root = frame.contents ? new FlowValue(frame.contents, toOffset) : undefined;
  const known = new Map(
    [...(previous?.nodes ?? []), ...(previous?.edges ?? [])].flatMap((item) =>
      item.text !== undefined && item.isParsed ? [[item.text, item.parsed!] as const] : [],
    ),
  );
  const graph = root?.get('workflow')?.get('graph');
  const itemsOf = (key: string, pieces: readonly Piece[]) =>
    pieces.length > 0 ? pieces : (graph?.get(key)?.items() ?? []);
  const parsedOf = (source: Piece | FlowValue) =>
    source instanceof FlowValue ? undefined : known.get(source.text);
  return {
    ...{ text, root, frame },
    nodes: itemsOf('nodes', nodes).map((source) => new FlowNode(source, parsedOf(source))),
    edges: itemsOf('edges', edges).map((source) => new FlowEdge(source, parsedOf(source))),
    frameProblems: frame.problems.map(({ message, start, end }) => ({
      ...{ message, start: toOffset(start), end: toOffset(end) },
    })),
  };
}

export function modeOf({ root }: Flow): string | undefined {
  return root?.get('app')?.get('mode')?.text();
}

export function nameOf({ root }: Flow): string | undefined {
  return root?.get('app')?.get('name')?.text();
}

export function isFlowMode(mode: string | undefined): mode is FlowMode {
  return mode === 'workflow' || mode === 'advanced-chat';
}

export interface FlowVariable {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly value: FlowValue;
}

export function variablesOf({ root }: Flow, kind: 'environment' | 'conversation'): FlowVariable[] {
  const list = root?.get('workflow')?.get(`${kind}_variables`)?.items() ?? [];
  return list.flatMap((value) => {
    const name = value.get('name')?.text();
    if (name === undefined) return [];
    return [{ id: value.get('id')?.text() ?? '', name, type: value.get('value_type')?.text() ?? '', value }];
  });
}
