import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import type { FindText, TextFound } from '../../shared/navigation.ts';
import { IconButton } from '../controls/icon.tsx';
import { clearMarks, markFound } from './findMarks.ts';
import { usePanel } from '../state/panel.ts';

export function FindBar() {
  const { state } = usePanel();
  const box = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const { find, outcome } = useTextSearch(box);
  const close = () => {
    state.finding.value = 0;
    state.focusWishes.value++;
  };
  useSignalEffect(() => {
    if (state.finding.value === 0) return;
    box.current?.focus();
    box.current?.select();
  });
  useSignalEffect(() => {
    const opened = state.findOpened.value;
    if (!opened) return;
    state.findOpened.value = undefined;
    setQuery(opened.query);
    find(opened.query, 'nearest', { id: opened.id, nth: 0 });
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
        name={l10n.t('Previous Match')}
        icon="arrow-up"
        disabled={!outcome?.found}
        onClick={() => find(query, 'previous')}
      />
      <IconButton
        name={l10n.t('Next Match')}
        icon="arrow-down"
        disabled={!outcome?.found}
        onClick={() => find(query, 'next')}
      />
      <IconButton name={l10n.t('Close')} icon="close" onClick={close} />
    </div>
  );
}

function useTextSearch(box: RefObject<HTMLInputElement | null>) {
  const { state, post } = usePanel();
  const requests = useRef(0);
  const isAsking = useRef(false);
  /** Steps requested during a search; each continues from the previous result. */
  const waiting = useRef<FindText['step'][]>([]);
  const [outcome, setOutcome] = useState<TextFound>();

  const find = (text: string, step: FindText['step'], from: FindText['from'] = outcome?.found) => {
    if (step !== 'nearest' && isAsking.current) return void waiting.current.push(step);
    if (step === 'nearest') waiting.current = [];
    isAsking.current = text !== '';
    if (text === '') {
      requests.current++;
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
  useSignalEffect(() => {
    const answer = state.textFound.value;
    if (!isAsking.current || answer?.requestId !== requests.current) return;
    isAsking.current = false;
    setOutcome(answer);
    const { found } = answer;
    const next = waiting.current.shift();
    if (!found) {
      waiting.current = [];
      return clearMarks();
    }
    const text = box.current?.value ?? '';
    if (next) find(text, next, found);
    const show = (entry: HTMLElement) => markFound(entry, text, found.nth);
    state.sought.value = { index: found.index, id: found.id, show };
  });
  return { find, outcome };
}
