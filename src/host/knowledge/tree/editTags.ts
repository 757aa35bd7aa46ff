import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../../base/text/format.ts';
import { isTagFault } from '../../../platform/platformErrors.ts';
import type { Dataset, Tag } from '../../../platform/records.ts';
import { tellError } from '../../ui/tellError.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { confirmModal } from '../../ui/modals.ts';

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
  const [listed, bound] = await withProgress(context.notifications, l10n.t('Loading tags…'), (signal) =>
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
  const chosen = await new TagPicker(context, l10n.t('Tags of {0}', dataset.name), all).choose(before);
  if (!chosen) return false;
  const added = [...chosen].filter((id) => !before.has(id));
  const removed = [...before].filter((id) => !chosen.has(id));
  if (added.length + removed.length === 0) return false;
  await withProgress(
    context.notifications,
    l10n.t('Changing the tags of {0}…', dataset.name),
    async (signal) => {
      if (added.length > 0) await client.tags.bind(dataset.id, added, signal);
      for (const id of removed) await client.tags.unbind(dataset.id, id, signal);
      await knowledge.bases.load(signal);
    },
  );
  return true;
}

function inUse(datasets: readonly Dataset[], bound: readonly Tag[]): Tag[] {
  const byId = new Map([...datasets.flatMap(({ tags }) => tags), ...bound].map((tag) => [tag.id, tag]));
  return [...byId.values()];
}

class TagPicker {
  private readonly pick = vscode.window.createQuickPick<Row>();
  private readonly add = { iconPath: new vscode.ThemeIcon('add'), tooltip: l10n.t('New Tag…') };
  private readonly rename = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Rename') };
  private readonly remove = { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Delete') };
  private readonly created = new Set<string>();
  private tags: readonly Tag[];
  private isFaulty: boolean;
  /** Input boxes and dialogs hide the list, which must not count as dismissing it. */
  private isAsking = false;

  constructor(
    private readonly context: KnowledgeCommandContext,
    title: string,
    all: { tags: readonly Tag[]; isFaulty: boolean },
  ) {
    ({ tags: this.tags, isFaulty: this.isFaulty } = all);
    const { pick } = this;
    pick.title = title;
    pick.canSelectMany = true;
    pick.onDidChangeValue(() => this.show(this.selected()));
    pick.onDidChangeSelection((rows) => this.createTyped(rows));
    pick.onDidTriggerButton(() =>
      this.change(async () => {
        const name = await askTagName(l10n.t('New Tag'), pick.value);
        if (name) await this.create(name);
      }),
    );
    pick.onDidTriggerItemButton(({ item, button }) =>
      this.change(async () => {
        if ('tag' in item)
          await (button === this.remove ? this.deleteTag(item.tag) : this.renameTag(item.tag));
      }),
    );
  }

  async choose(bound: ReadonlySet<string>): Promise<Set<string> | undefined> {
    const { pick } = this;
    this.show(bound);
    try {
      return await new Promise((resolve) => {
        pick.onDidAccept(() => {
          if (!this.createTyped(pick.activeItems)) resolve(this.selected());
        });
        pick.onDidHide(() => {
          if (!this.isAsking) resolve(undefined);
        });
        pick.show();
      });
    } finally {
      pick.dispose();
    }
  }

  private show(selected: ReadonlySet<string>): void {
    const { pick, tags, isFaulty, rename, remove } = this;
    pick.placeholder = placeholderOf(tags, isFaulty);
    pick.buttons = isFaulty ? [] : [this.add];
    const rows = tags.map((tag) => toRow(tag, isFaulty ? [remove] : [rename, remove]));
    pick.items = isFaulty ? rows : [...rows, ...newRow(pick.value, tags)];
    pick.selectedItems = rows.filter(({ tag }) => selected.has(tag.id));
  }

  private selected(): Set<string> {
    return new Set(this.pick.selectedItems.flatMap((row) => ('tag' in row ? row.tag.id : [])));
  }

  private async change(work: () => Promise<void>): Promise<void> {
    const kept = this.selected();
    this.isAsking = true;
    try {
      await work();
    } catch (error) {
      this.isFaulty ||= isTagFault(error);
      tellError(this.context.notifications, error);
    }
    this.isAsking = false;
    this.show(new Set([...kept, ...this.created]));
    this.pick.show();
  }

  private get calls() {
    return this.context.client.tags;
  }

  private async create(name: string): Promise<void> {
    const tag = await withProgress(this.context.notifications, l10n.t('Creating {0}…', name), (signal) =>
      this.calls.create(name, signal),
    );
    this.tags = [...this.tags, tag];
    this.created.add(tag.id);
    this.pick.value = '';
  }

  /** True if the typed name was chosen. A tick and Enter may come together. */
  private createTyped(rows: readonly Row[]): boolean {
    const row = rows.find(isNew);
    if (row && !this.isAsking) void this.change(() => this.create(row.newName));
    return row !== undefined;
  }

  private async deleteTag({ id, name }: Tag): Promise<void> {
    const question = l10n.t('Delete the tag "{0}" from all knowledge bases?', name);
    if (!(await confirmModal(question, l10n.t('Delete')))) return;
    await withProgress(this.context.notifications, l10n.t('Deleting {0}…', name), (signal) =>
      this.calls.delete(id, signal),
    );
    this.tags = this.tags.filter((each) => each.id !== id);
  }

  private async renameTag(tag: Tag): Promise<void> {
    const name = await askTagName(l10n.t('Rename {0}', tag.name), tag.name);
    if (!name) return;
    const renamed = await withProgress(
      this.context.notifications,
      l10n.t('Renaming {0}…', tag.name),
      (signal) => this.calls.rename(tag.id, name, signal),
    );
    this.tags = this.tags.map((each) => (each.id === tag.id ? renamed : each));
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
