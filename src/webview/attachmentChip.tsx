import * as l10n from '@vscode/l10n';
import type { AttachmentChip } from '../shared/attachments.ts';
import { attachmentIcons } from './attachmentIcons.ts';
import { ChipLabel } from './chipLabel.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';
import { part } from './part.tsx';

const Thumbnail = part(async () => (await import('./thumbnail.tsx')).Thumbnail);

interface Props {
  chip: AttachmentChip;
  /** Absent for what was sent. */
  onRemove?(): void;
}

/** One attachment: what it is, how large, what is wrong with it, and how to be rid of it. */
export function Chip({ chip, onRemove }: Props) {
  const { post } = usePanel();
  const { kind, label, detail, size, tokens, notes, problem, location } = chip;
  const facts = [detail, size, tokens].filter(Boolean);
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
        <ChipLabel label={label} location={location} />
        {facts.length > 0 && (
          <span class="chip-facts" title={facts.join(' · ')}>
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
