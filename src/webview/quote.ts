import type { Panel } from './panel.ts';

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
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const entry = (node: Node | null) =>
    (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-entry-id]');
  const isWithin = [selection.anchorNode, selection.focusNode].every(
    (node) => entry(node)?.dataset.entryId === entryId,
  );
  return isWithin ? selection.toString().trim() || undefined : undefined;
}
