import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCompact } from '../../base/text/formatUsage.ts';
import type { ModelOption } from '../../shared/transcript.ts';
import { AppIcon } from '../lazyComponents.tsx';
import { Icon } from '../controls/icon.tsx';
import { MiddleTruncated } from '../controls/middleTruncation.tsx';
import { withoutVendor, type ModelGroup } from './modelGroups.ts';
import { type Fold, FoldButton } from './notForChat.tsx';
import { usePanel } from '../state/panel.ts';

interface Props {
  groups: readonly ModelGroup[];
  unlisted: readonly ModelOption[];
  active: ModelOption | undefined;
  fold: Fold | undefined;
  onSelect(option: ModelOption): void;
  onFoldKeyDown(event: KeyboardEvent): void;
}

export function optionId(option: ModelOption): string {
  return `model-${encodeURIComponent(option.id)}`;
}

/** In pixels, as in picker.css. */
const rowHeight = 24;
const visibleRows = 17;
const spareRows = 8;

interface Row {
  group: ModelGroup | undefined;
  option?: ModelOption;
  /** 1-based, among all options. */
  position?: number;
}

interface Run {
  group: ModelGroup | undefined;
  rows: Row[];
}

export function ModelOptions({ groups, unlisted, active, fold, onSelect, onFoldKeyDown }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const rows = useMemo(() => toRows(groups, unlisted), [groups, unlisted]);
  const count = rows.filter(({ option }) => option).length;
  const at = rows.findIndex(({ option }) => option !== undefined && option === active);
  useLayoutEffect(() => {
    const { current: box } = list;
    if (!box || at < 0) return;
    const top = (rows[at - 1]?.option ? at : Math.max(0, at - 1)) * rowHeight;
    const bottom = (at + 1) * rowHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
    setScrolled(Math.floor(box.scrollTop / rowHeight));
  }, [at, rows]);
  const first = Math.max(0, Math.min(scrolled, rows.length - visibleRows) - spareRows);
  const end = Math.min(rows.length, first + visibleRows + 2 * spareRows);
  return (
    <div
      ref={list}
      class="model-list"
      onScroll={(event) => setScrolled(Math.floor(event.currentTarget.scrollTop / rowHeight))}
    >
      <div id="models" role="listbox" aria-label={l10n.t('Models')}>
        <div style={{ height: `${first * rowHeight}px` }} />
        {runsOf(rows.slice(first, end)).map((run) => (
          <RunView
            key={run.group && `${run.group.kind} ${groupName(run.group)}`}
            run={run}
            active={active}
            count={count}
            onSelect={onSelect}
            isFolded={fold?.isOpen === false && run.group?.kind === 'notForChat'}
          />
        ))}
        <div style={{ height: `${(rows.length - end) * rowHeight}px` }} />
      </div>
      {fold && (
        <FoldButton
          fold={fold}
          top={rows.findIndex(({ group }) => group?.kind === 'notForChat') * rowHeight}
          onKeyDown={onFoldKeyDown}
        />
      )}
    </div>
  );
}

interface RunProps extends Pick<Props, 'active' | 'onSelect'> {
  run: Run;
  count: number;
  isFolded: boolean;
}

function RunView({ run: { group, rows }, active, count, isFolded, onSelect }: RunProps) {
  const options = rows.map(
    ({ option, position }) =>
      option && (
        <Option
          key={option.id}
          option={option}
          position={position}
          count={count}
          onSelect={onSelect}
          shownName={withoutVendor(option.name, group?.kind === 'vendor' ? group.name : undefined)}
          relay={group && group.kind !== 'notForChat' ? undefined : option.relay}
          active={option === active}
          isUnlisted={!group}
        />
      ),
  );
  if (!group) return <>{options}</>;
  const name = groupName(group);
  const heading = rows[0]?.option === undefined && (
    <div class="group-name" aria-hidden="true">
      <span>{group.relay}</span>
      <span>{group.relay === undefined ? name : name.slice(group.relay.length)}</span>
    </div>
  );
  return isFolded ? (
    heading || null
  ) : (
    <div role="group" aria-label={name}>
      {heading}
      {options}
    </div>
  );
}

function toRows(groups: readonly ModelGroup[], unlisted: readonly ModelOption[]): Row[] {
  let position = 0;
  const toRow = (group: ModelGroup | undefined, option: ModelOption): Row => ({
    group,
    option,
    position: ++position,
  });
  return [
    ...groups.flatMap((group) => {
      const hasHeading =
        group.kind === 'matches' ? group.relay !== undefined : groups.length > 1 || group.kind !== 'others';
      return [...(hasHeading ? [{ group }] : []), ...group.options.map((option) => toRow(group, option))];
    }),
    ...unlisted.map((option) => toRow(undefined, option)),
  ];
}

