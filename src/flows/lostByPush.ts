import { FlowValue, type TextRange } from './dsl/flowValue.ts';
import type { Flow, GraphItem } from './dsl/readFlow.ts';

/** The first comment or unsorted key: exports have no comments, and sort keys (recorded on 1.16.1). */
export function firstLostText(flow: Flow): TextRange | undefined {
  return firstComment(flow) ?? firstUnsortedKey(flow);
}

function firstComment(flow: Flow): TextRange | undefined {
  const known = new Map<GraphItem | undefined, TextRange[]>();
  for (const { index: start, 0: text } of flow.text.matchAll(/(?<=^|[ \t])#.*$/gm)) {
    const item = pieceAt(flow, start);
    const texts = known.get(item) ?? textsWithHash(item ? item.value : flow.root);
    known.set(item, texts);
    // Prompts and code have lines like these.
    if (texts.some((range) => range.start < start && start < range.end)) continue;
    return { start, end: start + text.trimEnd().length };
  }
  return undefined;
}

function pieceAt({ nodes, edges }: Flow, offset: number): GraphItem | undefined {
  return [...nodes, ...edges].find(({ source }) => {
    if (source instanceof FlowValue) return false;
    return offset >= source.start && offset < source.start + source.text.length;
  });
}

function textsWithHash(value: FlowValue | undefined): TextRange[] {
  return [...(value?.all() ?? [])]
    .filter((each) => each.isText() && each.text()?.includes('#'))
    .map(({ range }) => range);
}

function firstUnsortedKey({ root, nodes, edges }: Flow): TextRange | undefined {
  for (const whole of [root, ...nodes.map(({ value }) => value), ...edges.map(({ value }) => value)]) {
    for (const value of whole?.all() ?? []) {
      const keys = value.keys();
      const late = keys.find((key, index) => index > 0 && key < keys[index - 1]!);
      if (late !== undefined) return value.keyRange(late);
    }
  }
  return undefined;
}
