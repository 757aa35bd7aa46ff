import * as l10n from '@vscode/l10n';
import { usePanel } from './panel.ts';

/** Read out at most: a long answer is better read in the conversation, at the reader's own pace. */
const maxLength = 2000;

/**
 * Reads an answer out once it is complete, and what was attached. The conversation itself is not announced while it grows, since its
 * pieces would be read over and over.
 */
export function Announcer() {
  const { state } = usePanel();
  const item = state.finished.value;
  const text = item && !item.end.value?.failure ? item.text.value.slice(0, maxLength) : '';
  return (
    <div class="sr-only" aria-live="polite">
      <div>{text && l10n.t('{0} answered: {1}', item?.model ?? '', text)}</div>
      <div>{state.attachmentNews.value}</div>
    </div>
  );
}
