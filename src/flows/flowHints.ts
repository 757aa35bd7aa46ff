import * as l10n from '@vscode/l10n';
import { inline } from '../base/text/oneLine.ts';
import type { TextRange } from './dsl/flowValue.ts';
import { kindOf, nodeName, nodeTypes } from './dsl/nodeKinds.ts';
import { type Flow, type FlowNode, type GraphItem, variablesOf } from './dsl/readFlow.ts';
import { outputsOf } from './flowProblems.ts';

export interface FlowCompletion {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
  readonly range: TextRange;
}

/** Longest text before the cursor that is looked at, in characters. */
const reach = 300;

export function flowCompletions(flow: Flow, offset: number): FlowCompletion[] {
  const line = lineBefore(flow.text, offset);
  const [, reference] = /\{\{#([^#{}\s]*)$/.exec(line) ?? [];
  if (reference !== undefined) {
    const range = { start: offset - reference.length, end: offset };
    const isClosed = flow.text.startsWith('#}}', offset);
    return references(flow).map(({ text, ...named }) => ({
      ...named,
      range,
      text: isClosed ? text : `${text}#}}`,
    }));
  }
  const [, key, typed = ''] = /^\s*(?:- )?(type|source|target): *['"]?([\w-]*)$/.exec(line) ?? [];
  if (key === undefined) return [];
  const range = { start: offset - typed.length, end: offset };
  if (key === 'type') {
    if (!isIn(flow.nodes, offset) || !isTypeOfData(flow, offset)) return [];
    return nodeTypes.map((type) => ({ label: type, detail: kindOf(type), text: type, range }));
  }
  if (!isIn(flow.edges, offset)) return [];
  return flow.nodes.flatMap((node) =>
    node.id === undefined ? [] : [{ label: node.id, detail: nodeName(node), text: node.id, range }],
  );
}

export function flowHover(flow: Flow, offset: number): { text: string; range: TextRange } | undefined {
  const lineStart = flow.text.lastIndexOf('\n', offset - 1) + 1;
  const lineEnd = flow.text.indexOf('\n', offset);
  const line = flow.text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  if (line.length > 10_000) return undefined;
  const places = /\{\{#([^#{}\s.]+)(?:\.([^#{}\s]+))?#\}\}|^\s*(?:- )?(?:source|target): *['"]?([\w-]+)/g;
  for (const match of line.matchAll(places)) {
    const start = lineStart + match.index;
    const end = start + match[0].length;
    if (offset < start || offset > end) continue;
    const [, id = match[3], variable] = match;
    const node = flow.nodes.find((each) => each.id === id);
    if (!node) return undefined;
    const text = variable
      ? l10n.t('{0}, output of {1}', inline(variable, 60), nodeName(node))
      : nodeName(node);
    return { text, range: { start, end } };
  }
  return undefined;
}

function references(flow: Flow): { label: string; detail: string; text: string }[] {
  const variables = (kind: 'environment' | 'conversation', prefix: string) =>
    variablesOf(flow, kind).map(({ name, type }) => ({
      text: `${prefix}.${name}`,
      label: `${prefix}.${name}`,
      detail: type,
    }));
  const outputs = flow.nodes.flatMap((node) =>
    [...knownOutputs(node)].map((name) => ({
      text: `${node.id ?? ''}.${name}`,
      label: `${inline(node.title, 40)}.${name}`,
      detail: nodeName(node),
    })),
  );
  return [...outputs, ...variables('environment', 'env'), ...variables('conversation', 'conversation')];
}

function knownOutputs(node: FlowNode): readonly string[] {
  if (node.type === 'llm') return ['text'];
  const others = ['sys', 'error_type', 'error_message'];
  return [...(outputsOf(node) ?? [])].filter((name) => !others.includes(name));
}

function isIn(items: readonly GraphItem[], offset: number): boolean {
  return items.some(({ range: { start, end } }) => offset >= start && offset <= end + 1);
}

/** True for the `type` of a node's data; the node itself, its variables and its models have types, too. */
function isTypeOfData({ nodes }: Flow, offset: number): boolean {
  const node = nodes.find(({ range }) => offset >= range.start && offset <= range.end + 1);
  const range = node?.data?.keyRange('type');
  return range !== undefined && range.end <= offset && offset - range.end < 40;
}

function lineBefore(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - reach);
  return text.slice(start, offset);
}
