import { assertNever } from '../base/assertNever.ts';
import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { ChatController } from '../chat/chatController.ts';
import { approvalLevels, isBuiltInModeId, type ApprovalLevel, type Mode } from '../chat/modes/mode.ts';
import { modelNamed } from '../chat/modes/modelNamed.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import { selectMode } from '../chat/modes/selectMode.ts';
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
    private readonly catalog: ModelCatalog,
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
    const mode = modes.find(chat.modeId);
    // Of a conversation from before.
    if (mode.isMissing && !modes.isRead) void modes.refresh();
    return {
      mode: this.toOption(mode),
      modes: modes.all.map((each) => this.toOption(each)),
      approvals: toApprovalOption(chat.conversation.approvals),
      approvalLevels: approvalLevels.map(toApprovalOption),
    };
  }

  show(): void {
    this.post({ type: 'permissionsChanged', permissions: this.state() });
  }

  /** A rejection is for the user. */
  async onMessage(command: ModeCommand): Promise<void> {
    switch (command.type) {
      case 'selectMode':
        return selectMode(this.chat, this.modes, this.catalog, command.modeId);
      case 'selectApprovals':
        return this.chat.selectApprovals(command.level);
      case 'loadModes':
        return void this.modes.refresh();
      case 'startPlan':
        return void (await this.chat.startPlan(command.id));
      default:
        return assertNever(command);
    }
  }

  private toOption(mode: Mode): ModeOption {
    const { id, name } = mode;
    const detail = detailOf(mode);
    const problem = this.problemOf(mode);
    return { id, name, ...(detail && { detail }), ...(problem && { problem }) };
  }

  private problemOf({ isMissing, problem, models = [] }: Mode): string | undefined {
    if (isMissing) return this.modes.isRead ? l10n.t('Not found. Only tools that read are run') : undefined;
    const { state, models: listed } = this.catalog.state;
    const isUnlisted = state === 'ready' && models.length > 0 && !modelNamed(models, listed);
    return (
      [problem, isUnlisted && l10n.t('Model not listed: {0}', models.join(', '))]
        .filter(Boolean)
        .join('. ') || undefined
    );
  }
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
