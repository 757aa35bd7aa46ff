import * as vscode from 'vscode';
import { createToolBox, type Consent, type ToolBox, type TurnParts } from '../chat/calls/toolBox.ts';
import type { ChatEvent } from '../chat/events.ts';
import { thisWindow } from '../chat/windowMark.ts';
import type { Location } from '../shared/transcript.ts';
import { createToolDependencies, workspaceTools } from '../tools/allTools.ts';
import { findRipgrep } from '../tools/search/ripgrep.ts';
import { defaultTimeoutMs } from '../tools/search/fileSearch.ts';
import { Commands } from '../tools/command/commands.ts';
import { shellName } from '../tools/command/commandProcess.ts';
import { runCommandTool } from '../tools/command/runCommand.ts';
import type { Tool, ToolRule } from '../tools/tool.ts';
import type { ToolDependencies } from '../tools/toolDependencies.ts';
import { ToolSet } from '../tools/toolSet.ts';
import { editorTools } from './editorTools.ts';
import { reportCommand } from './commands/reportCommand.ts';
import { CommandTerminals } from './commands/commandTerminals.ts';
import { canRunCommands, usableTools, type ToolSwitches } from './toolSwitches.ts';
import { watchChanges } from './watchChanges.ts';
import { createVscodeWorkspace } from './vscodeWorkspace.ts';
import type { PolicyGlobs } from './workspaceFiles.ts';
import { toUri } from './workspaceUris.ts';

export interface WorkspaceToolsDependencies {
  /** The script made from `searchWorker.ts`. */
  workerFile: string;
  /** Of the settings. */
  policyGlobs(): PolicyGlobs;
  switches: ToolSwitches;
  /** `switchboard.tools.commands`. */
  commandRules(): Readonly<Record<string, ToolRule>>;
  /** Every key that is kept. */
  secrets(): Promise<readonly string[]>;
  /** Where long outputs of commands are kept. */
  outputFolder: string;
  /** Adds to a conversation, whether it is held open or not. */
  record(conversationId: string, event: ChatEvent): void;
}

/** What models can do in this window's workspace; built when it is first needed. */
export class WorkspaceTools {
  private built: ToolDependencies | undefined;
  private own: readonly Tool[] | undefined;
  private readonly terminals = new CommandTerminals();
  private readonly commands: Commands;

  constructor(private readonly deps: WorkspaceToolsDependencies) {
    const { secrets, outputFolder, record } = deps;
    const view = this.terminals.open.bind(this.terminals);
    this.commands = new Commands({ view, secrets, outputFolder, env: () => process.env });
    this.commands.onDidGoToBackground(({ id, line, conversationId }) => {
      if (conversationId === undefined) return;
      record(conversationId, { type: 'backgroundCommandStarted', id, line, window: thisWindow });
    });
    this.commands.onDidEndInBackground((ended) => {
      const { id, conversationId, report } = ended;
      if (conversationId !== undefined) {
        record(conversationId, { type: 'backgroundCommandEnded', id, report });
      }
      void reportCommand(ended);
    });
  }

  /** Commands end with their window. */
  dispose(): void {
    this.commands.dispose();
    this.terminals.dispose();
  }

  /** What the tools stand on; its file policy is the one for mentions, attachments and uploads too. */
  get dependencies(): ToolDependencies {
    this.built ??= createToolDependencies(
      createVscodeWorkspace(() => this.deps.policyGlobs()),
      {
        workerFile: this.deps.workerFile,
        ripgrep: findRipgrep(vscode.env.appRoot),
        timeoutMs: defaultTimeoutMs,
      },
      (path) => this.commands.output(path),
    );
    return this.built;
  }

  /** What can be called now. Without a folder there is nothing of the workspace to offer. */
  private toolSet(groundingTool: Tool | undefined): ToolSet {
    const hasFolder = Boolean(vscode.workspace.workspaceFolders?.length);
    // Kept, since a schema is made for each tool and this is asked for every call.
    const own = hasFolder ? (this.own ??= this.createOwn()) : [];
    const grounding = groundingTool ? [groundingTool] : [];
    const { switches } = this.deps;
    const { off } = switches;
    const usable = new Set<string>(usableTools());
    const on = [...own, ...grounding].filter(
      ({ name, risk }) => !off.has(name) && usable.has(name) && (risk !== 'command' || canRunCommands()),
    );
    return new ToolSet([...on, ...editorTools(switches)], off);
  }

  private createOwn(): Tool[] {
    const { switches, commandRules } = this.deps;
    const runCommand = runCommandTool({
      policy: this.dependencies.policy,
      commands: this.commands,
      consent: {
        rules: commandRules,
        get remembered() {
          return switches.allowedCommands;
        },
        remember: (beginnings) => switches.allowCommands(beginnings),
      },
      shell: shellName(),
      platform: process.platform,
    });
    return [...workspaceTools(this.dependencies), runCommand];
  }

  /** The tools as the loop runs them. */
  toolBox(consent: Consent, { conversationId, journal, permissions, groundingTool }: TurnParts): ToolBox {
    const failedEdits = new Map<string, number>();
    return createToolBox(
      () => this.toolSet(groundingTool()),
      consent,
      permissions,
      (signal) => ({ signal, journal, conversationId, failedEdits, watchChanges }),
    );
  }

  /** Opens a place that a tool or an answer named, if the file policy lets it. Returns why it could not, if it could not. */
  async open({ path, line, column = 1, endLine }: Location): Promise<string | undefined> {
    const verdict = await this.dependencies.policy.check(path, 'read');
    if (!verdict.isAllowed) return verdict.forUser;
    const first = line === undefined ? undefined : new vscode.Position(line - 1, column - 1);
    const last = endLine === undefined ? first : new vscode.Position(endLine - 1, 0);
    await vscode.window.showTextDocument(toUri(verdict.realPath), {
      preview: true,
      ...(first && { selection: new vscode.Range(first, last ?? first) }),
    });
    return undefined;
  }
}
