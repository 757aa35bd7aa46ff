import type { FlowValue, TextRange } from './flowValue.ts';
import type { FlowNode } from './readFlow.ts';

/** A use of a variable: `['llm', 'text']`, `['env', 'KEY']`. */
export interface Reference extends TextRange {
  readonly node: string;
  readonly variable: string;
}

const inText = /\{\{#([^#{}\s.]+)\.([^#{}\s.]+)(?:\.[^#{}\s]+)?#\}\}/g;

export function referencesOf({ data }: FlowNode): Reference[] {
  if (!data) return [];
  const found: Reference[] = [];
  for (const value of data.all()) {
    for (const key of value.keys()) {
      if (!/(?:^|_)selector$/.test(key)) continue;
      const reference = fromSelector(value.get(key));
      if (reference) found.push(reference);
    }
    if (value.isText()) found.push(...fromText(value));
  }
  return found;
}

function fromSelector(selector: FlowValue | undefined): Reference | undefined {
  const [node, variable] = selector?.items().map((item) => item.text()) ?? [];
  // Fields that are not filled in are empty lists.
  return selector && node && variable ? { node, variable, ...selector.range } : undefined;
}

function fromText(value: FlowValue): Reference[] {
  const text = value.text() ?? '';
  return [...text.matchAll(inText)].map(([, node = '', variable = '']) => ({
    node,
    variable,
    ...value.range,
  }));
}
