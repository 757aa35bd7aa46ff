import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ModelOption, Models } from '../shared/transcript.ts';
import { FailureView } from './failure.tsx';
import { Icon, IconButton } from './icon.tsx';
import { groupModels } from './modelGroups.ts';
import { ModelList, optionId } from './modelList.tsx';
import { usePanel } from './panel.ts';
import { useDismissal } from './popupDismissal.ts';

interface Props {
  button: RefObject<HTMLButtonElement | null>;
  close(refocus: boolean): void;
}

/** Filter, list and what can be done with the model that is active in it. */
export function ModelPopup({ button, close }: Props) {
  const { state, post } = usePanel();
  const models = state.models.value;
  const [filter, setFilter] = useState('');
  const groups = useMemo(() => groupModels(models, filter.trim()), [models, filter]);
  const shown = groups.flatMap((group) => group.options);
  const typed = filter.trim();
  // An id that is not listed can still be asked for: not every relay lists what it serves.
  const isListed = !typed || shown.some((one) => [one.id, one.plainId, one.name].includes(typed));
  const unlisted = useMemo(() => (isListed ? [] : unlistedOptions(typed, models.relays)), [isListed, typed]);
  const options: readonly ModelOption[] = [...shown, ...unlisted];
  const [activeId, setActiveId] = useState<string | undefined>(models.selected?.id);
  const active = options.find(({ id }) => id === activeId) ?? options[0];
  const popup = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (models.state === 'none') post({ type: 'loadModels' });
    popup.current?.querySelector('input')?.focus();
  }, []);
  useDismissal(popup, button, close);

  const select = (option: ModelOption) => {
    post({ type: 'selectModel', modelId: option.id });
    close(true);
  };
  const move = (index: number) => setActiveId(options[Math.max(0, Math.min(options.length - 1, index))]?.id);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = active ? options.indexOf(active) : -1;
    const moves: Record<string, number> = {
      ...{ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8, Home: 0 },
      End: options.length - 1,
    };
    const target = moves[event.key];
    if (event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return;
    if (target !== undefined) move(target);
    else if (event.key !== 'Enter') return;
    else if (active) select(active);
    event.preventDefault();
  };

  return (
    <div ref={popup} class="popup" role="dialog" aria-label={l10n.t('Choose a model')}>
      <div class="popup-head">
        <input
          type="search"
          aria-label={l10n.t('Filter models')}
          placeholder={models.options.length ? l10n.t('Filter models') : l10n.t('Type a model id')}
          aria-controls="models"
          aria-activedescendant={active && optionId(active)}
          autocomplete="off"
          spellcheck={false}
          value={filter}
          onInput={(event) => {
            setFilter(event.currentTarget.value);
            // Enter takes the best match, not what was active in another list.
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        {active && !unlisted.includes(active) && <FavouriteButton option={active} />}
        {models.selected && !models.selected.app && (
          <IconButton
            name={l10n.t('Parameters')}
            icon="settings"
            onClick={() => {
              close(false);
              state.parameters.value = undefined;
              state.choiceOpen.value = 'parameters';
            }}
          />
        )}
        <IconButton
          name={l10n.t('Refresh models')}
          icon="refresh"
          disabled={models.state === 'loading'}
          onClick={() => post({ type: 'loadModels' })}
        />
      </div>
      {models.state === 'loading' && (
        <p class="popup-note">
          <Icon name="loading" spin />
          {l10n.t('Loading models…')}
        </p>
      )}
      {models.failure && <FailureView failure={models.failure} />}
      {models.state === 'ready' && !models.options.length && (
        <p class="popup-note">{l10n.t('The relay lists no models. Type the id of one.')}</p>
      )}
      <ModelList groups={groups} unlisted={unlisted} active={active} onSelect={select} />
    </div>
  );
}

/** What was typed, as the id of a model of each relay. */
function unlistedOptions(typed: string, relays: Models['relays']): ModelOption[] {
  if (!relays || typed.startsWith('relay:')) return [{ id: typed, name: typed }];
  return relays.map(({ name: relay, prefix }) => ({ id: prefix + typed, name: typed, relay }));
}

/** The keyboard's way to the stars in the list, which are for the mouse. */
function FavouriteButton({ option }: { option: ModelOption }) {
  const { state, post } = usePanel();
  const isFavourite = state.models.value.favourites.includes(option.id);
  return (
    <IconButton
      name={l10n.t('Favourite: {0}', option.name)}
      aria-pressed={isFavourite}
      icon={isFavourite ? 'star-full' : 'star-empty'}
      onClick={() => post({ type: 'toggleFavourite', modelId: option.id })}
    />
  );
}
