import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppService } from '../../apps/appService.ts';
import { lazy } from '../../base/async/lazy.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import type { ChatController } from '../../chat/chatController.ts';
import { knowledgeServer, type PreparedServer } from '../../clients/knowledgeServer.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import { installBridge } from '../../knowledgeServer/bridgeScript.ts';
import { holdsFolder, windowsFolderName } from '../../knowledgeServer/bridge/windowRecords.ts';
import { KnowledgeSession, type SessionDependencies } from '../../knowledgeServer/knowledgeSession.ts';
import { type Caller, ProgramAccess } from '../../knowledgeServer/programAccess.ts';
import { listenForBridges, type WindowListener } from '../../knowledgeServer/windowListener.ts';
import type { Memory } from '../../settings/memory.ts';
import { offeredWorkflows, planWorkflowRun } from '../../chat/editorRequests/workflowRuns.ts';
import { localFiles } from '../languageModels/languageTools.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import { askAccess, nameOf } from './askAccess.ts';
import { confirmText } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface KnowledgeProgramsDependencies {
  extension: { uri: vscode.Uri; version: string };
  folder: string;
  platform: ConnectedPlatform;
  apps: AppService;
  chat: ChatController;
  memory: Memory;
  tools(): Promise<WorkspaceTools>;
  log: Log;
  notifications: Notifications;
}

export class KnowledgePrograms {
  private readonly parts = new DisposableStore();
  readonly access: ProgramAccess;
  private readonly listener = lazy(() => this.open());

  constructor(private readonly deps: KnowledgeProgramsDependencies) {
    this.access = new ProgramAccess(deps.memory);
  }

  dispose(): void {
    this.parts.dispose();
  }

  async listen(): Promise<void> {
    if (this.access.configurations.length === 0) return;
    await this.listener();
  }

  async prepare({ id: program, name }: { id: string; name: string }): Promise<PreparedServer> {
    const known = this.access.configurations.find((each) => each.program === program);
    const id = known?.id ?? randomUUID();
    const { execPath, versions } = process;
    const server = knowledgeServer(await this.install(), id, {
      execPath,
      isElectron: versions['electron'] !== undefined,
    });
    return {
      server,
      confirm: async () => {
        this.access.configured({ id, program, name, at: Date.now() });
        await this.listen();
      },
      // A configuration that was there before stays.
      withdraw: async () => {
        if (known) this.access.configured(known);
        else this.access.withdrawn(id);
      },
      remove: async () => this.access.withdrawn(id),
    };
  }

  private install(): Promise<string> {
    const built = vscode.Uri.joinPath(this.deps.extension.uri, 'dist', 'knowledgeBridge.mjs');
    return installBridge(built.fsPath, this.deps.folder);
  }

  private async open(): Promise<WindowListener> {
    const { folder, log } = this.deps;
    await this.install();
    const listener = await listenForBridges({
      folder: join(folder, windowsFolderName),
      folders: await openFolders(),
      now: Date.now(),
      log,
      onConnection: (socket, hello) => {
        void this.serve(socket, hello).catch((error: unknown) => {
          socket.destroy();
          log.error(`Knowledge for programs: ${messageOf(error)}`);
        });
      },
    });
    this.parts.add(listener);
    this.parts.add(
      vscode.workspace.onDidChangeWorkspaceFolders(async () => listener.setFolders(await openFolders())),
    );
    return listener;
  }

  private async serve(socket: Socket, hello: Pick<Caller, 'configuration' | 'folder'>): Promise<void> {
    const { extension, log } = this.deps;
    const isOpenHere = holdsFolder(await openFolders(), hello.folder);
    const session = new KnowledgeSession(this.sessionParts(), {
      configuration: hello.configuration,
      folder: isOpenHere ? '' : hello.folder,
    });
    const { serveProtocol } = await import('../../knowledgeServer/protocolServer.ts');
    await serveProtocol(socket, session, { version: extension.version, linkTo, log });
  }

  private sessionParts(): SessionDependencies {
    const { platform, apps, chat, memory, tools, log, notifications } = this.deps;
    return {
      ...{ access: this.access, log },
      isTrusted: () => vscode.workspace.isTrusted,
      knowledge: () => platform.get(),
      files: async () => (await tools()).dependencies,
      chosen: () => chat.shown.conversation.bases,
      ask: (question, signal) => askAccess(notifications, question, signal),
      nameOf: (caller) => nameOf(caller, this.access.configuration(caller.configuration)),
      offersWorkflows: () => offeredWorkflows({ apps, memory }).length > 0,
      runWorkflow: async (program, input, signal) => {
        const planned = await planWorkflowRun(
          { apps, memory, files: () => localFiles({ tools }) },
          input,
          signal,
        );
        if ('problem' in planned) return planned.problem;
        const question = l10n.t('{0} asks: {1}', program, planned.title);
        const isConfirmed = await confirmText(question, l10n.t('Allow'), planned.message);
        signal.throwIfAborted();
        return isConfirmed ? planned.run(signal) : 'The user refused the call.';
      },
    };
  }
}

/** Real paths, as programs know their folder. */
async function openFolders(): Promise<string[]> {
  const onDisk = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  return Promise.all(onDisk.map(({ uri }) => realpath(uri.fsPath).catch(() => uri.fsPath)));
}

function linkTo(realPath: string): string | undefined {
  const uri = toUri(realPath);
  return uri.scheme === 'file' ? uri.toString() : undefined;
}
