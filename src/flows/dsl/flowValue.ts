import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type YAMLError } from 'yaml';

/** Offsets in the text of the file; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A value of a DSL text with its place; reading what is not there gives undefined or nothing. */
export class FlowValue {
  constructor(
    readonly node: Node,
    readonly toOffset: (offset: number) => number,
  ) {}

  get range(): TextRange {
    const [start, end] = this.node.range ?? [0, 0];
    return {
      start: this.toOffset(start),
      end: end > start ? this.toOffset(end - 1) + 1 : this.toOffset(start),
    };
  }

  /** True if an alias or a merge hides what the value is. */
  get isHidden(): boolean {
    return isAlias(this.node) || (isMap(this.node) && this.keys().includes('<<'));
  }

  keys(): string[] {
    return isMap(this.node) ? this.node.items.map(({ key }) => keyOf(key)) : [];
  }

  get(key: string): FlowValue | undefined {
    const pair = isMap(this.node) ? this.node.items.find((item) => keyOf(item.key) === key) : undefined;
    return this.#wrap(pair?.value);
  }

  keyRange(key: string): TextRange | undefined {
    const pair = isMap(this.node) ? this.node.items.find((item) => keyOf(item.key) === key) : undefined;
    return this.#wrap(pair?.key)?.range;
  }

  items(): FlowValue[] {
    return isSeq(this.node) ? this.node.items.flatMap((item) => this.#wrap(item) ?? []) : [];
  }

  text(): string | undefined {
    if (!isScalar(this.node)) return undefined;
    const { value, source } = this.node;
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
      ? String(value)
      : // A date, or binary data.
        value === null || value === undefined
        ? undefined
        : source;
  }

  isText(): boolean {
    return isScalar(this.node) && typeof this.node.value === 'string';
  }

  isObject(): boolean {
    return isMap(this.node);
  }

  /** The value as JSON with sorted keys, for comparing; an alias by its name. */
  canonical(): string {
    const { node } = this;
    if (isMap(node)) {
      const fields = this.keys().map(
        (key) => `${JSON.stringify(key)}:${this.get(key)?.canonical() ?? 'null'}`,
      );
      return `{${fields.toSorted().join()}}`;
    }
    if (isSeq(node))
      return `[${this.items()
        .map((item) => item.canonical())
        .join()}]`;
    if (isAlias(node)) return `*${node.source}`;
    return isScalar(node) ? (JSON.stringify(node.value) ?? 'null') : 'null';
  }

  *all(): Iterable<FlowValue> {
    yield this;
    const within = isSeq(this.node) ? this.items() : this.keys().flatMap((key) => this.get(key) ?? []);
    for (const value of within) yield* value.all();
  }

  #wrap(node: unknown): FlowValue | undefined {
    return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)
      ? new FlowValue(node, this.toOffset)
      : undefined;
  }
}

function keyOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

export interface YamlProblem extends TextRange {
  readonly message: string;
}

/** A parsed text; offsets in it are its own. */
export interface ParsedYaml {
  readonly contents: Node | null;
  readonly problems: readonly YamlProblem[];
  readonly refused?: 'size' | 'depth';
}

/** In characters; parsing them takes about half a second. */
const mostCharacters = 400_000;
const mostDepth = 200;

/** Parses YAML, by default version 1.1, as the platform's parser does. Never throws. */
export function parseYaml(text: string, version: '1.1' | '1.2' = '1.1'): ParsedYaml {
  if (text.length > mostCharacters) return { contents: null, problems: [], refused: 'size' };
  if (depthOf(text) > mostDepth) return { contents: null, problems: [], refused: 'depth' };
  try {
    const { contents, errors } = parseDocument(text, {
      ...{
        version,
        logLevel: 'silent',
        prettyErrors: false,
        uniqueKeys: false,
        keepSourceTokens: false,
      },
    });
    return { contents, problems: errors.filter((error) => !isForeignAlias(error)).map(toProblem) };
  } catch {
    // The parser is recursive: nesting by indentation ends in a stack overflow.
    return { contents: null, problems: [], refused: 'depth' };
  }
}

/** An anchor may be in another piece of the text. */
function isForeignAlias({ message }: YAMLError): boolean {
  return message.startsWith('Unresolved alias');
}

function toProblem({ message, pos: [start, end] }: YAMLError): YamlProblem {
  return { message, start, end };
}

/** Depth of brackets and of indicators on one line. Brackets in texts count, too; prose doesn't leave 200 of them open. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x5d || code === 0x7d) depth = Math.max(0, depth - 1);
  }
  const runs = text.match(/(?:[-?&!]\S* +){64,}/g);
  return runs ? Number.POSITIVE_INFINITY : deepest;
}
