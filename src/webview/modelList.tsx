import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { formatCompact } from '../base/format.ts';
import type { ModelOption } from '../shared/transcript.ts';
import { Icon } from './icon.tsx';
import { MiddleTruncated } from './middleTruncation.tsx';
import { withoutVendor, type ModelGroup } from './modelGroups.ts';
import { usePanel } from './panel.ts';

interface Props {
  groups: readonly ModelGroup[];
  /** What was typed, if it is not the id or name of any model. */
  unlisted: ModelOption | undefined;
  active: ModelOption | undefined;
  onSelect(option: ModelOption): void;
}

/** The element id of an option. */
export function optionId(option: ModelOption): string {
  return `model-${encodeURIComponent(option.id)}`;
}

/** The models by group. It never has the focus: the filter says which option is active. */
export function ModelList({ groups, unlisted, active, onSelect }: Props) {
  useEffect(() => {
    if (active) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active?.id]);
  return (
    <div id="models" class="model-list" role="listbox" aria-label={l10n.t('Models')}>
      {groups.map((group) => (
        <div key={group.kind + group.name} role="group" aria-label={groupName(group)}>
          {/* The group is named by its label; one model without a vendor needs no heading at all. */}
          {group.kind !== 'matches' && (groups.length > 1 || group.kind !== 'others') && (
            <div class="group-name" aria-hidden="true">
              {groupName(group)}
            </div>
          )}
          {group.options.map((option) => (
            <Option
              key={option.id}
              option={option}
              shownName={withoutVendor(option.name, group.kind === 'vendor' ? group.name : undefined)}
              active={option === active}
              onSelect={onSelect}
            />
          ))}
        </div>
      ))}
      {unlisted && <UnlistedOption option={unlisted} active={unlisted === active} onSelect={onSelect} />}
    </div>
  );
}

function groupName({ kind, name }: ModelGroup): string {
  if (kind === 'favourites') return l10n.t('Favourites');
  if (kind === 'apps') return l10n.t('Apps');
  if (kind === 'matches') return l10n.t('Matching models');
  return kind === 'vendor' ? name : l10n.t('Other models');
}

interface OptionProps {
  option: ModelOption;
  /** Its name without what the group's heading says. */
  shownName: string;
  active: boolean;
  onSelect(option: ModelOption): void;
}

function Option({ option, shownName, active, onSelect }: OptionProps) {
  const { state, post } = usePanel();
  const isSelected = state.models.value.selected?.id === option.id;
  const isFavourite = state.models.value.favourites.includes(option.id);
  const { app, contextWindow: window } = option;
  const context =
    app ?? (window === undefined ? l10n.t('context unknown') : l10n.t('{0} context', formatCompact(window)));
  return (
    <div
      id={optionId(option)}
      class={`option${active ? ' active' : ''}${isFavourite ? ' favourite' : ''}`}
      role="option"
      aria-description={context}
      aria-selected={isSelected}
      title={`${app ? option.name : option.id}, ${context}`}
      // The filter keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onSelect(option)}
    >
      <span class="option-check">{isSelected && <Icon name="check" />}</span>
      <MiddleTruncated class="option-name" name={shownName} fullName={option.name} />
      {(app || window !== undefined) && (
        <span class="option-context" aria-hidden="true">
          {app ?? formatCompact(window ?? 0)}
        </span>
      )}
      <span
        class="option-star"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          post({ type: 'toggleFavourite', modelId: option.id });
        }}
      >
        <Icon name={isFavourite ? 'star-full' : 'star-empty'} />
      </span>
    </div>
  );
}

function UnlistedOption({ option, active, onSelect }: Omit<OptionProps, 'shownName'>) {
  return (
    <div
      id={optionId(option)}
      class={active ? 'option active' : 'option'}
      role="option"
      aria-selected={false}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onSelect(option)}
    >
      <span class="option-check">
        <Icon name="add" />
      </span>
      <span class="option-name">{l10n.t('Use "{0}"', option.id)}</span>
    </div>
  );
}
