import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { ChatController } from '../chat/chatController.ts';
import { approvalLevels, isBuiltInModeId, type ApprovalLevel, type Mode } from '../chat/modes/mode.ts';
import type { ProjectModes } from '../chat/modes/projectModes.ts';
import type { ApprovalOption, ModeCommand, ModeOption, Permissions } from '../shared/modes.ts';
import type { PostToPage } from '../shared/protocol.ts';

/** The panel's half of what models may do: the mode and the approvals of the conversation that is shown. */
export class ModeController implements Disposable {
  private readonly disposables = new DisposableStore();
  private post: PostToPage = () => {};

  constructor(
    private readonly chat: ChatController,
    private readonly modes: ProjectModes,
    /** The setting that says in which mode conversations begin has changed. */
    onDidChangeDefault: (listener: () => void) => Disposable,
  ) {
    this.disposables.add(modes.onDidChange(() => this.show()));
    this.disposables.add(onDidChangeDefault(() => this.show()));
  }

  /** Who hears of changes from now on. */
  listen(post: PostToPage): void {
    this.post = post;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  state(): Permissions {
    const { chat, modes } = this;
    return {
      mode: toOption(modes.find(chat.modeId)),
      modes: modes.all.map(toOption),
      approvals: toApprovalOption(chat.conversation.approvals),
      approvalLevels: approvalLevels.map(toApprovalOption),
    };
  }

  show(): void {
    this.post({ type: 'permissionsChanged', permissions: this.state() });
  }

  onMessage(command: ModeCommand): void {
    switch (command.type) {
      case 'selectMode':
        return this.chat.selectMode(command.modeId);
      case 'selectApprovals':
        return this.chat.selectApprovals(command.level);
      case 'loadModes':
        return void this.modes.refresh();
      case 'startPlan':
        return void this.chat.startPlan(command.id);
    }
  }
}

function toOption(mode: Mode): ModeOption {
  const { id, name } = mode;
  const detail = detailOf(mode);
  const problem = mode.isMissing ? l10n.t('Not found. Only tools that read are run') : mode.problem;
  return { id, name, ...(detail && { detail }), ...(problem && { problem }) };
}

function detailOf({ id, description }: Mode): string | undefined {
  if (!isBuiltInModeId(id)) return description;
  switch (id) {
    case 'ask':
      return l10n.t('Reads files to answer; changes nothing');
    case 'plan':
      return l10n.t('Reads files and writes a plan that you can start');
    case 'agent':
      return l10n.t('Calls all tools that are on');
  }
}

function toApprovalOption(id: ApprovalLevel): ApprovalOption {
  const name = id === 'askFirst' ? l10n.t('Ask First') : l10n.t('Edits Allowed');
  const detail =
    id === 'askFirst'
      ? l10n.t('Every edit needs your approval')
      : l10n.t('Edits files in the workspace without asking; protected files and other tools still ask');
  return { id, name, detail };
}
