import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ModelOption, Models } from '../../shared/transcript.ts';
import { FailureView } from '../controls/failure.tsx';
import { Icon, IconButton } from '../controls/icon.tsx';
import { groupModels } from './modelGroups.ts';
import { ModelOptions, optionId } from './modelOptions.tsx';
import { useFold, type Fold } from './notForChat.tsx';
import { usePanel } from '../state/panel.ts';
import { useDismissal } from './popupDismissal.ts';

interface Props {
  button: RefObject<HTMLButtonElement | null>;
  close(refocus: boolean): void;
}

export function ModelPopup({ button, close }: Props) {
  const { state, post } = usePanel();
  const models = state.models.value;
  const [filter, setFilter] = useState('');
  const typed = filter.trim();
  const all = useMemo(() => groupModels(models, typed), [models, typed]);
  const { groups, fold } = useFold(all, { selected: models.selected, isFiltered: typed !== '' });
  const shown = groups.flatMap((group) => group.options);
  // Not every relay lists all of its models.
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
  const { onKeyDown, onFoldKeyDown, toggle } = listKeys({
    options,
    active,
    fold,
    popup,
    setActiveId,
    select,
  });

  return (
    <div ref={popup} class="popup" role="dialog" aria-label={l10n.t('Choose a model')}>
      <div class="popup-head">
        <input
          type="search"
          aria-label={l10n.t('Filter models')}
          placeholder={models.options.length ? l10n.t('Filter models') : l10n.t('Type a model ID')}
          aria-controls="models"
          aria-activedescendant={active && optionId(active)}
          autocomplete="off"
          spellcheck={false}
          value={filter}
          onInput={(event) => {
            setFilter(event.currentTarget.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <HeadButtons active={active} isListed={!active || !unlisted.includes(active)} close={close} />
      </div>
      <LoadingState models={models} />
      <ModelOptions
        groups={groups}
        unlisted={unlisted}
        active={active}
        fold={fold && { ...fold, toggle }}
        onFoldKeyDown={onFoldKeyDown}
        onSelect={select}
      />
    </div>
  );
}

interface ListKeys {
  options: readonly ModelOption[];
  active: ModelOption | undefined;
  fold: Fold | undefined;
  popup: RefObject<HTMLDivElement | null>;
  setActiveId(id: string | undefined): void;
  select(option: ModelOption): void;
}

/** Arrow keys of the list, which treat the fold button as one of the options. */
function listKeys({ options, active, fold, popup, setActiveId, select }: ListKeys) {
  const move = (index: number) => setActiveId(options[Math.max(0, Math.min(options.length - 1, index))]?.id);
  const foldAt = fold && options.length - (fold.isOpen ? fold.options.length : 0);
  const toggle = () => {
    setActiveId((fold?.isOpen ? options[(foldAt ?? 0) - 1] : fold?.options[0])?.id);
    fold?.toggle();
  };
  const step = (at: number, by: 1 | -1) => {
    if (at + (by + 1) / 2 === foldAt) fold?.button.current?.focus();
    else move(at + by);
  };
  const onFoldKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowDown: foldAt, ArrowUp: (foldAt ?? 0) - 1 }[event.key];
    if (target === undefined || !options[target]) return;
    move(target);
    popup.current?.querySelector('input')?.focus();
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = active ? options.indexOf(active) : -1;
    const moves: Record<string, () => void> = {
      ArrowDown: () => step(at, 1),
      ArrowUp: () => step(at, -1),
      PageDown: () => move(at + 8),
      PageUp: () => move(at - 8),
      Home: () => move(0),
      End: () => move(options.length - 1),
    };
    const movement = moves[event.key];
    if (event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return;
    if (movement) movement();
    else if (event.key !== 'Enter') return;
    else if (active) select(active);
    event.preventDefault();
  };
  return { onKeyDown, onFoldKeyDown, toggle };
}

interface HeadProps extends Pick<Props, 'close'> {
  active: ModelOption | undefined;
  isListed: boolean;
}

function HeadButtons({ active, isListed, close }: HeadProps) {
  const { state, post } = usePanel();
  const models = state.models.value;
  return (
    <>
      {active && isListed && <FavouriteButton option={active} />}
      {active && !active.app && (
        <IconButton
          name={l10n.t('Model Details: {0}', active.name)}
          icon="info"
          onClick={() => {
            close(false);
            post({ type: 'showModelDetails', modelId: active.id });
          }}
        />
      )}
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
        name={l10n.t('Refresh Models')}
        icon="refresh"
        disabled={models.state === 'loading'}
        onClick={() => post({ type: 'loadModels' })}
      />
    </>
  );
}

function LoadingState({ models }: { models: Models }) {
  return (
    <>
      {models.state === 'loading' && (
        <p class="popup-note">
          <Icon name="loading" spin />
          {l10n.t('Loading models…')}
        </p>
      )}
      {models.failure && <FailureView failure={models.failure} />}
      {models.state === 'ready' && !models.options.length && (
        <p class="popup-note">{l10n.t('The relay lists no models. Type a model ID.')}</p>
      )}
    </>
  );
}

function unlistedOptions(typed: string, relays: Models['relays']): ModelOption[] {
  if (!relays || typed.startsWith('relay:')) return [{ id: typed, name: typed }];
  return relays.map(({ name: relay, prefix }) => ({ id: prefix + typed, name: typed, relay }));
}

function FavouriteButton({ option }: { option: ModelOption }) {
  const { state, post } = usePanel();
  const isFavourite = state.models.value.favourites.includes(option.id);
  return (
    <IconButton
      name={l10n.t('Favorite: {0}', option.name)}
      aria-pressed={isFavourite}
      icon={isFavourite ? 'star-full' : 'star-empty'}
      onClick={() => post({ type: 'toggleFavourite', modelId: option.id })}
    />
  );
}
