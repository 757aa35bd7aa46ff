import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import type { ToolCount } from '../../shared/transcript.ts';
import { extensionId } from '../ids.ts';
import type { CommandRule } from '../../tools/command/runCommandTool.ts';
import type { ActingTool } from '../../panel/modeController.ts';
import { findOtherTools, refusalKey, titleWithOwner, type OtherTool } from '../../tools/otherTools.ts';
import {
  actingToolRisks,
  ownToolNames,
  usableToolNames,
  occasionalToolNames,
  type OwnToolName,
} from '../../tools/ownToolNames.ts';
import type { ToolIdentity } from '../../tools/tool.ts';

export interface ToolMemory {
  toolsOff: readonly string[];
  /** Keys of enabled tools of others. */
  editorTools: readonly string[];
  /** Tools of others that only run in the editor's own chat. */
  refusingTools: readonly string[];
  commandRules: readonly CommandRule[];
}

const occasionalTools: ReadonlySet<string> = new Set(occasionalToolNames);

/** Commands need a trusted workspace with a folder on disk. */
export function canRunCommands(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return vscode.workspace.isTrusted && folders.some(({ uri }) => uri.scheme === 'file');
}

export function usableTools(): readonly OwnToolName[] {
  const { workspaceFolders, isTrusted } = vscode.workspace;
  return usableToolNames({ hasFolder: Boolean(workspaceFolders?.length), isTrusted });
}

/** Tools offered to models: own ones unless disabled, others once enabled. */
export class ToolSwitches {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly offered = new Set<string>();

  constructor(
    readonly memory: ToolMemory,
    private readonly isDenied: (tool: ToolIdentity) => boolean,
    private readonly hasKnowledge: () => boolean,
  ) {}

  /** Called when a conversation gets tools that not every one has. */
  offer(tools: readonly ToolIdentity[]): void {
    const added = tools.filter(({ name }) => !this.offered.has(name));
    for (const { name } of added) this.offered.add(name);
    if (added.length > 0) this.changes.fire();
  }

  /** Own tools that can be offered now: search needs a platform, others a skill or a workflow that is a file. */
  own(): OwnToolName[] {
    const isThere = (name: OwnToolName) =>
      (name !== 'search_knowledge' || this.hasKnowledge()) &&
      (name !== 'run_command' || canRunCommands()) &&
      (this.offered.has(name) || !occasionalTools.has(name));
    return usableTools().filter((name) => !this.isDenied({ name }) && isThere(name));
  }

  others(): OtherTool[] {
    const { refusingTools } = this.memory;
    return findOtherTools(vscode.lm.tools, vscode.extensions.all, extensionId).filter(
      (tool) => !this.isDenied(tool) && !refusingTools.includes(refusalKey(tool)),
    );
  }

  acting(): ActingTool[] {
    const { off } = this;
    const own = this.own().flatMap((name): ActingTool[] => {
      const risk = actingToolRisks[name];
      return risk && !off.has(name) ? [{ name, risk }] : [];
    });
    const others = this.others().filter((tool) => this.isOn(tool));
    return [
      ...own,
      ...others.map((tool): ActingTool => {
        const { name, key } = tool;
        return { name, key, risk: 'external', title: titleWithOwner(tool) };
      }),
    ];
  }

  /** Names of all tools, including disabled ones, for files that refer to tools. */
  known(): string[] {
    return [...ownToolNames, ...this.others().map(({ name }) => name)];
  }

  get off(): ReadonlySet<string> {
    return new Set(this.memory.toolsOff);
  }

  isOn({ key }: OtherTool): boolean {
    return this.memory.editorTools.includes(key);
  }

  count(): ToolCount {
    const own = this.own();
    const others = this.others();
    const { off } = this;
    return {
      on: own.filter((name) => !off.has(name)).length + others.filter((tool) => this.isOn(tool)).length,
      total: own.length + others.length,
    };
  }

  get commandRules(): readonly CommandRule[] {
    return canRunCommands() ? this.memory.commandRules : [];
  }

  allowCommand(rule: CommandRule): void {
    this.revokeCommand(rule);
    this.memory.commandRules = [...this.memory.commandRules, rule];
  }

  revokeCommand({ line, folder }: CommandRule): void {
    this.memory.commandRules = this.memory.commandRules.filter(
      (rule) => rule.line !== line || rule.folder !== folder,
    );
  }

  /** Announces a change from outside, such as of trust. */
  changed(): void {
    this.changes.fire();
  }

  refused(tool: OtherTool): void {
    this.memory.refusingTools = [...new Set([...this.memory.refusingTools, refusalKey(tool)])];
    this.changes.fire();
  }
}
