import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import type { Version } from '../../shared/transcript.ts';
import { IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';

export function Versions({ id, version }: { id: string; version: Version }) {
  const { state, post } = usePanel();
  const group = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    // The pressed button was part of the entry that this one replaces.
    const direction = state.versionWish;
    state.versionWish = undefined;
    if (!direction) return;
    const [previous, next] = group.current?.querySelectorAll('button') ?? [];
    const [pressed, other] = direction === 'previous' ? [previous, next] : [next, previous];
    (pressed?.disabled ? other : pressed)?.focus();
  }, [state]);
  const { number, count } = version;
  const isBusy = state.status.value.type !== 'idle';
  const choose = (direction: 'previous' | 'next') => {
    state.versionWish = direction;
    post({ type: 'chooseVersion', id, direction });
  };
  const place = l10n.t('{0} of {1}', formatNumber(number), formatNumber(count));
  return (
    <span class="versions" role="group" aria-label={l10n.t('Version {0}', place)} ref={group}>
      <IconButton
        name={l10n.t('Previous version')}
        icon="chevron-left"
        disabled={isBusy || number === 1}
        onClick={() => choose('previous')}
      />
      <span>{place}</span>
      <IconButton
        name={l10n.t('Next version')}
        icon="chevron-right"
        disabled={isBusy || number === count}
        onClick={() => choose('next')}
      />
    </span>
  );
}
