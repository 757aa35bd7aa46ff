import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../../base/text/format.ts';
import { isTagFault } from '../../../platform/platformErrors.ts';
import type { Dataset, Tag } from '../../../platform/records.ts';
import { confirmModal } from '../../ui/notifications.ts';
import { tellError } from '../../ui/tellError.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';

const longestName = 50;

interface Row extends vscode.QuickPickItem {
  tag: Tag;
}

export async function editTags(context: KnowledgeCommandContext, dataset: Dataset): Promise<boolean> {
  const { client, knowledge } = context;
  const [listed, bound] = await withProgress(l10n.t('Loading tags…'), (signal) =>
    Promise.all([
      client.tags.list(signal).catch((error: unknown) => {
        if (isTagFault(error)) return undefined;
        throw error;
      }),
      client.tags.of(dataset.id, signal),
    ]),
  );
  const before = new Set(bound.map(({ id }) => id));
  const all = {
    tags: listed ?? inUse(knowledge.bases.state.datasets, bound),
    isFaulty: listed === undefined,
  };
  const chosen = await chooseTags(context, dataset, all, before);
  if (!chosen) return false;
  const added = [...chosen].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !chosen.has(id));
  if (added.length + removed.length === 0) return false;
  await withProgress(l10n.t('Changing the tags of {0}…', dataset.name), async (signal) => {
    if (added.length > 0) await client.tags.bind(dataset.id, added, signal);
    for (const id of removed) await client.tags.unbind(dataset.id, id, signal);
    await knowledge.bases.load(signal);
  });
  return true;
}

function inUse(datasets: readonly Dataset[], bound: readonly Tag[]): Tag[] {
  const byId = new Map([...datasets.flatMap(({ tags }) => tags), ...bound].map((tag) => [tag.id, tag]));
  return [...byId.values()];
}

async function chooseTags(
  context: KnowledgeCommandContext,
  dataset: Dataset,
  all: { tags: readonly Tag[]; isFaulty: boolean },
  bound: ReadonlySet<string>,
): Promise<Set<string> | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  const create = { iconPath: new vscode.ThemeIcon('add'), tooltip: l10n.t('New Tag…') };
  const rename = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Rename') };
  const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Delete') };
  let { tags, isFaulty } = all;
  const show = (selected: ReadonlySet<string>) => {
    pick.placeholder = placeholderOf(tags, isFaulty);
    pick.buttons = isFaulty ? [] : [create];
    pick.items = tags.map((tag) => toRow(tag, isFaulty ? [remove] : [rename, remove]));
    pick.selectedItems = pick.items.filter(({ tag }) => selected.has(tag.id));
  };
  const selected = () => new Set(pick.selectedItems.map(({ tag }) => tag.id));
  /** Input boxes and dialogs hide the list, which must not count as dismissing it. */
  let isAsking = false;
  const change = async (work: () => Promise<void>) => {
    const kept = selected();
    isAsking = true;
    try {
      await work();
    } catch (error) {
      isFaulty ||= isTagFault(error);
      tellError(error, context.log);
    }
    isAsking = false;
    show(new Set([...kept, ...created]));
    pick.show();
  };
  const created = new Set<string>();
  const { tags: calls } = context.client;

  pick.title = l10n.t('Tags of {0}', dataset.name);
  pick.canSelectMany = true;
  show(bound);
  pick.onDidTriggerButton(() =>
    change(async () => {
      const name = await askTagName(l10n.t('New Tag'), pick.value);
      if (!name) return;
      const tag = await withProgress(l10n.t('Creating {0}…', name), (signal) => calls.create(name, signal));
      tags = [...tags, tag];
      created.add(tag.id);
    }),
  );
  pick.onDidTriggerItemButton(({ item: { tag }, button }) =>
    change(async () => {
      if (button === remove) {
        const question = l10n.t('Delete the tag "{0}" from all knowledge bases?', tag.name);
        if (!(await confirmModal(question, l10n.t('Delete')))) return;
        await withProgress(l10n.t('Deleting {0}…', tag.name), (signal) => calls.delete(tag.id, signal));
        tags = tags.filter(({ id }) => id !== tag.id);
        return;
      }
      const name = await askTagName(l10n.t('Rename {0}', tag.name), tag.name);
      if (!name) return;
      const renamed = await withProgress(l10n.t('Renaming {0}…', tag.name), (signal) =>
        calls.rename(tag.id, name, signal),
      );
      tags = tags.map((each) => (each.id === tag.id ? renamed : each));
    }),
  );
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => resolve(selected()));
      pick.onDidHide(() => {
        if (!isAsking) resolve(undefined);
      });
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function placeholderOf(tags: readonly Tag[], isFaulty: boolean): string {
  if (isFaulty) return l10n.t('Only tags in use are listed (known issue in platform 1.14)');
  return tags.length > 0 ? l10n.t('Choose the tags') : l10n.t('No tags yet. Create one');
}

function toRow(tag: Tag, buttons: vscode.QuickInputButton[]): Row {
  const { name, bindingCount: count } = tag;
  return {
    label: name,
    ...(count !== undefined && {
      description: plural(
        count,
        l10n.t('1 knowledge base'),
        l10n.t('{0} knowledge bases', formatNumber(count)),
      ),
    }),
    buttons,
    tag,
  };
}

async function askTagName(title: string, value: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    value,
    validateInput: (text) =>
      text.trim().length > longestName ? l10n.t('Maximum {0} characters', longestName) : undefined,
  });
  return typed?.trim() || undefined;
}
