import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from './panel.ts';

/** Read out at most: a long answer is better read in the conversation, at the reader's own pace. */
const maxLength = 2000;

/**
 * Reads an answer out once it is complete, what needs approval, and what was attached. The conversation itself is not
 * announced while it grows, since its pieces would be read over and over.
 */
export function Announcer() {
  const { state } = usePanel();
  const item = state.finished.value;
  const text = item && !item.end.value?.failure ? item.text.value.slice(0, maxLength) : '';
  const spoken = useSpoken(text);
  const asking = useComputed(() =>
    state.items.value.flatMap((each) => {
      const { question, name, message } = each.type === 'tool' ? each.entry.value : {};
      return question
        ? [{ id: each.id, text: l10n.t('{0} needs approval: {1}', name ?? '', message ?? '') }]
        : [];
    }),
  );
  return (
    <div class="sr-only" aria-live="polite">
      <div>{spoken && l10n.t('{0} answered: {1}', item?.model ?? '', spoken)}</div>
      {asking.value.map(({ id, text: question }) => (
        <div key={id}>{question}</div>
      ))}
      <div>{state.attachmentNews.value}</div>
    </div>
  );
}

/** A text without the signs of Markdown, as soon as what reads it is loaded. */
function useSpoken(text: string): string {
  const [spoken, setSpoken] = useState({ text: '', words: '' });
  useEffect(() => {
    if (text === '') return undefined;
    let isCurrent = true;
    const show = (words: string) => isCurrent && setSpoken({ text, words });
    import('./markdown/spoken.ts').then(
      ({ toSpoken }) => show(toSpoken(text)),
      () => show(text),
    );
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return spoken.text === text ? spoken.words : '';
}
