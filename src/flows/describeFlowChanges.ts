import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import { inline } from '../base/text/oneLine.ts';
import type { FlowValue } from './dsl/flowValue.ts';
import { nodeName } from './dsl/nodeKinds.ts';
import { type Flow, type FlowEdge, type FlowNode, type GraphItem, variablesOf } from './dsl/readFlow.ts';

const mostLines = 100;

/** A line per changed node, edge and variable; none if only writing changed. Never has values, which may be secrets. */
export function describeFlowChanges(before: Flow, after: Flow): string[] {
  if (before.text === after.text) return [];
  const lines = [
    ...appChanges(before, after),
    ...nodeChanges(before, after),
    ...edgeChanges(before, after),
    ...variableChanges(before, after),
    ...restChanges(before, after),
  ];
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines), moreChanges(lines.length - mostLines)];
}

export function moreChanges(count: number): string {
  return plural(count, l10n.t('and one more change'), l10n.t('and {0} more changes', formatNumber(count)));
}

function appChanges(before: Flow, after: Flow): string[] {
  const [was, is] = [before.root?.get('app'), after.root?.get('app')];
  const lines: string[] = [];
  const of = (app: FlowValue | undefined, key: string) => inline(app?.get(key)?.text() ?? '', 60);
  if (isDifferent(was?.get('name'), is?.get('name'))) {
    lines.push(l10n.t('App: name {0} → {1}', of(was, 'name'), of(is, 'name')));
  }
  if (isDifferent(was?.get('mode'), is?.get('mode'))) {
    lines.push(l10n.t('App: mode {0} → {1}', of(was, 'mode'), of(is, 'mode')));
  }
  const isOther = (key: string) => isDifferent(was?.get(key), is?.get(key));
  if (isOther('description')) lines.push(l10n.t('App: description changed'));
  if (['icon', 'icon_background', 'icon_type'].some(isOther)) lines.push(l10n.t('App: icon changed'));
  if (isDifferent(before.root?.get('version'), after.root?.get('version'))) {
    const text = ({ root }: Flow) => inline(root?.get('version')?.text() ?? '', 40);
    lines.push(l10n.t('DSL version {0} → {1}', text(before), text(after)));
  }
  return lines;
}

function nodeChanges(before: Flow, after: Flow): string[] {
  const { added, removed, kept } = pair(before.nodes, after.nodes, ({ id }) => id ?? '');
  const lines = [
    ...added.map((node) => l10n.t('New node: {0}', nodeName(node))),
    ...removed.map((node) => l10n.t('Removed node: {0}', nodeName(node))),
  ];
  let moved = 0;
  for (const [was, is] of kept) {
    if (isSameText(was, is)) continue;
    const changes = changesOf(was, is);
    if (changes.length > 0) lines.push(l10n.t('{0}: {1}', nodeName(is), changes.join(', ')));
    else if (isDifferent(was.value, is.value)) moved++;
  }
  if (moved === 1) lines.push(l10n.t('One node moved'));
  else if (moved > 1) lines.push(l10n.t('{0} nodes moved', moved));
  return lines;
}

function changesOf(was: FlowNode, is: FlowNode): string[] {
  const [old, now] = [was.data, is.data];
  const changes: string[] = [];
  if (was.title !== is.title) changes.push(l10n.t('renamed from "{0}"', inline(was.title, 60)));
  if (was.type !== is.type) changes.push(l10n.t('type {0} → {1}', inline(was.type, 40), inline(is.type, 40)));
  const [oldModel, newModel] = [old?.get('model'), now?.get('model')];
  const modelName = (model: FlowValue | undefined) => model?.get('name')?.text() ?? '';
  if (modelName(oldModel) !== modelName(newModel)) {
    changes.push(l10n.t('model {0} → {1}', inline(modelName(oldModel), 60), inline(modelName(newModel), 60)));
  } else if (isDifferent(oldModel, newModel)) changes.push(l10n.t('model settings changed'));
  const keys = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  for (const key of keys) {
    if (['title', 'type', 'model', 'selected'].includes(key) || !isDifferent(old?.get(key), now?.get(key)))
      continue;
    changes.push(l10n.t('{0} changed', fieldName(key)));
  }
  return [...new Set(changes)];
}

