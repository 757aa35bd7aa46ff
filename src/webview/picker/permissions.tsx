import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { Icon } from '../controls/icon.tsx';
import { MiddleTruncated } from '../controls/middleTruncation.tsx';
import { usePanel } from '../state/panel.ts';
import { lazyComponent } from '../controls/lazyComponent.tsx';

const ChoicePopup = lazyComponent(() => import('./choicePopup.tsx'), 'ChoicePopup');

const modeIcons: Record<string, string> = { ask: 'question', plan: 'checklist', agent: 'agent' };

export function PermissionButtons() {
  const { state, post } = usePanel();
  const permissions = state.permissions.value;
  if (!permissions || state.models.value.selected?.app !== undefined) return null;
  const { mode, modes, approvals, approvalLevels } = permissions;
  return (
    <>
      <ChoiceButton
        kind="mode"
        icon={mode.problem ? 'warning' : (modeIcons[mode.id] ?? 'hubot')}
        name={l10n.t('Mode: {0}', mode.name)}
        text={mode.name}
        title={[mode.name, mode.problem ?? mode.detail].filter(Boolean).join(': ')}
        list={l10n.t('Modes')}
        options={modes}
        selectedId={mode.id}
        onSelect={(modeId) => post({ type: 'selectMode', modeId })}
        onOpen={() => post({ type: 'loadModes' })}
      />
      <ChoiceButton
        kind="approvals"
        icon={approvals.asksFirst ? 'shield' : 'pass'}
        name={l10n.t('Approvals: {0}', approvals.name)}
        text={approvals.name}
        title={`${approvals.name}: ${approvals.detail}`}
        list={l10n.t('Approvals')}
        options={approvalLevels}
        selectedId={approvals.id}
        onSelect={(id) => {
          const level = approvalLevels.find((each) => each.id === id);
          if (level) post({ type: 'selectApprovals', level: level.id });
        }}
      />
    </>
  );
}

interface ChoiceButtonProps {
  kind: 'mode' | 'approvals';
  icon: string;
  name: string;
  text: string;
  title: string;
  list: string;
  options: readonly { id: string; name: string; detail?: string | undefined; problem?: string | undefined }[];
  selectedId: string;
  onSelect(id: string): void;
  onOpen?(): void;
}

function ChoiceButton({
  kind,
  icon,
  name,
  text,
  title,
  list,
  options,
  selectedId,
  onSelect,
  onOpen,
}: ChoiceButtonProps) {
  const { state } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const open = state.choiceOpen.value === kind;
  const close = (refocus: boolean) => {
    if (state.choiceOpen.peek() === kind) state.choiceOpen.value = undefined;
    if (refocus) state.focusWishes.value++;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`icon-button choice-button ${kind}-button`}
        aria-label={name}
        aria-haspopup="listbox"
        aria-expanded={open}
        title={title}
        onClick={() => {
          state.choiceOpen.value = open ? undefined : kind;
          if (!open) onOpen?.();
        }}
      >
        <Icon name={icon} />
        <MiddleTruncated class="choice-text" name={text} />
      </button>
      {open && (
        <ChoicePopup
          button={button}
          list={list}
          options={options}
          selectedId={selectedId}
          onSelect={onSelect}
          close={close}
        />
      )}
    </>
  );
}