function runsOf(rows: readonly Row[]): Run[] {
  const runs: Run[] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last && last.group === row.group) last.rows.push(row);
    else runs.push({ group: row.group, rows: [row] });
  }
  return runs;
}

function groupName({ kind, name, relay }: ModelGroup): string {
  const own = {
    favourites: () => l10n.t('Favorites'),
    recent: () => l10n.t('Recent'),
    apps: () => l10n.t('Apps'),
    matches: () => l10n.t('Matching models'),
    notForChat: () => l10n.t('Not for chat'),
    vendor: () => name,
    others: () => l10n.t('Other models'),
  }[kind]();
  return relay === undefined ? own : `${relay} · ${own}`;
}

interface OptionProps {
  option: ModelOption;
  position: number | undefined;
  count: number;
  shownName: string;
  relay: string | undefined;
  active: boolean;
  isUnlisted: boolean;
  onSelect(option: ModelOption): void;
}

function Option({ option, position, count, shownName, relay, active, isUnlisted, onSelect }: OptionProps) {
  const { state } = usePanel();
  const isSelected = state.models.value.selected?.id === option.id;
  const isFavourite = state.models.value.favourites.includes(option.id);
  const facts = [...(relay === undefined ? [] : [relay]), ...(isUnlisted ? [] : factsOf(option))];
  const id = option.app ? option.name : (option.plainId ?? option.id);
  return (
    <div
      id={optionId(option)}
      class={`option${active ? ' active' : ''}${isFavourite ? ' favourite' : ''}`}
      role="option"
      aria-setsize={count}
      aria-posinset={position}
      aria-description={facts.join(', ') || undefined}
      aria-selected={isSelected}
      title={[id, ...facts].join(', ')}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onSelect(option)}
    >
      <span class="option-check">
        {isUnlisted ? <Icon name="add" /> : isSelected && <Icon name="check" />}
      </span>
      {option.look && <AppIcon look={option.look} />}
      {isUnlisted ? (
        <span class="option-name option-typed">{l10n.t('Use "{0}"', option.name)}</span>
      ) : (
        <MiddleTruncated class="option-name" name={shownName} fullName={option.name} />
      )}
      <span class="option-facts" aria-hidden="true">
        {relay !== undefined && <span class="option-context">{relay}</span>}
        {!isUnlisted && <OptionFacts option={option} />}
      </span>
      {!isUnlisted && <Star option={option} isFavourite={isFavourite} />}
    </div>
  );
}

const capabilities = [
  { name: 'tools', icon: 'tools' },
  { name: 'images', icon: 'file-media' },
  { name: 'reasoning', icon: 'lightbulb' },
] as const;

function OptionFacts({ option }: { option: ModelOption }) {
  const { app, contextWindow } = option;
  const isKnown = capabilities.some(({ name }) => option[name] !== undefined);
  return (
    <>
      {(app || contextWindow !== undefined) && (
        <span class="option-context">{app ?? formatCompact(contextWindow ?? 0)}</span>
      )}
      {isKnown && (
        <span class="option-capabilities">
          {capabilities.map(
            ({ name, icon }) =>
              option[name] !== false && (
                <span
                  key={name}
                  class={option[name] ? undefined : 'unknown'}
                  title={capabilityLabel(name, option[name])}
                >
                  <Icon name={option[name] ? icon : 'question'} />
                </span>
              ),
          )}
        </span>
      )}
    </>
  );
}

/** Nothing is guessed from names, so most models of a relay have unknown capabilities. */
function factsOf(option: ModelOption): string[] {
  const { app, contextWindow } = option;
  if (app) return [app];
  const isKnown = capabilities.some(({ name }) => option[name] !== undefined);
  return [
    contextWindow === undefined
      ? l10n.t('context unknown')
      : l10n.t('{0} context', formatCompact(contextWindow)),
    ...(isKnown
      ? capabilities.map(({ name }) => capabilityLabel(name, option[name]))
      : [l10n.t('capabilities unknown')]),
  ];
}

function capabilityLabel(name: (typeof capabilities)[number]['name'], supports: boolean | undefined): string {
  switch (name) {
    case 'tools':
      return supports === undefined
        ? l10n.t('tool support unknown')
        : supports
          ? l10n.t('tools')
          : l10n.t('no tools');
    case 'images':
      return supports === undefined
        ? l10n.t('image support unknown')
        : supports
          ? l10n.t('images')
          : l10n.t('no images');
    case 'reasoning':
      return supports === undefined
        ? l10n.t('reasoning unknown')
        : supports
          ? l10n.t('reasoning')
          : l10n.t('no reasoning');
  }
}

function Star({ option, isFavourite }: { option: ModelOption; isFavourite: boolean }) {
  const { post } = usePanel();
  return (
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
  );
}
