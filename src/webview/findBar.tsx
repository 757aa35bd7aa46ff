import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../base/format.ts';
import type { FindText, TextFound } from '../shared/navigation.ts';
import { IconButton } from './icon.tsx';
import { clearMarks, markFound } from './findMarks.ts';
import { usePanel } from './panel.ts';

/** Finds a text in the whole conversation, also in what the page does not hold. */
export function FindBar() {
  const { state, post } = usePanel();
  const box = useRef<HTMLInputElement>(null);
  const requests = useRef(0);
  const [query, setQuery] = useState('');
  const [outcome, setOutcome] = useState<TextFound>();

  const find = (text: string, step: FindText['step'], from = outcome?.found) => {
    if (text === '') {
      setOutcome(undefined);
      return clearMarks();
    }
    const requestId = ++requests.current;
    post({
      type: 'findText',
      requestId,
      query: text,
      step,
      ...(from && { from: { id: from.id, nth: from.nth } }),
    });
  };
  const close = () => {
    state.finding.value = 0;
    state.focusWishes.value++;
  };
  useSignalEffect(() => {
    const answer = state.textFound.value;
    if (answer?.requestId !== requests.current) return;
    setOutcome(answer);
    const { found } = answer;
    if (!found) return clearMarks();
    const text = box.current?.value ?? '';
    const show = (entry: HTMLElement) => markFound(entry, text, found.nth);
    state.sought.value = { index: found.index, id: found.id, show };
  });
  // Asked for again while it is open: what is typed is typed over.
  useSignalEffect(() => {
    if (state.finding.value === 0) return;
    box.current?.focus();
    box.current?.select();
  });
  useEffect(() => clearMarks, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'F3') find(query, event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isNone = outcome !== undefined && outcome.total === 0;
  return (
    <div class="find-bar" role="search" aria-label={l10n.t('Find in conversation')} onKeyDown={onKeyDown}>
      <input
        ref={box}
        type="text"
        class={isNone ? 'none' : ''}
        aria-label={l10n.t('Find in conversation')}
        placeholder={l10n.t('Find')}
        value={query}
        onInput={({ currentTarget: { value } }) => {
          setQuery(value);
          find(value, 'nearest');
        }}
      />
      <span class="find-count" role="status">
        {isNone && l10n.t('No results')}
        {outcome?.found &&
          l10n.t('{0} of {1}', formatNumber(outcome.found.number), formatNumber(outcome.total))}
      </span>
      <IconButton
        name={l10n.t('Previous match')}
        icon="arrow-up"
        disabled={!outcome?.found}
        onClick={() => find(query, 'previous')}
      />
      <IconButton
        name={l10n.t('Next match')}
        icon="arrow-down"
        disabled={!outcome?.found}
        onClick={() => find(query, 'next')}
      />
      <IconButton name={l10n.t('Close')} icon="close" onClick={close} />
    </div>
  );
}
