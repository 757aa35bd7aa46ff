import * as vscode from 'vscode';
import { createToolBox, type Consent, type ToolBox, type TurnParts } from '../chat/calls/toolBox.ts';
import type { Location } from '../shared/transcript.ts';
import { createToolDependencies, workspaceTools } from '../tools/allTools.ts';
import { findRipgrep } from '../tools/search/ripgrep.ts';
import { defaultTimeoutMs } from '../tools/search/fileSearch.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolDependencies } from '../tools/toolDependencies.ts';
import { ToolSet } from '../tools/toolSet.ts';
import { editorTools } from './editorTools.ts';
import type { ToolSwitches } from './toolSwitches.ts';
import { createVscodeWorkspace } from './vscodeWorkspace.ts';
import type { PolicyGlobs } from './workspaceFiles.ts';
import { toUri } from './workspaceUris.ts';

export interface WorkspaceToolsDependencies {
  /** The script made from `searchWorker.ts`. */
  workerFile: string;
  /** Of the settings. */
  policyGlobs(): PolicyGlobs;
  switches: ToolSwitches;
}

/** What models can do in this window's workspace; built when it is first needed. */
export class WorkspaceTools {
  private built: ToolDependencies | undefined;
  private own: readonly Tool[] | undefined;

  constructor(private readonly deps: WorkspaceToolsDependencies) {}

  /** What the tools stand on; its file policy is the one for mentions, attachments and uploads too. */
  get needs(): ToolDependencies {
    this.built ??= createToolDependencies(
      createVscodeWorkspace(() => this.deps.policyGlobs()),
      {
        workerFile: this.deps.workerFile,
        ripgrep: findRipgrep(vscode.env.appRoot),
        timeoutMs: defaultTimeoutMs,
      },
    );
    return this.built;
  }

  /** What can be called now. Without a folder there is nothing of the workspace to offer. */
  private toolSet(groundingTool: Tool | undefined): ToolSet {
    const hasFolder = Boolean(vscode.workspace.workspaceFolders?.length);
    // Kept, since a schema is made for each tool and this is asked for every call.
    const own = hasFolder ? (this.own ??= workspaceTools(this.needs)) : [];
    const grounding = groundingTool ? [groundingTool] : [];
    const { switches } = this.deps;
    const { off } = switches;
    const on = [...own, ...grounding].filter(({ name }) => !off.has(name));
    return new ToolSet([...on, ...editorTools(switches)], off);
  }

  /** The tools as the loop runs them. */
  toolBox(consent: Consent, { journal, permissions, groundingTool }: TurnParts): ToolBox {
    return createToolBox(
      () => this.toolSet(groundingTool()),
      consent,
      permissions,
      (signal) => ({ signal, journal }),
    );
  }

  /** Opens a place that a tool or an answer named, if the file policy lets it. Returns why it could not, if it could not. */
  async open({ path, line, column = 1, endLine }: Location): Promise<string | undefined> {
    const verdict = await this.needs.policy.check(path, 'read');
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
