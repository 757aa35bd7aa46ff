import * as l10n from '@vscode/l10n';
import type { Mention } from './mention.ts';

export interface OtherMentions {
  terminal(): { line?: string | undefined; problem?: string | undefined };
  attachTerminal(): Promise<unknown>;
  attachPage(): Promise<unknown>;
}

/** @param isTyped true if a name is typed: what can't be attached is offered then, with the reason */
export function otherMentions(others: OtherMentions, isTyped: boolean): Mention[] {
  const { line, problem } = others.terminal();
  const terminal: Mention = {
    attach: () => others.attachTerminal(),
    kind: 'terminal',
    label: l10n.t('Terminal'),
    detail: line ?? '',
    ...(problem !== undefined && { problem }),
  };
  const page: Mention = {
    attach: () => others.attachPage(),
    kind: 'page',
    label: l10n.t('Web Page'),
    detail: l10n.t('by its address'),
    words: 'url link',
  };
  return [...(problem === undefined || isTyped ? [terminal] : []), page];
}
