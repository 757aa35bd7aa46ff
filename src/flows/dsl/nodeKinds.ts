import * as l10n from '@vscode/l10n';
import { inline } from '../../base/text/oneLine.ts';
import type { FlowNode } from './readFlow.ts';

const kinds: Readonly<Record<string, () => string>> = {
  start: () => l10n.t('Start'),
  end: () => l10n.t('Output'),
  answer: () => l10n.t('Answer'),
  llm: () => 'LLM',
  'knowledge-retrieval': () => l10n.t('Knowledge Retrieval'),
  'question-classifier': () => l10n.t('Question Classifier'),
  'if-else': () => l10n.t('If/Else'),
  iteration: () => l10n.t('Iteration'),
  loop: () => l10n.t('Loop'),
  code: () => l10n.t('Code'),
  'template-transform': () => l10n.t('Template'),
  'variable-aggregator': () => l10n.t('Variable Aggregator'),
  assigner: () => l10n.t('Variable Assigner'),
  'parameter-extractor': () => l10n.t('Parameter Extractor'),
  'document-extractor': () => l10n.t('Document Extractor'),
  'list-operator': () => l10n.t('List Operator'),
  'http-request': () => l10n.t('HTTP Request'),
  'human-input': () => l10n.t('Human Input'),
  tool: () => l10n.t('Tool'),
  agent: () => l10n.t('Agent'),
  'trigger-schedule': () => l10n.t('Schedule Trigger'),
  'trigger-webhook': () => l10n.t('Webhook Trigger'),
  'trigger-plugin': () => l10n.t('Plugin Trigger'),
};

export const nodeTypes: readonly string[] = Object.keys(kinds);

export function kindOf(type: string): string {
  return (Object.hasOwn(kinds, type) && kinds[type]?.()) || inline(type, 40) || l10n.t('Node');
}

export function nodeName(node: FlowNode): string {
  return l10n.t('{0} "{1}"', kindOf(node.type), inline(node.title, 60));
}
