import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { causeText, isCancelled } from '../../base/errors/errors.ts';
import { FileProblem, undoChanges, type WrittenFile } from '../../clients/clientFiles.ts';
import { clientPrograms } from '../../clients/clientPrograms.ts';
import { otherPrograms } from '../../clients/programs/otherPrograms.ts';
import {
  configureClient as configure,
  type Configured,
  findProgram,
  type FoundProgram,
  type Overridden,
} from '../../clients/configureClient.ts';
import { addressFor, type Machine } from '../../clients/clientProgram.ts';
import { variableFor } from '../../clients/programEntries.ts';
import type { Clients } from '../../connections/clients.ts';
import type { RelayAccess, RelayConnections } from '../../connections/relayConnections.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import { offerToConnect } from '../connect/chooseRelay.ts';
import { tellError } from '../ui/tellError.ts';
import { chatFirst } from '../../relay/messages.ts';
import { placeOf } from '../../relay/relayModelId.ts';
import { withProgress } from '../ui/withProgress.ts';
import { type ConfigureClientResult, nothing, objectionTo, tellProblem, thisMachine } from './clientHost.ts';
import { createClientDialogs, pick } from './clientDialogs.ts';
import type { ConfigureKnowledgeDependencies } from './configureKnowledge.ts';
import { isInstalled, runCheck } from '../../clients/runProgram.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface ConfigureClientDependencies extends ConfigureKnowledgeDependencies {
  relays: Pick<RelayConnections, 'current' | 'all'>;
  models: Pick<RelayModels, 'catalog' | 'profiles'>;
  clients: Pick<Clients, 'contextOf'>;
  chat: Pick<ChatController, 'shown'>;
  notifications: Notifications;
}

export async function configureClient(deps: ConfigureClientDependencies): Promise<ConfigureClientResult> {
  const purpose = await choosePurpose();
  if (!purpose) return nothing;
  if (purpose === 'model') return configureModel(deps);
  const { configureKnowledge } = await import('./configureKnowledge.ts');
  return configureKnowledge(deps);
}

async function choosePurpose(): Promise<'model' | 'knowledge' | undefined> {
  const items = [
    {
      label: l10n.t('Model of the Relay'),
      detail: l10n.t('The program asks the models of your relay'),
      purpose: 'model' as const,
    },
    {
      label: l10n.t('Knowledge by MCP'),
      detail: l10n.t('The program searches your knowledge bases through this window, without any key'),
      purpose: 'knowledge' as const,
    },
  ];
  const title = l10n.t('Configure Another Client');
  return (await pick(items, title, l10n.t('Select what the program gets')))?.purpose;
}

async function configureModel(deps: ConfigureClientDependencies): Promise<ConfigureClientResult> {
  const { all } = deps.relays;
  if (all.length === 0) {
    void offerToConnect(deps.notifications, l10n.t('Connect a relay first.'));
    return nothing;
  }
  const relay = await chooseRelay(all);
  if (!relay) return nothing;
  const machine = thisMachine();
  const found = await chooseProgram(machine);
  if (!found) return nothing;
  try {
    await deps.models.catalog.ensure();
    const outcome = await configure(dependenciesFor(deps, relay), found);
    if (!outcome) return nothing;
    if ('names' in outcome) {
      tellOverridden(deps.notifications, outcome);
      return nothing;
    }
    if (outcome.place === 'terminal') openTerminal(outcome);
    if (found.files.length === 0 && outcome.place === 'environment') await offerToCopy(outcome);
    void report(deps, outcome);
    return {
      configured: true,
      client: outcome.program.id,
      answered: !outcome.failure,
      files: outcome.written.map(({ path }) => path),
    };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    void tellProblem(deps.notifications, error);
    return nothing;
  }
}

async function chooseRelay(all: readonly RelayAccess[]): Promise<RelayAccess | undefined> {
  if (all.length === 1) return all[0];
  const items = all.map((relay) => ({ label: relay.name, description: relay.baseUrl, relay }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Configure Another Client'),
    ignoreFocusOut: true,
    matchOnDescription: true,
    placeHolder: l10n.t('Select the relay'),
  });
  return picked?.relay;
}

async function chooseProgram(machine: Machine): Promise<FoundProgram | undefined> {
  const items = [...clientPrograms, ...otherPrograms()].map((program) => {
    const found = findProgram(program, machine);
    if (found.files.length === 0) {
      return { label: program.name, detail: l10n.t('Shows address, key variable and model to copy'), found };
    }
    const known = [
      isInstalled(program) ? l10n.t('installed') : l10n.t('not found'),
      found.hasFile ? l10n.t('configuration file exists') : l10n.t('no configuration file yet'),
    ];
    return { label: program.name, description: known.join(' · '), detail: found.files[0]?.path ?? '', found };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Configure Another Client'),
    ignoreFocusOut: true,
    matchOnDetail: true,
    placeHolder: l10n.t('Select the program to connect to your relay'),
  });
  return picked?.found;
}

