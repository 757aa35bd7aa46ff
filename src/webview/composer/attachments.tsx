import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AttachmentChip, AttachmentKind } from '../../shared/attachments.ts';
import { usePanel } from '../state/panel.ts';
import { useRemovalFocus } from '../controls/focus.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { lazyComponent } from '../controls/lazyComponent.tsx';
import type { Location } from '../../shared/code.ts';

export function Attachments() {
  const { box, post } = usePanel();
  const chips = box.attachments.value;
  useAnnouncements(chips);
  const list = useRef<HTMLUListElement>(null);
  const keepFocus = useRemovalFocus(list, chips);

  useLayoutEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [chips.length]);

  const remove = (chip: AttachmentChip, index: number) => {
    keepFocus(index);
    post({ type: 'removeAttachment', id: chip.id });
  };
  return (
    chips.length > 0 && (
      <ul ref={list} class="chips" role="list" aria-label={l10n.t('Attachments')}>
        {chips.map((chip, index) => (
          <Chip key={chip.id} chip={chip} onRemove={() => remove(chip, index)} />
        ))}
      </ul>
    )
  );
}

function useAnnouncements(chips: readonly AttachmentChip[]): void {
  const { state } = usePanel();
  const announced = useRef(new Set<string>());
  useLayoutEffect(() => {
    const fresh = chips.filter(({ size, problem }) => size ?? problem).map((chip) => message(chip));
    const unannounced = fresh.filter((text) => !announced.current.has(text));
    announced.current = new Set(fresh);
    if (unannounced.length > 0) state.attachmentNews.value = unannounced.join(' ');
  }, [chips]);
}

function message({ label, problem }: AttachmentChip): string {
  return problem ? l10n.t('{0} cannot be sent: {1}', label, problem) : l10n.t('Attached: {0}.', label);
}

const Thumbnail = lazyComponent(() => import('../transcript/thumbnail.tsx'), 'Thumbnail');

interface Props {
  chip: AttachmentChip;
  onRemove?(): void;
}

export function Chip({ chip, onRemove }: Props) {
  const { post } = usePanel();
  const { kind, label, detail, size, tokens, notes, problem, location } = chip;
  const facts = [detail, size, tokens].filter(Boolean);
  const title = [location?.path ?? label, ...facts].join(' · ');
  const unpack = () => post({ type: 'unpackAttachment', id: chip.id });
  return (
    <li class={`chip${problem ? ' refused' : ''}`}>
      <div class="chip-line">
        {kind === 'image' && size && !problem ? (
          <Thumbnail id={chip.id} load={{ type: 'loadPicture', id: chip.id }}>
            <Icon name="file-media" />
          </Thumbnail>
        ) : (
          <Icon name={problem ? 'circle-slash' : attachmentIcons[kind]} />
        )}
        <ChipLabel label={label} title={title} location={location} />
        {facts.length > 0 && (
          <span class="chip-facts" title={title}>
            {facts.map((fact, n) => (
              <span key={fact}>{n > 0 ? ` · ${fact}` : fact}</span>
            ))}
          </span>
        )}
        {onRemove && kind === 'text' && (
          <IconButton name={l10n.t('Insert {0} into the message', label)} icon="insert" onClick={unpack} />
        )}
        {onRemove && (
          <IconButton
            class="chip-remove"
            name={l10n.t('Remove {0}', label)}
            icon="close"
            onClick={onRemove}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.key !== 'Delete' && event.key !== 'Backspace') return;
              event.preventDefault();
              onRemove();
            }}
          />
        )}
      </div>
      {problem && <p class="chip-problem">{l10n.t('Not sent: {0}', problem)}</p>}
      {notes.map((note) => (
        <p key={note} class="chip-note">
          {note}
        </p>
      ))}
      {onRemove && chip.isRedacted && (
        <button
          type="button"
          class="link-button"
          aria-label={l10n.t('Send {0} unredacted', label)}
          onClick={() => post({ type: 'releaseSecrets', id: chip.id })}
        >
          {l10n.t('Send Unredacted')}
        </button>
      )}
    </li>
  );
}

interface LabelProps {
  label: string;
  /** All that the chip says: narrow chips leave the rest out. */
  title: string;
  location?: Location | undefined;
}

export function ChipLabel({ label, title, location }: LabelProps) {
  const { post } = usePanel();
  if (!location) {
    return (
      <span class="chip-label" title={title}>
        {label}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="chip-label chip-open"
      title={title}
      onClick={() => post({ type: 'openLocation', location })}
    >
      {label}
    </button>
  );
}

export const attachmentIcons: Record<AttachmentKind | 'prompt', string> = {
  file: 'file',
  folder: 'folder',
  selection: 'list-selection',
  editor: 'go-to-file',
  problems: 'warning',
  changes: 'source-control',
  symbol: 'symbol-method',
  terminal: 'terminal',
  page: 'globe',
  image: 'file-media',
  text: 'note',
  prompt: 'run-all',
};
