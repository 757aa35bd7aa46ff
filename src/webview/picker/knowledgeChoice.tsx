import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';
import { useRemovalFocus } from '../controls/focus.ts';

export function KnowledgeButton() {
  const { state, post } = usePanel();
  const { isConnected, chosen } = state.knowledge.value;
  const isApp = state.models.value.selected?.app !== undefined;
  const description = isApp
    ? l10n.t('Applies to models only. Apps use their own knowledge')
    : !isConnected
      ? l10n.t('Connect a platform to ground answers in your knowledge bases')
      : chosen.length === 0
        ? l10n.t('Choose knowledge bases to ground answers in')
        : l10n.t('Knowledge bases chosen: {0}', chosen.length);
  return (
    <IconButton
      class="counted"
      name={l10n.t('Knowledge')}
      icon="library"
      data-count={isApp ? undefined : chosen.length || undefined}
      aria-disabled={isApp}
      aria-description={description}
      title={description}
      onClick={() => !isApp && post({ type: 'chooseKnowledge' })}
    />
  );
}

export function KnowledgeChips() {
  const { state, post } = usePanel();
  const { chosen } = state.knowledge.value;
  const list = useRef<HTMLUListElement>(null);
  const keepFocus = useRemovalFocus(list, chosen);
  if (chosen.length === 0 || state.models.value.selected?.app) return null;
  return (
    <ul ref={list} class="chips" role="list" aria-label={l10n.t('Knowledge bases')}>
      {chosen.map(({ id, name }, index) => {
        const remove = () => {
          keepFocus(index);
          post({ type: 'removeKnowledge', id });
        };
        return (
          <li key={id} class="chip">
            <div class="chip-line">
              <Icon name="library" />
              <span class="chip-label" title={name}>
                {name}
              </span>
              <IconButton
                class="chip-remove"
                name={l10n.t('Remove {0}', name)}
                icon="close"
                onClick={remove}
                onKeyDown={(event: KeyboardEvent) => {
                  if (event.key !== 'Delete' && event.key !== 'Backspace') return;
                  event.preventDefault();
                  remove();
                }}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
