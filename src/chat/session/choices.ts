import type { KnowledgeBase } from '../../tools/knowledge/source.ts';
import type { Parameters } from '../../relay/parameters.ts';
import {
  keyOf,
  type Allowance,
  type GrantHolder,
  type GrantedTool,
  type Permissions,
} from '../calls/grants.ts';
import type { ApprovalLevel, Mode } from '../modes/mode.ts';
import type { SessionState } from './sessionState.ts';

export class Choices implements GrantHolder {
  private readonly granted = new Map<string, GrantedTool>();
  modelBefore: string | undefined;

  constructor(
    private readonly state: SessionState,
    private readonly update: () => Promise<void>,
  ) {
    state.held.onDidChange((change) => {
      if (change.type === 'approvalsSelected' && change.level === 'askFirst') this.granted.clear();
    });
  }

  get model(): string | undefined {
    return this.state.conversation.model ?? this.state.context.defaultModel(this.modelBefore);
  }

  selectModel(modelId: string): void {
    if (modelId !== this.state.conversation.model) this.state.record({ type: 'modelSelected', modelId });
  }

  get modeId(): string {
    return this.state.conversation.modeId ?? this.state.context.modes.defaultId();
  }

  selectMode(modeId: string): void {
    if (modeId !== this.state.conversation.modeId) this.state.record({ type: 'modeSelected', modeId });
  }

  /** "Ask First" also revokes every always-allowed tool, in all windows. */
  selectApprovals(level: ApprovalLevel): void {
    const { approvals, all } = this.state.conversation;
    if (level !== approvals || (level === 'askFirst' && all.length > 0)) {
      this.state.record({ type: 'approvalsSelected', level });
    }
  }

  get permissions(): Permissions {
    const { mode, granted } = this;
    const { approvals } = this.state.conversation;
    return {
      mode,
      approvals,
      granted,
      allow: (allowance) => this.allow(allowance),
      // If other windows' news can't be read, the turn fails at its end.
      refresh: () => this.update().catch(() => undefined),
    };
  }

  revoke(allowance: Allowance): void {
    if (allowance === 'edits') {
      const others = [...this.granted];
      this.selectApprovals('askFirst');
      for (const [key, tool] of others) this.granted.set(key, tool);
    } else this.granted.delete(keyOf(allowance));
    this.state.changes.fire({ type: 'grantsChanged' });
  }

  chooseParameters(parameters: Parameters): void {
    this.state.record({ type: 'parametersChosen', parameters });
  }

  chooseKnowledge(bases: readonly KnowledgeBase[]): void {
    this.state.record({ type: 'knowledgeChosen', bases: bases.map(({ id, name }) => ({ id, name })) });
  }

  /** Records all choices, for windows that load only the end of the file. */
  repeat(): void {
    const { model, modeId, approvals, bases, parameters, all } = this.state.conversation;
    if (all.length === 0) return;
    this.state.record({
      type: 'settingsRepeated',
      approvals,
      bases: [...bases],
      ...(model !== undefined && { modelId: model }),
      ...(modeId !== undefined && { modeId }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
    });
  }

  /** A message's tool list may restrict the mode further. */
  private get mode(): Mode {
    const mode = this.state.context.modes.find(this.modeId);
    const message = this.state.conversation.all.findLast((item) => item.type === 'user');
    return message?.tools ? { ...mode, tools: new Set(message.tools) } : mode;
  }

  private allow(allowance: Allowance): void {
    if (allowance === 'edits') return this.selectApprovals('editsAllowed');
    this.granted.set(keyOf(allowance), allowance);
    this.state.changes.fire({ type: 'grantsChanged' });
  }
}