function fieldName(key: string): string {
  switch (key) {
    case 'prompt_template':
    case 'prompt_config':
    case 'instruction':
      return l10n.t('prompt');
    case 'desc':
      return l10n.t('description');
    case 'dataset_ids':
      return l10n.t('knowledge bases');
    case 'variables':
      return l10n.t('variables');
    case 'outputs':
      return l10n.t('outputs');
    case 'code':
      return l10n.t('code');
    case 'answer':
      return l10n.t('answer');
    case 'cases':
    case 'conditions':
      return l10n.t('conditions');
    default:
      return inline(key.replaceAll('_', ' '), 40);
  }
}

function edgeChanges(before: Flow, after: Flow): string[] {
  const keyOf = (edge: FlowEdge) =>
    JSON.stringify([
      edge.from?.text(),
      edge.handle,
      edge.to?.text(),
      edge.value?.get('targetHandle')?.text(),
    ]);
  const [was, is] = [
    new Set(before.edges.map(({ text }) => text)),
    new Set(after.edges.map(({ text }) => text)),
  ];
  const isNew = ({ text }: FlowEdge, others: ReadonlySet<string | undefined>) =>
    text === undefined || !others.has(text);
  const { added, removed } = pair(
    before.edges.filter((edge) => isNew(edge, is)),
    after.edges.filter((edge) => isNew(edge, was)),
    keyOf,
  );
  const names = new Map([...before.nodes, ...after.nodes].map((node) => [node.id, node] as const));
  const end = (value: FlowValue | undefined) => {
    const node = names.get(value?.text());
    return inline(node?.title ?? value?.text() ?? '?', 60);
  };
  const way = (edge: FlowEdge) => {
    const handle = edge.handle === 'source' ? '' : ` (${inline(edge.handle, 40)})`;
    return `"${end(edge.from)}"${handle} → "${end(edge.to)}"`;
  };
  return [
    ...added.map((edge) => l10n.t('New edge: {0}', way(edge))),
    ...removed.map((edge) => l10n.t('Removed edge: {0}', way(edge))),
  ];
}

function variableChanges(before: Flow, after: Flow): string[] {
  const kinds = [
    ['environment', (name: string) => l10n.t('environment variable {0}', name)],
    ['conversation', (name: string) => l10n.t('conversation variable {0}', name)],
  ] as const;
  return kinds.flatMap(([kind, label]) => {
    const { added, removed, kept } = pair(
      variablesOf(before, kind),
      variablesOf(after, kind),
      ({ name }) => name,
    );
    const name = (variable: { name: string }) => label(inline(variable.name, 60));
    return [
      ...added.map((variable) => l10n.t('New {0}', name(variable))),
      ...removed.map((variable) => l10n.t('Removed {0}', name(variable))),
      ...kept
        .filter(([was, is]) => isDifferent(was.value, is.value))
        .map(([, is]) => l10n.t('Changed {0}', name(is))),
    ];
  });
}

function restChanges(before: Flow, after: Flow): string[] {
  const [was, is] = [before.root?.get('workflow'), after.root?.get('workflow')];
  const lines: string[] = [];
  if (isDifferent(was?.get('features'), is?.get('features'))) lines.push(l10n.t('Features changed'));
  if (isDifferent(before.root?.get('dependencies'), after.root?.get('dependencies'))) {
    lines.push(l10n.t('Plugins that the app needs changed'));
  }
  return lines;
}

function isDifferent(was: FlowValue | undefined, is: FlowValue | undefined): boolean {
  return (was?.canonical() ?? 'null') !== (is?.canonical() ?? 'null');
}

function isSameText(was: GraphItem, is: GraphItem): boolean {
  return was.text !== undefined && was.text === is.text;
}

/** Pairs items by key; of equal keys, by order. */
function pair<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string) {
  const old = new Map<string, T[]>();
  for (const item of before) {
    const key = keyOf(item);
    const list = old.get(key);
    if (list) list.push(item);
    else old.set(key, [item]);
  }
  const added: T[] = [];
  const kept: [T, T][] = [];
  for (const item of after) {
    const was = old.get(keyOf(item))?.shift();
    if (was === undefined) added.push(item);
    else kept.push([was, item]);
  }
  return { added, kept, removed: [...old.values()].flat() };
}
