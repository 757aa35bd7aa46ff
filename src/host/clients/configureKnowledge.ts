import * as l10n from '@vscode/l10n';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { causeText, isCancelled } from '../../base/errors/errors.ts';
import { FileProblem } from '../../clients/clientFiles.ts';
import { knowledgePrograms } from '../../clients/clientPrograms.ts';
import {
  type ConfiguredKnowledge,
  configureKnowledge as configure,
  type ConfigureKnowledgeDependencies as ConfigureDependencies,
  isConfigured,
  removeKnowledge,
  undoKnowledge,
} from '../../clients/configureKnowledge.ts';
import type { KnowledgeProgram } from '../../clients/knowledgeProgram.ts';
import type { PrepareServer } from '../../clients/knowledgeServer.ts';
import { isInstalled } from '../../clients/runProgram.ts';
import { tryServer } from '../../clients/tryServer.ts';
import type { PlatformConnections } from '../../connections/serverConnections.ts';
import { noWindow } from '../../knowledgeServer/bridge/bridgeMessages.ts';
import { commandId } from '../ids.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import { confirmChanges, pick } from './clientDialogs.ts';
import { type ConfigureClientResult, nothing, objectionTo, tellProblem, thisMachine } from './clientHost.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface ConfigureKnowledgeDependencies {
  platforms: Pick<PlatformConnections, 'current' | 'ready'>;
  prepareKnowledge: PrepareServer;
  notifications: Notifications;
}

export async function configureKnowledge(
  deps: ConfigureKnowledgeDependencies,
): Promise<ConfigureClientResult> {
  await deps.platforms.ready;
  if (!deps.platforms.current) {
    void offerToConnect(deps.notifications);
    return nothing;
  }
  try {
    const program = await chooseProgram();
    const outcome = program && (await configure(dependenciesFor(deps), program, thisMachine()));
    if (!outcome) return nothing;
    void report(deps, outcome).catch((error: unknown) => tellFailure(deps.notifications, error));
    return {
      configured: true,
      client: outcome.program.id,
      answered: outcome.tried?.hasWindow ?? false,
      files: outcome.written.map(({ path }) => path),
    };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    void tellProblem(deps.notifications, error);
    return nothing;
  }
}

async function offerToConnect(notifications: Notifications): Promise<void> {
  const connect = l10n.t('Connect Platform…');
  const answer = await notifications.information(l10n.t('Connect a platform first.'), connect);
  if (answer === connect) await vscode.commands.executeCommand(commandId('connectPlatform'));
}

async function chooseProgram(): Promise<KnowledgeProgram | undefined> {
  const items = await Promise.all(
    knowledgePrograms.map(async (program) => {
      const file = program.serverFile(thisMachine());
      // A broken file is told about when it is chosen.
      const isThere = await isConfigured(file).catch(() => false);
      const known = [
        isInstalled(program) ? l10n.t('installed') : l10n.t('not found'),
        ...(isThere ? [l10n.t('configured')] : []),
      ];
      return { label: program.name, description: known.join(' · '), detail: file.path, program };
    }),
  );
  const placeHolder = l10n.t('Select the program that may search your knowledge bases');
  return (await pick(items, l10n.t('Configure Another Client'), placeHolder))?.program;
}

function dependenciesFor({
  notifications,
  prepareKnowledge,
}: ConfigureKnowledgeDependencies): ConfigureDependencies {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const workFolder = folder?.uri.scheme === 'file' ? folder.uri.fsPath : homedir();
  return {
    dialogs: { confirmChanges },
    prepare: prepareKnowledge,
    tryServer: (server) =>
      withProgress(notifications, l10n.t('Starting the knowledge server…'), (signal) =>
        tryServer(server, { folder: workFolder, noWindow, signal }),
      ),
    objectionTo,
    now: () => new Date(),
  };
}

async function report(deps: ConfigureKnowledgeDependencies, outcome: ConfiguredKnowledge): Promise<void> {
  const { written, failure, tried } = outcome;
  const undo = l10n.t('Undo');
  const remove = l10n.t('Remove…');
  const again = l10n.t('Try Again');
  const isFine = tried?.hasWindow ?? false;
  const severity = isFine || (failure && isCancelled(failure)) ? 'information' : 'warning';
  const actions = [...(isFine ? [] : [again]), written.length > 0 ? undo : remove];
  const answer = await deps.notifications[severity](
    [describe(outcome), describeTry(outcome)].filter(Boolean).join(' '),
    ...actions,
  );
  if (answer === undo) await undoAndTell(deps.notifications, outcome);
  if (answer === remove && (await removeKnowledge(dependenciesFor(deps), outcome))) {
    void deps.notifications.information(
      l10n.t('{0} can no longer search your knowledge bases.', outcome.program.name),
    );
  }
  if (answer === again) await tryAgain(deps, outcome);
}

async function tryAgain(deps: ConfigureKnowledgeDependencies, outcome: ConfiguredKnowledge): Promise<void> {
  const { tried: _, failure: __, ...configured } = outcome;
  const tried = await dependenciesFor(deps).tryServer(outcome.prepared.server);
  await report(deps, { ...configured, tried });
}

function describe({ program: { name }, written }: ConfiguredKnowledge): string {
  return written.length > 0
    ? l10n.t('{0} is configured. Restart it, then ask it about your knowledge bases.', name)
    : l10n.t('{0} is already configured.', name);
}

function describeTry({ tried, failure }: ConfiguredKnowledge): string {
  if (failure) {
    return isCancelled(failure) ? '' : [failure.message, causeText(failure)].filter(Boolean).join(' ');
  }
  if (!tried?.hasWindow) return l10n.t("The server started, but this window didn't answer it.");
  return l10n.t('The server started, this window answered, tools: {0}.', tried.tools.join(', '));
}

async function undoAndTell(notifications: Notifications, outcome: ConfiguredKnowledge): Promise<void> {
  const undone = await undoKnowledge({ objectionTo, now: () => new Date() }, outcome);
  const { program, file } = outcome;
  const text =
    undone === 'restored'
      ? l10n.t('Undone.')
      : l10n.t('{0} changed since, so only the entry of {1} was removed.', file.path, program.name);
  void notifications.information(text);
}

function tellFailure(notifications: Notifications, error: unknown): void {
  if (error instanceof FileProblem) void tellProblem(notifications, error);
  else tellError(notifications, error);
}
