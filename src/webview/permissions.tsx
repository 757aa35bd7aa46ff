import * as l10n from '@vscode/l10n';
import { useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { usePanel } from './panel.ts';
import { part } from './part.tsx';

/** Loaded when one is first opened. */
const ChoicePopup = part(async () => (await import('./choicePopup.tsx')).ChoicePopup);

const modeIcons: Record<string, string> = { ask: 'question', plan: 'checklist', agent: 'agent' };

/** What models may do in this conversation: how far their calls go, and which edits ask first. */
export function PermissionButtons() {
  const { state, post } = usePanel();
  const permissions = state.permissions.value;
  // Apps use no tools of this workspace.
  if (!permissions || state.models.value.selected?.app !== undefined) return null;
  const { mode, modes, approvals, approvalLevels } = permissions;
  return (
    <div class="permission-buttons">
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
        icon={approvals.id === 'askFirst' ? 'shield' : 'pass'}
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
    </div>
  );
}

interface ChoiceButtonProps {
  kind: 'mode' | 'approvals';
  icon: string;
  name: string;
  /** Beside the icon, where there is room for it. */
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
        <span class="choice-text">{text}</span>
      </button>
      {open && <ChoicePopup {...{ button, list, options, selectedId, close }} onSelect={onSelect} />}
    </>
  );
}
