import * as l10n from '@vscode/l10n';
import { IconButton } from '../controls/icon.tsx';
import { selectedText } from '../controls/textSelection.ts';
import { usePanel, type Panel } from '../state/panel.ts';

export function QuoteButton({ id, text }: { id: string; text(): string }) {
  const panel = usePanel();
  return <IconButton name={l10n.t('Quote')} icon="quote" onClick={() => quote(panel, id, text())} />;
}

function quote({ state, drafts }: Panel, entryId: string, text: string): void {
  const quoted = (selectedIn(entryId) ?? text).trim().replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '');
  const draft = state.draft.peek().trimEnd();
  const whole = `${draft ? `${draft}\n\n` : ''}${quoted}\n\n`;
  state.draft.value = whole;
  state.typedAtMs = Date.now();
  drafts.changed(whole);
  document.getSelection()?.removeAllRanges();
  state.focusWishes.value++;
}

function selectedIn(entryId: string): string | undefined {
  if (selectedText(document.body)?.id !== entryId) return undefined;
  return document.getSelection()?.toString().trim() || undefined;
}
