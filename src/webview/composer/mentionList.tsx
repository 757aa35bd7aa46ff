import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { MentionOption } from '../../shared/attachments.ts';
import { attachmentIcons } from './attachments.tsx';
import { Icon } from '../controls/icon.tsx';
import { mentionListId, mentionNoteId, mentionOptionId, type MentionTyping } from './mentionTyping.ts';

export function MentionList({ typing }: { typing: MentionTyping }) {
  const open = typing.open.value;
  const active = open?.options[open.active];
  useEffect(() => {
    if (active) document.getElementById(mentionOptionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active?.id]);
  if (!open || (!active && !open.note)) return null;
  return (
    <div class="popup mention-popup">
      {active && (
        <div id={mentionListId} class="mention-list" role="listbox" aria-label={l10n.t('Mentions')}>
          {open.options.map((option) => (
            <Option key={option.id} option={option} isActive={option === active} typing={typing} />
          ))}
        </div>
      )}
      {open.note && (
        <p id={mentionNoteId} class="mention-note">
          {open.note}
        </p>
      )}
    </div>
  );
}

function Option({
  option,
  isActive,
  typing,
}: {
  option: MentionOption;
  isActive: boolean;
  typing: MentionTyping;
}) {
  const { kind, label, detail, problem } = option;
  return (
    <div
      id={mentionOptionId(option)}
      class={`option mention${isActive ? ' active' : ''}${problem ? ' refused' : ''}`}
      role="option"
      aria-selected={isActive}
      title={problem ?? [detail, label].filter(Boolean).join('/')}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => typing.choose(option)}
    >
      <Icon name={problem ? 'circle-slash' : attachmentIcons[kind]} />
      <span class="mention-label">{label}</span>
      <span class="mention-detail">{problem ?? detail}</span>
    </div>
  );
}
