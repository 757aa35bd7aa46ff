import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../../base/text/format.ts';
import { expectedValue, fieldTypeName, timeText } from '../../../knowledge/view/describeField.ts';
import type { DocumentNode } from '../../../knowledge/view/treeNode.ts';
import type { Dataset, DocumentMetadata, MetadataField, MetadataType } from '../../../platform/records.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { KnowledgeCommandContext } from '../knowledgeCommandContext.ts';
import { confirmModal } from '../../ui/modals.ts';

const metadataTypes: readonly MetadataType[] = ['string', 'number', 'time'];

interface Row extends vscode.QuickPickItem {
  field?: MetadataField;
  does?: 'create' | 'builtIn';
}

export async function editMetadata(
  context: KnowledgeCommandContext,
  nodes: readonly DocumentNode[],
): Promise<number> {
  const [first] = nodes;
  if (!first) return 0;
  const { dataset } = first.parent;
  const { client, knowledge } = context;
  const ofBase = nodes.filter(({ parent }) => parent.dataset.id === dataset.id);
  let changed = 0;
  const setHere = new Map<string, string | number | null>();
  for (;;) {
    const { fields } = await readFields(context, dataset);
    const known = new Map(first.document.record?.metadata.map((entry) => [entry.id, entry]));
    const rows = fields.map((field): Row => {
      const value = setHere.has(field.id) ? setHere.get(field.id) : known.get(field.id)?.value;
      return {
        label: field.name,
        description: `${showValue(field, value)} (${fieldTypeName(field.type)})`,
        field,
      };
    });
    const title = plural(
      ofBase.length,
      l10n.t('Metadata of {0}', first.document.name),
      l10n.t('Metadata of {0} documents', formatNumber(ofBase.length)),
    );
    const picked = await vscode.window.showQuickPick([...rows, newFieldRow()], {
      title,
      placeHolder: l10n.t('Choose a field to set'),
    });
    if (!picked) break;
    const field = picked.field ?? (await createField(context, dataset));
    if (!field) continue;
    const value = await askValue(field, setHere.get(field.id) ?? known.get(field.id)?.value);
    if (value === undefined) continue;
    await withProgress(context.notifications, l10n.t('Setting {0}…', field.name), (signal) =>
      client.metadata.setValues(
        dataset.id,
        ofBase.map(({ document }) => ({
          documentId: document.id,
          values: [{ id: field.id, name: field.name, value }],
        })),
        signal,
      ),
    );
    setHere.set(field.id, value);
    changed++;
  }
  if (changed > 0) {
    const { signal } = new AbortController();
    await knowledge.documents(dataset.id).reload(signal);
  }
  return changed;
}

export async function editFields(context: KnowledgeCommandContext, dataset: Dataset): Promise<number> {
  const { metadata } = context.client;
  for (let changes = 0; ; changes++) {
    const { fields, isBuiltInOn } = await readFields(context, dataset);
    const builtIn: Row = {
      label: isBuiltInOn ? `$(check) ${l10n.t('Built-in fields')}` : `$(dash) ${l10n.t('Built-in fields')}`,
      description: isBuiltInOn ? l10n.t('on') : l10n.t('off'),
      detail: l10n.t('Name, uploader, dates and source of each document, kept by the platform'),
      does: 'builtIn',
    };
    const picked = await vscode.window.showQuickPick([...fields.map(fieldRow), newFieldRow(), builtIn], {
      title: l10n.t('Metadata Fields of {0}', dataset.name),
      placeHolder: l10n.t('Choose a field to rename or delete it'),
    });
    if (!picked) return changes;
    if (picked.does === 'builtIn') {
      await withProgress(context.notifications, l10n.t('Changing {0}…', dataset.name), (signal) =>
        metadata.setBuiltIn(dataset.id, !isBuiltInOn, signal),
      );
    } else if (picked.field) await changeField(context, dataset, picked.field);
    else await createField(context, dataset);
  }
}

