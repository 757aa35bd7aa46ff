import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled, type SwitchboardError } from '../../base/errors/errors.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import type { AddedBase } from '../../knowledge/knowledgeBases.ts';
import { findBase, readBaseIds } from '../../knowledge/findBase.ts';
import type { Dataset } from '../../platform/records.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';

/** Asks for knowledge bases that no call lists (of a scoped key, or for agents); keeps those that open. Returns ids. */
export async function addKnowledgeBase(context: KnowledgeCommandContext): Promise<string[] | undefined> {
  const { knowledge, memory, access, client } = context;
  await knowledge.bases.load(new AbortController().signal);
  const { isScoped } = knowledge.bases.state;
  const ids = await askIds();
  if (!ids || ids.length === 0) return undefined;
  const opened: AddedBase[] = [];
  let failure: SwitchboardError | undefined;
  await withProgress(context.notifications, l10n.t('Adding knowledge bases…'), async (signal) => {
    for (const id of ids) {
      try {
        opened.push(await findBase(client, id, signal));
      } catch (error) {
        if (isCancelled(error)) throw error;
        failure ??= toSwitchboardError(error);
      }
    }
  });
  const listed = isScoped ? [] : opened.filter(({ isAgent }) => !isAgent);
  if (listed.length > 0) {
    void context.notifications.information(
      l10n.t('The key opens all knowledge bases of its workspace. They are in the list.'),
    );
  }
  const found: AddedBase[] = [];
  for (const base of opened.filter((each) => !listed.includes(each))) {
    found.push(base.isAgent ? { ...base, name: await askName(base.id) } : base);
  }
  const others = memory.addedBases(access.origin).filter(({ id }) => !found.some((base) => base.id === id));
  if (found.length > 0) await memory.setAddedBases(access.origin, [...others, ...found]);
  if (failure) tellError(context.notifications, failure);
  await knowledge.bases.load(new AbortController().signal);
  return found.map(({ id }) => id);
}

/** Takes a knowledge base out of the list; on the platform nothing changes. */
export async function removeAddedBase(
  { knowledge, memory, access }: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<boolean> {
  await memory.removeAddedBase(access.origin, dataset.id);
  await knowledge.bases.load(new AbortController().signal);
  return true;
}

export function scopeReason(): string {
  return l10n.t(
    "The platform doesn't let this key list knowledge bases: it was probably made for some of them. It opens those that you add; creating, tags and the list of models need a key for all.",
  );
}

export function agentReason(): string {
  return l10n.t(
    'An agent knowledge base is only searched here; its documents, settings and tags are in the console. Built from documentation, not yet seen with a running server.',
  );
}

/** A name for models and the user; no documented call returns the knowledge base's own. */
async function askName(id: string): Promise<string> {
  const suggested = l10n.t('Agent knowledge base {0}', id.slice(0, 8));
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Add Knowledge Base'),
    prompt: l10n.t(
      "The platform doesn't provide the name of an agent knowledge base. Enter a name for the list.",
    ),
    value: suggested,
    ignoreFocusOut: true,
  });
  return oneLine(typed?.trim() || suggested, 80);
}

async function askIds(): Promise<string[] | undefined> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Add Knowledge Base'),
    prompt: l10n.t(
      'The ID of a knowledge base, or the address of its page in the console. Several are separated by spaces.',
    ),
    placeHolder: 'https://platform.example.com/datasets/…/documents',
    ignoreFocusOut: true,
    validateInput(text) {
      const read = readBaseIds(text);
      return 'problem' in read ? read.problem : undefined;
    },
  });
  const read = readBaseIds(typed ?? '');
  return 'problem' in read ? undefined : read.ids;
}
