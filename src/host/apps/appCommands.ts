import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RunnableKind } from '../../apps/appKinds.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import type { AppLine } from '../../apps/appTreeNode.ts';
import type { RunResult } from '../../apps/run/performRun.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { hasType } from '../../base/json.ts';
import type { AppHost } from '../../panel/apps/appStart.ts';
import { type AppCommand, type AppTreeCommand, type FlowCommand, commandId } from '../ids.ts';
import { tellError } from '../ui/tellError.ts';
import { skipSetup } from '../window/leadSetup.ts';
import { SignedOutError } from '../../platform/platformErrors.ts';
import { addApp, type FirstUse } from './addApp.ts';
import type { AppCommandContext, AppCommandsDependencies } from './appCommandContext.ts';
import { AudioFiles } from './audioFiles.ts';
import { AppDocuments } from './appDocuments.ts';
import { chooseApp } from './run/chooseApp.ts';
import { readCurrentFile, readSelection } from './run/editorInput.ts';
import { runApp } from './run/runApp.ts';
import type { BatchResult } from './run/runBatch.ts';
import { AppTree } from './tree/appTree.ts';
import { runAppTreeCommand } from './tree/appTreeActions.ts';

export class AppCommands implements Disposable {
  private readonly disposables = new DisposableStore();
  readonly documents = this.disposables.add(new AppDocuments());
  readonly tree: AppTree;
  private readonly context: AppCommandContext;

  constructor(deps: AppCommandsDependencies) {
    this.tree = this.disposables.add(new AppTree(deps.apps, deps.flows));
    const audio = this.disposables.add(new AudioFiles());
    this.context = { ...deps, audio, documents: this.documents, ran: (app) => this.tree.ran(app) };
  }

  run(command: AppCommand, [argument, selected]: readonly unknown[]): Promise<unknown> {
    const uri = argument instanceof vscode.Uri ? argument : undefined;
    return this.showingErrors(() => {
      switch (command) {
        case 'addApp':
          return addApp(this.context, (app) => this.firstUse(app));
        case 'signIn':
        case 'signOut':
        case 'selectWorkspace':
          return this.ofAccount(command, typeof argument === 'string' ? argument : undefined);
        case 'pullWorkflow':
        case 'pullAllWorkflows':
        case 'pullWorkflowWithSecrets':
        case 'compareWorkflow':
        case 'pushWorkflow':
        case 'pushWorkflowAsNew':
        case 'runWorkflowFile':
        case 'fixWorkflowNode':
        case 'publishWorkflow':
        case 'openInConsole':
          return this.ofFlows(command, argument, selected);
        case 'runWorkflow':
          return this.chooseAndRun('workflow', uri);
        case 'runBatch':
          return this.chooseAndRunBatch(urisOf(argument, selected));
        case 'runCompletion':
          return this.chooseAndRun('completion', uri);
        case 'runOnSelection':
          return this.runOnSelection(argument);
        case 'skipSetup':
          return Promise.resolve(skipSetup(this.context.memory));
      }
    });
  }

  runOnTree(command: AppTreeCommand, args: readonly unknown[]): Promise<unknown> {
    return this.showingErrors(() => runAppTreeCommand(command, this.context, this.tree, args));
  }

  async fillRunForm(...[app, runId]: Parameters<AppHost['fillRunForm']>): ReturnType<AppHost['fillRunForm']> {
    const { fillRunForm } = await import('./run/waitingForms.ts');
    return fillRunForm(this.context, app, runId);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async ofAccount(command: 'signIn' | 'signOut' | 'selectWorkspace', address: string | undefined) {
    const account = await import('./signIn.ts');
    switch (command) {
      case 'signIn':
        return address === undefined && !this.context.platforms.baseUrl
          ? vscode.commands.executeCommand(commandId('connectPlatform'))
          : account.signIn(this.context, address);
      case 'signOut':
        return account.signOut(this.context);
      case 'selectWorkspace':
        return account.selectWorkspace(this.context);
    }
  }

  private async ofFlows(command: FlowCommand, argument: unknown, nodeId: unknown): Promise<unknown> {
    const { runFlowCommand } = await import('../flows/flowCommands.ts');
    // Keys give no DSL.
    const line = hasType<AppLine>(argument, ['app']) ? argument : undefined;
    return runFlowCommand(command, this.context, line?.twin ? { ...line, app: line.twin } : argument, nodeId);
  }

  private async chooseAndRun(kind: RunnableKind, uri?: vscode.Uri): Promise<RunResult | undefined> {
    // Read first: the following questions may move the focus.
    const { dependencies } = await this.context.tools();
    const input =
      (await readSelection(this.context.notifications, dependencies)) ??
      (uri && (await readCurrentFile(this.context.notifications, dependencies, uri)));
    const app = await chooseApp(this.context, kind);
    return app && runApp(this.context, app, kind, input);
  }

  private async runOnSelection(appId: unknown): Promise<RunResult | undefined> {
    const { runOnSelection } = await import('./run/pinnedApps.ts');
    return runOnSelection(this.context, appId);
  }

  private async chooseAndRunBatch(uris: readonly vscode.Uri[]): Promise<BatchResult | undefined> {
    const app = await chooseApp(this.context, 'workflow');
    if (!app) return undefined;
    const { runOverRows } = await import('./run/runBatch.ts');
    return runOverRows(this.context, app, uris);
  }

  private firstUse(app: AppRecord): FirstUse {
    const { kind } = app;
    if (kind !== 'workflow' && kind !== 'completion') {
      return {
        label: l10n.t('Open in Chat'),
        run: () => this.showingErrors(() => this.context.openInChat(app)),
      };
    }
    return { label: l10n.t('Run…'), run: () => this.showingErrors(() => runApp(this.context, app, kind)) };
  }

  private async showingErrors(act: () => Promise<unknown>): Promise<unknown> {
    try {
      await this.context.apps.ready;
      return await act();
    } catch (error) {
      tellError(
        this.context.notifications,
        error,
        error instanceof SignedOutError ? this.signInTo(error) : undefined,
      );
      return undefined;
    }
  }

  private signInTo({ baseUrl }: SignedOutError): FirstUse {
    return {
      label: l10n.t('Sign In Again…'),
      run: () => this.showingErrors(() => this.ofAccount('signIn', baseUrl)),
    };
  }
}

function urisOf(argument: unknown, selected: unknown): vscode.Uri[] {
  const all: unknown[] = Array.isArray(selected) && selected.length > 0 ? selected : [argument];
  return all.filter((uri) => uri instanceof vscode.Uri);
}