function readFields(
  { notifications, client }: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<{ fields: MetadataField[]; isBuiltInOn: boolean }> {
  return withProgress(
    notifications,
    l10n.t('Loading fields…'),
    (signal) => client.metadata.list(dataset.id, signal),
    vscode.ProgressLocation.Window,
  );
}

function fieldRow(field: MetadataField): Row {
  const { count } = field;
  const uses =
    count !== undefined && plural(count, l10n.t('1 document'), l10n.t('{0} documents', formatNumber(count)));
  return {
    label: field.name,
    description: [fieldTypeName(field.type), uses].filter(Boolean).join(' · '),
    field,
  };
}

function newFieldRow(): Row {
  return { label: `$(add) ${l10n.t('New Field…')}`, does: 'create', alwaysShow: true };
}

async function createField(
  context: KnowledgeCommandContext,
  dataset: Dataset,
): Promise<MetadataField | undefined> {
  const name = await vscode.window.showInputBox({
    title: l10n.t('New Field (1/2): Name'),
    prompt: l10n.t('Lowercase letters, digits and _'),
  });
  if (!name?.trim()) return undefined;
  const types = metadataTypes.map((type) => ({ label: fieldTypeName(type), type }));
  const picked = await vscode.window.showQuickPick(types, { title: l10n.t('New Field (2/2): Type') });
  if (!picked) return undefined;
  return withProgress(context.notifications, l10n.t('Creating {0}…', name), (signal) =>
    context.client.metadata.create(dataset.id, { name: name.trim(), type: picked.type }, signal),
  );
}

async function changeField(
  context: KnowledgeCommandContext,
  dataset: Dataset,
  field: MetadataField,
): Promise<void> {
  const { metadata } = context.client;
  const rename = { label: `$(edit) ${l10n.t('Rename…')}` };
  const remove = { label: `$(trash) ${l10n.t('Delete…')}` };
  const picked = await vscode.window.showQuickPick([rename, remove], { title: field.name });
  if (picked === rename) {
    const name = await vscode.window.showInputBox({
      title: l10n.t('Rename {0}', field.name),
      value: field.name,
    });
    if (!name?.trim() || name === field.name) return;
    await withProgress(context.notifications, l10n.t('Renaming {0}…', field.name), (signal) =>
      metadata.rename(dataset.id, field.id, name.trim(), signal),
    );
  } else if (picked === remove) {
    const question = l10n.t('Delete the field "{0}" with its values in all documents?', field.name);
    if (!(await confirmModal(question, l10n.t('Delete')))) return;
    await withProgress(context.notifications, l10n.t('Deleting {0}…', field.name), (signal) =>
      metadata.delete(dataset.id, field.id, signal),
    );
  }
}

/** Undefined when dismissed; null removes the value. */
async function askValue(
  field: MetadataField,
  current: DocumentMetadata['value'] | undefined,
): Promise<string | number | null | undefined> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Value of {0}', field.name),
    value: current === null || current === undefined ? '' : showValue(field, current),
    prompt:
      field.type === 'time'
        ? l10n.t('A date such as 2026-08-31, with or without time. Leave empty to remove the value')
        : l10n.t('Leave empty to remove the value'),
    validateInput: (text) => ('problem' in readValue(field, text) ? expectedValue(field.type) : undefined),
  });
  if (typed === undefined) return undefined;
  const read = readValue(field, typed);
  return 'problem' in read ? undefined : read.value;
}

export function readValue(
  field: MetadataField,
  text: string,
): { value: string | number | null } | { problem: true } {
  const typed = text.trim();
  if (typed === '') return { value: null };
  if (field.type !== 'number' && field.type !== 'time') return { value: typed };
  // The platform's unit is seconds since the epoch.
  const number = field.type === 'number' ? Number(typed) : Math.floor(Date.parse(typed) / 1000);
  return Number.isFinite(number) ? { value: number } : { problem: true };
}

function showValue(field: MetadataField, value: DocumentMetadata['value'] | undefined): string {
  if (value === null || value === undefined) return '–';
  const seconds = Number(value);
  return field.type === 'time' && Number.isFinite(seconds) ? timeText(seconds) : String(value);
}
