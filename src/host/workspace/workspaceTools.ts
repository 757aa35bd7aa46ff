import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Consent, createToolBox, type ToolBox, type TurnParts } from '../../chat/calls/toolBox.ts';
import type { ChatEvent } from '../../chat/store/events.ts';
import type { Mode } from '../../chat/modes/mode.ts';
import { readAgents } from '../../chat/project/agentFiles.ts';
import { type PromptFile, readPrompts } from '../../chat/project/promptFiles.ts';
import { thisWindow } from '../../chat/session/windowMark.ts';
import type { PathsFound } from '../../shared/code.ts';
import type { Location } from '../../shared/transcript.ts';
import { createToolDependencies, workspaceTools } from '../../tools/allTools.ts';
import { readSkills, type Skill, skillFolders } from '../../tools/skills/skills.ts';
import { filesOfUser, userFolders } from '../../tools/files/filesOfUser.ts';
import { findRipgrep } from '../../tools/search/ripgrep.ts';
import { defaultTimeoutMs } from '../../tools/search/fileSearch.ts';
import { Commands } from '../../tools/command/commands.ts';
import { shellName } from '../../tools/command/commandProcess.ts';
import { runCommandTool } from '../../tools/command/runCommandTool.ts';
import type { ChangeWatch, Tool, ToolRule } from '../../tools/tool.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { ToolSet } from '../../tools/toolSet.ts';
import { editorTools } from '../tools/editorTools.ts';
import { CommandTerminals, reportCommand } from '../commands/commandTerminals.ts';
import { canRunCommands, type ToolSwitches, usableTools } from '../tools/toolSwitches.ts';
import { createVscodeWorkspace, type PolicyGlobs } from './vscodeWorkspace.ts';
import { toPath, toUri } from './workspacePlaces.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface WorkspaceToolsDependencies {
  workerFile: string;
  policyGlobs(): PolicyGlobs;
  switches: ToolSwitches;
  commandRules(): Readonly<Record<string, ToolRule>>;
  secrets(): Promise<readonly string[]>;
  outputFolder: string;
  /** The user's profile keeps prompt files there. */
  promptsFolder: string;
  record(conversationId: string, event: ChatEvent): void;
  notifications: Notifications;
}

/** Further paths are only counted. */
const mostPaths = 200;

/** Delay of the editor's file events, in ms. */
const lateMs = 500;

export class WorkspaceTools {
  private built: ToolDependencies | undefined;
  private own: readonly Tool[] | undefined;
  private runs: Tool | undefined;
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
      void reportCommand(deps.notifications, ended);
    });
  }

  dispose(): void {
    this.commands.dispose();
    this.terminals.dispose();
  }

  /** Dependencies of tools. Mentions, attachments and uploads share the file policy. */
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

  private toolSet(more: readonly Tool[]): ToolSet {
    const hasFolder = Boolean(vscode.workspace.workspaceFolders?.length);
    // Cached: called for every call, and each tool creates a schema.
    const own = hasFolder ? (this.own ??= this.createOwn()) : [];
    const { switches } = this.deps;
    const { off } = switches;
    const usable = new Set<string>(usableTools());
    const on = [...own, ...more].filter(
      ({ name, risk }) => !off.has(name) && usable.has(name) && (risk !== 'command' || canRunCommands()),
    );
    return new ToolSet([...on, ...editorTools(switches)], off);
  }

  private createOwn(): Tool[] {
    return [...workspaceTools(this.dependencies), this.runCommand];
  }

  /** Runs commands of models and, with the same rules, those of code blocks that the user chose to run. */
  get runCommand(): Tool {
    const { switches, commandRules } = this.deps;
    return (this.runs ??= runCommandTool({
      policy: this.dependencies.policy,
      files: this.dependencies.workspace.files,
      commands: this.commands,
      consent: {
        rules: commandRules,
        get remembered() {
          return switches.commandRules;
        },
        remember: (rule) => switches.allowCommand(rule),
      },
      shell: shellName(),
      platform: process.platform,
    }));
  }

  /** The stored keys, which no model may read. */
  secrets(): Promise<readonly string[]> {
    return this.deps.secrets();
  }

  prompts(knownTools: readonly string[]): Promise<PromptFile[]> {
    const folder = this.deps.promptsFolder.replaceAll('\\', '/');
    const ofUser = filesOfUser(this.dependencies, { [l10n.t('your profile')]: folder });
    return readPrompts(this.dependencies, ofUser, knownTools);
  }

  agents(knownTools: readonly string[]): Promise<Mode[]> {
    const ofUser = filesOfUser(this.dependencies, userFolders('agents'));
    return readAgents(this.dependencies, ofUser, knownTools);
  }

  skills(): Promise<Skill[]> {
    const ofUser = filesOfUser(this.dependencies, userFolders('skills'));
    return readSkills([
      ...skillFolders.map((folder) => ({ readers: this.dependencies, folder })),
      { readers: ofUser, folder: '' },
    ]);
  }

  toolBox(
    consent: Consent,
    { conversationId, journal, permissions, groundingTool }: TurnParts,
    more: readonly Tool[],
  ): ToolBox {
    this.deps.switches.offer(more);
    const failedEdits = new Map<string, number>();
    return createToolBox(
      () => {
        const grounding = groundingTool();
        return this.toolSet([...(grounding ? [grounding] : []), ...more]);
      },
      consent,
      permissions,
      (signal) => ({ signal, journal, conversationId, failedEdits, watchChanges }),
    );
  }

  async showTerminal(callId: string): Promise<string | undefined> {
    return this.commands.reveal(callId) ? undefined : l10n.t("This command's terminal was closed.");
  }

  /** Tells which paths name files that `open` would open. One run of the policy: folders are judged once. */
  async findFiles(paths: readonly string[]): Promise<PathsFound> {
    const run = this.dependencies.policy.start();
    const found: string[] = [];
    const missing: string[] = [];
    for (const path of paths) {
      const verdict = await run.check(path, 'read');
      const isFile = verdict.isAllowed && verdict.stat?.type === 'file';
      (isFile ? found : missing).push(path);
    }
    return { found, missing };
  }

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

export function watchChanges(): ChangeWatch {
  const paths = new Set<string>();
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const add = (uri: vscode.Uri) => void paths.add(toPath(uri));
  watcher.onDidCreate(add);
  watcher.onDidChange(add);
  watcher.onDidDelete(add);
  return {
    end: () =>
      new Promise((resolve) => {
        setTimeout(() => {
          watcher.dispose();
          const named = [...paths].slice(0, mostPaths);
          resolve({ paths: named, more: paths.size - named.length });
        }, lateMs);
      }),
  };
}
