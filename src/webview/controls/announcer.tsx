import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../state/panel.ts';
import type { AssistantItem } from '../state/items.ts';

const maxLength = 2000;

/** Announces completed answers, pending approvals and attachments; pieces of a growing answer would be repeated. */
export function Announcer() {
  const { state } = usePanel();
  const item = state.finished.value;
  const text = item && !item.end.value?.failure ? textOf(item).slice(0, maxLength) : '';
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

function textOf({ text, pictures }: AssistantItem): string {
  const { length } = pictures.value;
  return length === 0 ? text.value : `${l10n.t('Pictures: {0}', length)}\n\n${text.value}`;
}

function useSpoken(text: string): string {
  const [spoken, setSpoken] = useState({ text: '', words: '' });
  useEffect(() => {
    if (text === '') return undefined;
    let isCurrent = true;
    const show = (words: string) => isCurrent && setSpoken({ text, words });
    import('../markdown/spokenText.ts').then(
      ({ toSpoken }) => show(toSpoken(text)),
      () => show(text),
    );
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return spoken.text === text ? spoken.words : '';
}
