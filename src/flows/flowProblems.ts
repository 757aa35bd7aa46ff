import * as l10n from '@vscode/l10n';
import { inline } from '../base/text/oneLine.ts';
import type { FlowValue, TextRange } from './dsl/flowValue.ts';
import { nodeName } from './dsl/nodeKinds.ts';
import { type Flow, type FlowNode, type GraphItem, isFlowMode, modeOf, variablesOf } from './dsl/readFlow.ts';
import { referencesOf, type Reference } from './dsl/references.ts';

/** Newest DSL version that was measured. */
const knownVersion = '0.7.0';

const versionPattern = /^\d+(?:\.\d+){0,3}$/;

export interface FlowProblem extends TextRange {
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
}

/** Contents of the workspace that a flow belongs to. An undefined field is not checked. */
export interface WorkspaceContents {
  datasets?: ReadonlySet<string> | undefined;
  missingPlugins?: ReadonlySet<string> | undefined;
  issues?: readonly FoundIssue[] | undefined;
}

export interface FoundIssue {
  readonly message: string;
  readonly severity: 'error' | 'warning';
  readonly nodeId?: string;
}

/** Yields problems one by one, as parsing takes a while. Says nothing of what was not measured. */
export function* flowProblems(flow: Flow, workspace: WorkspaceContents = {}): Iterable<FlowProblem> {
  yield* syntaxProblems(flow);
  if (!flow.root) return;
  yield* headProblems(flow, flow.root);
  if (!isFlowMode(modeOf(flow))) return;
  const byId = new Map(
    flow.nodes.flatMap((node) => (node.id === undefined ? [] : [[node.id, node] as const])),
  );
  const scope = scopeOf(flow, byId);
  const seen = new Set<string>();
  for (const node of flow.nodes) {
    yield* nodeProblems(node, seen);
    yield* variableProblems(node, scope);
    yield* contentProblems(node, workspace);
  }
  for (const edge of flow.edges) {
    yield* itemProblems(edge);
    for (const [key, value] of [
      ['source', edge.from],
      ['target', edge.to],
    ] as const) {
      const id = value?.text();
      if (value && (id === undefined || byId.has(id) || value.isHidden)) continue;
      if (edge.value?.isHidden || !edge.value) continue;
      const message =
        id === undefined
          ? l10n.t('The edge has no {0}.', key)
          : l10n.t('The edge\'s {0} "{1}" is not a node of this file.', key, inline(id, 60));
      yield error(value?.range ?? edge.range, message);
    }
  }
  yield* dependencyProblems(flow.root, workspace);
  for (const { message, severity, nodeId } of workspace.issues ?? []) {
    const node = byId.get(nodeId ?? '');
    const place = node?.data?.get('title')?.range ?? node?.range ?? flow.root.keyRange('workflow');
    yield {
      ...(place ?? { start: 0, end: Math.min(flow.text.length, 1) }),
      ...{ severity, message: l10n.t('The platform: {0}', inline(message)) },
    };
  }
}

function* syntaxProblems({ frame, frameProblems, root, text }: Flow): Iterable<FlowProblem> {
  const start = { start: 0, end: Math.min(text.length, 1) };
  for (const problem of frameProblems) yield error(problem, syntaxMessage(problem.message));
  if (frame.refused) yield error(start, refusedMessage(frame.refused));
  else if (!root?.isObject() && frameProblems.length === 0) {
    yield error(start, l10n.t('This is not the DSL of an app: it is not a YAML mapping.'));
  }
}

function* headProblems(flow: Flow, root: FlowValue): Iterable<FlowProblem> {
  if (!root.isObject()) return;
  const top = { start: 0, end: Math.min(flow.text.length, 1) };
  const version = root.get('version');
  const written = version?.text();
  if (!version || written === undefined) {
    yield warning(top, l10n.t('The DSL version is missing. The platform reads it as 0.1.0.'));
  } else if (!version.isText()) {
    yield error(
      version.range,
      l10n.t("The version must be text. Write '{0}' with quotes.", inline(written, 40)),
    );
  } else if (!versionPattern.test(written)) {
    yield error(version.range, l10n.t('"{0}" is not a DSL version.', inline(written, 40)));
  } else if (isNewerVersion(written, knownVersion)) {
    yield warning(
      version.range,
      l10n.t(
        'DSL version {0} is newer than {1}; the platform may ask to confirm the import.',
        written,
        knownVersion,
      ),
    );
  }
  const app = root.get('app');
  if (!app?.isObject()) {
    yield error(app?.range ?? top, l10n.t('The part "app" is missing.'));
    return;
  }
  const mode = modeOf(flow);
  if (!isFlowMode(mode)) {
    const message = l10n.t(
      'Only workflows and chatflows can be pushed; the mode is "{0}".',
      inline(mode ?? '', 40),
    );
    yield error(app.get('mode')?.range ?? app.range, message);
    return;
  }
  if (!root.get('workflow')?.get('graph')) {
    yield error(root.keyRange('workflow') ?? top, l10n.t('The part "workflow.graph" is missing.'));
  } else if (!flow.nodes.some(({ type }) => type === 'start' || type.startsWith('trigger-'))) {
    yield error(
      root.keyRange('workflow') ?? top,
      l10n.t('No node starts the flow: a Start or a trigger is missing.'),
    );
  }
}

