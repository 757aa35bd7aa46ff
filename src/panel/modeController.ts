import * as l10n from '@vscode/l10n';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { plural } from '../base/text/format.ts';
import { oneLine } from '../base/text/oneLine.ts';
import { titleOf } from '../chat/calls/grantLabels.ts';
import {
  keyOf,
  ruleOf,
  type GrantedTool,
  type Permissions as ChatPermissions,
} from '../chat/calls/grants.ts';
import type { ChatController } from '../chat/chatController.ts';
import { approvalLevels, isBuiltInModeId, type ApprovalLevel, type Mode } from '../chat/modes/mode.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import { modeNamed, modelNamed, selectMode } from '../chat/modes/selectMode.ts';
import type { ProjectModes } from '../chat/modes/projectModes.ts';
import type { ApprovalOption, Approvals, ModeCommand, ModeOption, Permissions } from '../shared/modes.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { ToolIdentity, ToolRisk, ToolRule } from '../tools/tool.ts';
import type { CommandHandlers } from './commandHandlers.ts';

const longestPrompt = 300;

export interface ActingTool extends GrantedTool {
  readonly risk: ToolRisk;
}

export interface PermissionHost {
  actingTools(): readonly ActingTool[];
  ruleFor(tool: ToolIdentity): ToolRule | undefined;
  onDidChange(listener: () => void): Disposable;
}

export type SayInBox = (text: string, sends: boolean) => void | Promise<unknown>;

export class ModeController implements Disposable {
  private readonly disposables = new DisposableStore();
  private post: PostToPage = () => {};
  private say: SayInBox = () => {};

  constructor(
    private readonly chat: ChatController,
    private readonly modes: ProjectModes,
    private readonly catalog: ModelCatalog,
    private readonly host: PermissionHost,
  ) {
    for (const changed of [modes.onDidChange, chat.onDidChangePermissions, host.onDidChange]) {
      this.disposables.add(changed(() => this.show()));
    }
  }

