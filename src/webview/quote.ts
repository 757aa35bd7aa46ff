import type { Panel } from './panel.ts';
import { selectedText } from './textSelection.ts';

/** Puts what is selected of an entry, or all of its text, into the message box as a quotation. */
export function quote({ state, drafts }: Panel, entryId: string, text: string): void {
  const quoted = (selectedIn(entryId) ?? text).trim().replaceAll(/^/gm, '> ').replaceAll(/ +$/gm, '');
  const draft = state.draft.peek().trimEnd();
  const whole = `${draft ? `${draft}\n\n` : ''}${quoted}\n\n`;
  state.draft.value = whole;
  state.typedAtMs = Date.now();
  drafts.changed(whole);
  // The caret is to stand below it.
  document.getSelection()?.removeAllRanges();
  state.focusWishes.value++;
}

function selectedIn(entryId: string): string | undefined {
  if (selectedText(document.body)?.id !== entryId) return undefined;
  return document.getSelection()?.toString().trim() || undefined;
}