function* itemProblems({ problems, parsed, range }: GraphItem): Iterable<FlowProblem> {
  for (const problem of problems) yield error(problem, syntaxMessage(problem.message));
  if (parsed?.refused) yield warning(range, refusedMessage(parsed.refused));
}

function* nodeProblems(node: FlowNode, seen: Set<string>): Iterable<FlowProblem> {
  yield* itemProblems(node);
  const { id, data, value } = node;
  if (!value || value.isHidden || data?.isHidden) return;
  if (id === undefined) yield error(node.range, l10n.t('The node has no id.'));
  else if (seen.has(id)) {
    yield error(
      value.get('id')?.range ?? node.range,
      l10n.t('Another node has the id "{0}".', inline(id, 60)),
    );
  } else seen.add(id);
  // Notes on the canvas are nodes without a type of their own.
  const isNote = value.get('type')?.text() === 'custom-note';
  if (node.type === '' && !isNote) yield error(data?.range ?? node.range, l10n.t('The node has no type.'));
}

type Scope = ReadonlyMap<string, { title: string; variables?: ReadonlySet<string> }>;

function scopeOf(flow: Flow, byId: ReadonlyMap<string, FlowNode>): Scope {
  const names = (kind: 'environment' | 'conversation') =>
    new Set(variablesOf(flow, kind).map(({ name }) => name));
  const scope = new Map<string, { title: string; variables?: ReadonlySet<string> }>();
  for (const [id, node] of byId) {
    const variables = outputsOf(node);
    scope.set(id, { title: nodeName(node), ...(variables && { variables }) });
  }
  for (const id of ['sys', 'rag']) scope.set(id, { title: id });
  scope.set('env', { title: l10n.t('the environment'), variables: names('environment') });
  scope.set('conversation', { title: l10n.t('the conversation'), variables: names('conversation') });
  return scope;
}

export function outputsOf(node: FlowNode): ReadonlySet<string> | undefined {
  const { data, type } = node;
  if (!data || data.isHidden) return undefined;
  if (type === 'start') {
    const names = data
      .get('variables')
      ?.items()
      .flatMap((value) => value.get('variable')?.text() ?? []);
    return new Set([...(names ?? []), 'sys']);
  }
  if (type === 'code')
    return new Set([...(data.get('outputs')?.keys() ?? []), 'error_type', 'error_message']);
  if (type === 'template-transform') return new Set(['output', 'error_type', 'error_message']);
  return undefined;
}

function* variableProblems(node: FlowNode, scope: Scope): Iterable<FlowProblem> {
  for (const reference of referencesOf(node)) {
    // In a human input form these are its own fields.
    if (reference.node.startsWith('$')) continue;
    const source = scope.get(reference.node);
    if (source && (!source.variables || source.variables.has(reference.variable))) continue;
    if (source && reference.variable.startsWith('sys')) continue;
    yield error(reference, missingMessage(node, reference, source?.title));
  }
}

function missingMessage(
  node: FlowNode,
  { node: id, variable }: Reference,
  source: string | undefined,
): string {
  return source === undefined
    ? l10n.t('{0} uses the node "{1}", which is not in this file.', nodeName(node), inline(id, 60))
    : l10n.t('{0} uses "{1}", which {2} does not have.', nodeName(node), inline(variable, 60), source);
}

const plainId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function readableDatasets({ type, data }: FlowNode): FlowValue[] {
  if (type !== 'knowledge-retrieval') return [];
  // The platform writes ids encrypted, which only it can read.
  return (
    data
      ?.get('dataset_ids')
      ?.items()
      .filter((value) => plainId.test(value.text() ?? '')) ?? []
  );
}

export function namesDatasets({ nodes }: Flow): boolean {
  return nodes.some((node) => readableDatasets(node).length > 0);
}

function* contentProblems(node: FlowNode, { datasets }: WorkspaceContents): Iterable<FlowProblem> {
  if (!datasets) return;
  for (const value of readableDatasets(node)) {
    const id = value.text() ?? '';
    if (datasets.has(id)) continue;
    yield warning(
      value.range,
      l10n.t('No knowledge base of this connection has the id {0}. The platform ignores it.', id),
    );
  }
}

function* dependencyProblems(root: FlowValue, { missingPlugins }: WorkspaceContents): Iterable<FlowProblem> {
  if (!missingPlugins || missingPlugins.size === 0) return;
  for (const dependency of root.get('dependencies')?.items() ?? []) {
    for (const value of dependency.all()) {
      const name = value.isText() ? (value.text() ?? '') : '';
      if (!missingPlugins.has(name.split(/[:@]/, 1)[0]!)) continue;
      yield warning(value.range, l10n.t('The platform does not have the plugin "{0}".', inline(name, 100)));
    }
  }
}

function syntaxMessage(message: string): string {
  return l10n.t('YAML: {0}', inline(message));
}

function refusedMessage(refused: 'size' | 'depth'): string {
  return refused === 'size' ? l10n.t('Too large to check.') : l10n.t('Nested too deeply to check.');
}

function error({ start, end }: TextRange, message: string): FlowProblem {
  return { start, end, message, severity: 'error' };
}

function warning({ start, end }: TextRange, message: string): FlowProblem {
  return { start, end, message, severity: 'warning' };
}

function isNewerVersion(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  for (let part = 0; part < Math.max(own.length, other.length); part++) {
    const difference = (own[part] ?? 0) - (other[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}
