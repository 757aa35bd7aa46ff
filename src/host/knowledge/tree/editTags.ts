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

interface TagRow extends vscode.QuickPickItem {
  tag: Tag;
}

interface NewRow extends vscode.QuickPickItem {
  newName: string;
}

type Row = TagRow | NewRow;

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
  const add = { iconPath: new vscode.ThemeIcon('add'), tooltip: l10n.t('New Tag…') };
  const rename = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Rename') };
  const remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Delete') };
  let { tags, isFaulty } = all;
  const show = (selected: ReadonlySet<string>) => {
    pick.placeholder = placeholderOf(tags, isFaulty);
    pick.buttons = isFaulty ? [] : [add];
    const rows = tags.map((tag) => toRow(tag, isFaulty ? [remove] : [rename, remove]));
    pick.items = isFaulty ? rows : [...rows, ...newRow(pick.value, tags)];
    pick.selectedItems = rows.filter(({ tag }) => selected.has(tag.id));
  };
  const selected = () => new Set(pick.selectedItems.flatMap((row) => ('tag' in row ? row.tag.id : [])));
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
  const create = async (name: string) => {
    const tag = await withProgress(l10n.t('Creating {0}…', name), (signal) => calls.create(name, signal));
    tags = [...tags, tag];
    created.add(tag.id);
    pick.value = '';
  };
  /** True if the typed name was chosen. A tick and Enter may come together. */
  const createTyped = (rows: readonly Row[]): boolean => {
    const row = rows.find(isNew);
    if (row && !isAsking) void change(() => create(row.newName));
    return row !== undefined;
  };

  pick.title = l10n.t('Tags of {0}', dataset.name);
  pick.canSelectMany = true;
  show(bound);
  pick.onDidChangeValue(() => show(selected()));
  pick.onDidChangeSelection(createTyped);
  pick.onDidTriggerButton(() =>
    change(async () => {
      const name = await askTagName(l10n.t('New Tag'), pick.value);
      if (name) await create(name);
    }),
  );
  pick.onDidTriggerItemButton(({ item, button }) =>
    change(async () => {
      if (!('tag' in item)) return;
      const { tag } = item;
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
      pick.onDidAccept(() => {
        if (!createTyped(pick.activeItems)) resolve(selected());
      });
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

function isNew(row: Row): row is NewRow {
  return 'newName' in row;
}

function newRow(typed: string, tags: readonly Tag[]): NewRow[] {
  const newName = typed.trim();
  const isOffered =
    newName !== '' && newName.length <= longestName && !tags.some(({ name }) => name === newName);
  if (!isOffered) return [];
  return [{ label: `$(add) ${l10n.t('New Tag "{0}"', newName)}`, alwaysShow: true, newName }];
}

function toRow(tag: Tag, buttons: vscode.QuickInputButton[]): TagRow {
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