function dependenciesFor(
  { notifications, relays, models, clients, chat }: ConfigureClientDependencies,
  relay: RelayAccess,
): Parameters<typeof configure>[0] {
  const { baseUrl, key, origin } = relay;
  const connection = { baseUrl, key, headers: {} };
  const list = models.catalog.ofRelay(origin)?.state.models ?? [];
  const selected =
    chat.shown.choices.model === undefined ? undefined : placeOf(relays, chat.shown.choices.model);
  const listed = chatFirst(list).map(({ id, name, contextWindow, maxTokens }) => ({
    id,
    name,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxTokens !== undefined && { maxTokens }),
  }));
  return {
    relay: { baseUrl, key, variable: variableFor(origin, relays.all[0]?.origin) },
    dialogs: createClientDialogs(relay, listed, selected?.origin === origin ? selected.id : undefined),
    protocolOf: (modelId) => models.profiles.facts(origin, modelId).protocol ?? 'chat-completions',
    objectionTo,
    net: () => clients.contextOf(connection),
    withProgress: (address, task) =>
      withProgress(notifications, l10n.t('Testing connection to {0}…', address), task),
    now: () => new Date(),
  };
}

/** A transient terminal: its environment, which has the key, is not restored. */
function openTerminal({ program, variables }: Configured): void {
  vscode.window.createTerminal({ name: program.name, env: { ...variables }, isTransient: true }).show();
}

/** Offers to copy settings for an unknown program, without the key, which would stay in the clipboard. */
async function offerToCopy({ program, target }: Configured): Promise<void> {
  const items = [
    { label: addressFor(program, target), description: l10n.t('Base address') },
    { label: target.variable, description: l10n.t('Environment variable for the key') },
    { label: target.models[0].id, description: l10n.t('Model') },
  ];
  const title = l10n.t('Configure {0}: Copy', program.name);
  for (;;) {
    const placeHolder = l10n.t('Select what to copy. Press Escape when done');
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
    if (!picked) return;
    await vscode.env.clipboard.writeText(picked.label);
  }
}

async function report(deps: ConfigureClientDependencies, outcome: Configured): Promise<void> {
  const { program, place, written, failure } = outcome;
  const undo = l10n.t('Undo');
  const terminal = l10n.t('Open Terminal');
  const check = l10n.t('Run {0}', program.name);
  const actions = [
    ...(program.check && isInstalled(program) && !failure ? [check] : []),
    ...(place === 'environment' ? [terminal] : []),
    ...(written.length > 0 ? [undo] : []),
  ];
  const severity = failure ? 'warning' : 'information';
  const answer = await deps.notifications[severity](
    [describe(outcome), describeTry(outcome)].filter(Boolean).join(' '),
    ...actions,
  );
  if (answer === undo) await undoWritten(deps.notifications, written);
  if (answer === terminal) openTerminal(outcome);
  if (answer === check) await runAndTell(deps, outcome);
}

function describe({ program, target, place, written }: Configured): string {
  const { name, command } = program;
  if (command === undefined) return '';
  const done =
    written.length > 0 || place === 'terminal'
      ? l10n.t('{0} is configured.', name)
      : l10n.t('{0} is already configured.', name);
  if (place !== 'environment') return done;
  return `${done} ${l10n.t('Set the variable {0} to your key before you start it.', target.variable)}`;
}

function describeTry({ target, failure }: Configured): string {
  const [{ name }] = target.models;
  if (!failure) return l10n.t('{0} answered.', name);
  if (isCancelled(failure)) return '';
  const reason = [failure.message, causeText(failure)].filter(Boolean).join(' ');
  return l10n.t("{0} didn't answer: {1}", name, reason);
}

async function undoWritten(notifications: Notifications, written: readonly WrittenFile[]): Promise<void> {
  try {
    await undoChanges(written);
    void notifications.information(l10n.t('Undone.'));
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    void tellProblem(notifications, error);
  }
}

async function runAndTell(
  deps: ConfigureClientDependencies,
  { program, variables }: Configured,
): Promise<void> {
  const { name } = program;
  try {
    const isFine = await withProgress(deps.notifications, l10n.t('Running {0}…', name), (signal) =>
      runCheck(program, variables, signal),
    );
    if (isFine) void deps.notifications.information(l10n.t('{0} works with your relay.', name));
    else void deps.notifications.warning(l10n.t("{0} didn't answer. Run it in a terminal to see why.", name));
  } catch (error) {
    tellError(deps.notifications, error);
  }
}

function tellOverridden(notifications: Notifications, { path, names, program }: Overridden): void {
  void notifications.warning(
    l10n.t(
      '{0} reads {1} from {2}, which overrides the terminal. Remove them there, or let Switchboard change the file.',
      program.name,
      names.join(', '),
      path,
    ),
  );
}
