import * as l10n from '@vscode/l10n';
import { inline } from '../../base/text/oneLine.ts';
import { readResult, tellingLine } from '../../tools/command/commandResult.ts';
import type { ToolItem } from '../conversation/items.ts';
import { isCommand } from './callMessage.ts';

export { lastLines, readResult } from '../../tools/command/commandResult.ts';

const longestReason = 100;

export function failureReason(item: ToolItem): string | undefined {
  const { outcome } = item;
  if (outcome?.state !== 'failed' || outcome.note !== undefined) return undefined;
  const parts = isCommand(item) ? commandFailure(outcome.content) : [firstLine(outcome.content)];
  return parts.filter(Boolean).join(l10n.t(', ')) || undefined;
}

function commandFailure(content: string): string[] {
  const { code, signal, isStoppedByUser, output } = readResult(content);
  if (isStoppedByUser) return [l10n.t('stopped in its terminal')];
  if (code === undefined && signal === undefined) return [firstLine(content)];
  const end = code === undefined ? l10n.t('ended by {0}', signal ?? '') : l10n.t('exit {0}', code);
  return [end, inline(tellingLine(output) ?? '', longestReason)];
}

function firstLine(content: string): string {
  return inline(/^\s*(.*?)\.?$/m.exec(content)?.[1] ?? '', longestReason);
}
