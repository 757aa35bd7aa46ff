import * as l10n from '@vscode/l10n';
import type { ToldChip } from '../../shared/context.ts';
import { ChipLabel } from './attachments.tsx';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';

export function ContextChips({ told }: { told: readonly ToldChip[] }) {
  return (
    <ul class="chips told" role="list" aria-label={l10n.t('Context')}>
      {told.map((chip) => (
        <Chip key={chip.id} chip={chip} />
      ))}
    </ul>
  );
}

function Chip({ chip }: { chip: ToldChip }) {
  const { post } = usePanel();
  const { id, kind, label, detail, isOn, location } = chip;
  const isEditor = kind === 'activeEditor';
  const said = isOn ? detail : l10n.t('excluded');
  const title = [location?.path ?? label, said].filter(Boolean).join(' · ');
  const name = isOn ? l10n.t('Exclude {0}', label) : l10n.t('Include {0}', label);
  return (
    <li class={`chip${isOn ? '' : ' off'}`}>
      <div class="chip-line">
        <Icon name={isEditor ? 'eye' : 'book'} />
        <ChipLabel label={label} title={title} location={location} />
        <span class="chip-facts" title={title}>
          <span>{said}</span>
        </span>
        {isEditor && isOn && (
          <IconButton
            name={detail ? l10n.t('Add the selection') : l10n.t('Add the content of {0}', label)}
            icon="add"
            onClick={() => post({ type: 'attachActiveEditor' })}
          />
        )}
        <IconButton
          class="chip-remove"
          name={name}
          icon={isOn ? 'close' : 'debug-restart'}
          onClick={() => post({ type: 'switchTold', id, isOn: !isOn })}
        />
      </div>
    </li>
  );
}