  listen(post: PostToPage, say: SayInBox): void {
    this.post = post;
    this.say = say;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  state(): Permissions {
    const { chat, modes } = this;
    const mode = modes.find(chat.shown.choices.modeId);
    // The conversation may be older than the mode's removal.
    if (mode.isMissing && !modes.isRead) void modes.refresh();
    const acting = this.host.actingTools();
    return {
      mode: this.toOption(mode),
      handoffs: (mode.handoffs ?? []).map(({ label, agent, prompt, sends }) => ({
        label,
        detail: [
          sends
            ? l10n.t('Switches to {0} and sends a message', oneLine(agent))
            : l10n.t('Switches to {0} and fills the message box', oneLine(agent)),
          oneLine(prompt, longestPrompt),
        ]
          .filter(Boolean)
          .join(': '),
      })),
      modes: modes.all.map((each) => this.toOption(each)),
      approvals: this.approvals(acting, chat.shown.choices.permissions),
      approvalLevels: approvalLevels.map((level) => this.toApprovalOption(acting, level)),
    };
  }

  show(): void {
    this.post({ type: 'permissionsChanged', permissions: this.state() });
  }

  readonly commands: CommandHandlers<ModeCommand> = {
    selectMode: ({ modeId }) => selectMode(this.chat, this.modes, this.catalog, modeId),
    selectApprovals: ({ level }) => this.chat.shown.choices.selectApprovals(level),
    loadModes: () => void this.modes.refresh(),
    startPlan: ({ id }) => this.chat.shown.startPlan(id),
    handOff: ({ index, label }) => this.handOff(index, label),
  };

  /** The file may have changed since the button was shown. */
  private async handOff(index: number, label: string): Promise<void> {
    const { chat, modes, catalog } = this;
    await modes.refresh();
    const handoff = modes.find(chat.shown.choices.modeId).handoffs?.[index];
    const next = handoff && modeNamed(modes, handoff.agent);
    if (handoff?.label !== label || !next)
      throw new Error(l10n.t('"{0}" leads to an agent that is not there. Select a mode instead.', label));
    selectMode(chat, modes, catalog, next.id);
    if (handoff.prompt) await this.say(handoff.prompt, handoff.sends);
  }

  private toOption(mode: Mode): ModeOption {
    const { id, name } = mode;
    const detail = detailOf(mode);
    const problem = this.problemOf(mode);
    return { id, name, ...(detail && { detail }), ...(problem && { problem }) };
  }

  /** Describes what runs without asking, by the tool box's own rule. */
  private approvals(
    acting: readonly ActingTool[],
    permissions: Pick<ChatPermissions, 'approvals' | 'granted'>,
  ): Approvals {
    const { host } = this;
    const isFree = (tool: ActingTool) => ruleOf(tool, host.ruleFor(tool), permissions) === 'allow';
    const edits = acting.filter((tool) => tool.risk === 'edit' && host.ruleFor(tool) !== 'deny');
    const freeEdits = edits.filter(isFree);
    const areEditsFree =
      edits.length > 0 ? freeEdits.length === edits.length : permissions.approvals === 'editsAllowed';
    const areCommandsFree = acting.some((tool) => tool.risk === 'command' && isFree(tool));
    const granted = [...permissions.granted.values()].filter((tool) => host.ruleFor(tool) !== 'deny');
    const single = [...granted, ...acting.filter((tool) => tool.risk !== 'command' && isFree(tool))];
    const titles = new Map(single.map((tool) => [keyOf(tool), oneLine(titleOf(tool))]));
    if (areEditsFree) for (const tool of edits) titles.delete(keyOf(tool));
    const names = [
      areEditsFree && l10n.t('Edits Allowed'),
      areCommandsFree && l10n.t('Commands Allowed'),
      titles.size > 0 &&
        plural(titles.size, l10n.t('1 Tool Allowed'), l10n.t('{0} Tools Allowed', titles.size)),
    ].filter((name) => name !== false);
    const details = [
      areEditsFree && l10n.t('Edits files in the workspace without asking, except protected ones'),
      !areEditsFree && freeEdits.length === 0 && l10n.t('Every edit needs your approval'),
      areCommandsFree && l10n.t('Your settings allow commands'),
      titles.size > 0 && l10n.t('Without asking: {0}', [...titles.values()].join(', ')),
    ].filter((detail) => detail !== false);
    return {
      id: permissions.approvals,
      name: names.join(', ') || l10n.t('Ask First'),
      detail: details.join('. '),
      asksFirst: names.length === 0,
    };
  }

  private toApprovalOption(acting: readonly ActingTool[], id: ApprovalLevel): ApprovalOption {
    const { host, chat } = this;
    const { granted } = chat.shown.choices.permissions;
    const { detail } = this.approvals(acting, {
      approvals: id,
      granted: id === 'askFirst' ? new Map() : granted,
    });
    const asking = acting.filter((tool) => tool.risk === 'edit' && host.ruleFor(tool) === 'ask');
    const isHeld = id === 'editsAllowed' && asking.length > 0;
    return {
      ...{ id, name: id === 'askFirst' ? l10n.t('Ask First') : l10n.t('Edits Allowed'), detail },
      ...(isHeld && {
        problem: l10n.t('Your settings ask first: {0}', asking.map(titleOf).join(', ')),
      }),
    };
  }

  private problemOf({ isMissing, problem, models = [] }: Mode): string | undefined {
    if (isMissing) return this.modes.isRead ? l10n.t('Not found. Only read-only tools run') : undefined;
    const { state, models: listed } = this.catalog.state;
    const isUnlisted = state === 'ready' && models.length > 0 && !modelNamed(models, listed);
    return (
      [problem, isUnlisted && l10n.t('Model not listed: {0}', oneLine(models.join(', ')))]
        .filter(Boolean)
        .join('. ') || undefined
    );
  }
}

function detailOf({ id, description }: Mode): string | undefined {
  if (!isBuiltInModeId(id)) return [oneLine(id), description].filter(Boolean).join(' · ');
  switch (id) {
    case 'ask':
      return l10n.t('Reads files to answer; changes nothing');
    case 'plan':
      return l10n.t('Reads files and writes a plan that you can start');
    case 'agent':
      return l10n.t('Uses all enabled tools');
  }
}
