import * as vscode from 'vscode';
import { Emitter } from '../base/emitter.ts';
import type { ToolCount } from '../shared/transcript.ts';
import { extensionId } from './ids.ts';
import { findOtherTools, refusalKey, type OtherTool } from '../tools/otherTools.ts';
import { ownToolNames, usableToolNames, type OwnToolName } from '../tools/ownTools.ts';

/** Where the switches are stored. */
export interface ToolMemory {
  /** Own tools that are switched off in this workspace. */
  toolsOff: readonly string[];
  /** Tools of others that are switched on in this workspace. */
  editorTools: readonly string[];
  /** Tools of others that were found to run in the editor's own chat only. */
  refusingTools: readonly string[];
  /** Beginnings of commands that were always allowed in this workspace. */
  allowedCommands: readonly string[];
}

/** Commands run in a folder on a disk, of a workspace that the user trusts. */
export function canRunCommands(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return vscode.workspace.isTrusted && folders.some(({ uri }) => uri.scheme === 'file');
}

/** Own tools that can work in this window's workspace at all. */
export function usableTools(): readonly OwnToolName[] {
  const { workspaceFolders, isTrusted } = vscode.workspace;
  return usableToolNames({ hasFolder: Boolean(workspaceFolders?.length), isTrusted });
}

/** Which tools models are offered: Switchboard's own unless they are switched off, those of others once they are on. */
export class ToolSwitches {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly memory: ToolMemory,
    /** What `switchboard.tools.approval` says. */
    private readonly isDenied: (name: string) => boolean,
    /** Whether a knowledge base is chosen for the open conversation. */
    private readonly hasKnowledge: () => boolean,
  ) {}

  /** Own tools that models could be offered now: without a knowledge base there is none to search. */
  own(): OwnToolName[] {
    const isThere = (name: OwnToolName) =>
      (name !== 'search_knowledge' || this.hasKnowledge()) && (name !== 'run_command' || canRunCommands());
    return usableTools().filter((name) => !this.isDenied(name) && isThere(name));
  }

  /** Tools of others that can be switched on. */
  others(): OtherTool[] {
    const { refusingTools } = this.memory;
    // Those that we offer to others, our models have in a form of their own.
    const others = vscode.extensions.all.filter(({ id }) => id !== extensionId);
    return findOtherTools(vscode.lm.tools, others).filter(
      (tool) => !this.isDenied(tool.name) && !refusingTools.includes(refusalKey(tool)),
    );
  }

  /** Names of all tools, those that are off too: a file of the project names what there is, the user what is on. */
  known(): string[] {
    return [...ownToolNames, ...this.others().map(({ name }) => name)];
  }

  /** Names of own tools that are off. */
  get off(): ReadonlySet<string> {
    return new Set(this.memory.toolsOff);
  }

  isOn({ name }: OtherTool): boolean {
    return this.memory.editorTools.includes(name);
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

  /** What is not there at present keeps its switch. */
  choose(chosen: ReadonlySet<string>): void {
    const own: readonly string[] = this.own();
    const others = this.others().map(({ name }) => name);
    this.memory.toolsOff = [
      ...this.memory.toolsOff.filter((name) => !own.includes(name)),
      ...own.filter((name) => !chosen.has(name)),
    ];
    this.memory.editorTools = [
      ...this.memory.editorTools.filter((name) => !others.includes(name)),
      ...others.filter((name) => chosen.has(name)),
    ];
    this.changes.fire();
  }

  /** Beginnings of commands that run in this workspace without asking. */
  get allowedCommands(): readonly string[] {
    return canRunCommands() ? this.memory.allowedCommands : [];
  }

  allowCommands(beginnings: readonly string[]): void {
    this.memory.allowedCommands = [...new Set([...this.memory.allowedCommands, ...beginnings])];
  }

  /** They ask again. */
  keepOnlyCommands(beginnings: ReadonlySet<string>): void {
    this.memory.allowedCommands = this.memory.allowedCommands.filter((each) => beginnings.has(each));
  }

  /** The user trusts the workspace now. */
  trusted(): void {
    this.changes.fire();
  }

  /** It is not offered again. */
  refused(tool: OtherTool): void {
    this.memory.refusingTools = [...new Set([...this.memory.refusingTools, refusalKey(tool)])];
    this.changes.fire();
  }
}
