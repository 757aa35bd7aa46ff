import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FormField, MaxBytes } from '../../../apps/app.ts';
import type { FormAnswer, FormAnswers } from '../../../apps/appForm.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { readTable, type Table } from '../../../apps/batch/csv.ts';
import {
  type BatchRow,
  type ColumnMapping,
  type FindFile,
  matchColumns,
  planRows,
  type RowProblem,
} from '../../../apps/batch/planBatch.ts';
import { sentType } from '../../../apps/fileChoice.ts';
import { SwitchboardError } from '../../../base/errors/errors.ts';
import { formatNumber, plural } from '../../../base/text/format.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import { safeFileName } from '../../../base/files/safeFileName.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import type { ToolDependencies } from '../../../tools/toolDependencies.ts';
import { toPath } from '../../workspace/workspacePlaces.ts';
import { takeFiles, type TakenFile, toChoice } from '../chooseLocalFiles.ts';
import type { Notifications } from '../../ui/notifications.ts';

const maxRows = 10_000;

export interface BatchSource {
  name: string;
  table: Table;
  mapping: ColumnMapping;
  filled: ReadonlySet<string>;
  /** Path for the results, unless it is taken. */
  resultsPath: string;
  /** Answers for each row. Without `problems`, the rows were not checked yet. */
  plan(common: FormAnswers, maxBytes: MaxBytes): Promise<{ rows: BatchRow[]; problems?: RowProblem[] }>;
}

/** The dialog starts at the open table, if there is one. */
export async function chooseSource(): Promise<vscode.Uri[] | undefined> {
  const open = vscode.window.activeTextEditor?.document.uri;
  const start = open && isTable(open) ? open : vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showOpenDialog({
    title: l10n.t('Choose a CSV File or Several Files'),
    openLabel: l10n.t('Choose'),
    canSelectMany: true,
    ...(start && { defaultUri: start }),
  });
}

/** Undefined when dismissed, or when the policy refuses a file, with a warning. */
export async function readSource(
  notifications: Notifications,
  deps: ToolDependencies,
  app: AppRecord,
  form: readonly FormField[],
  uris: readonly vscode.Uri[],
): Promise<BatchSource | undefined> {
  const [only] = uris;
  return only && uris.length === 1 && isTable(only)
    ? readTableSource(notifications, deps, form, only)
    : readFileSource(notifications, deps, app, form, uris);
}

const isTable = ({ path }: vscode.Uri): boolean => /\.(csv|tsv)$/i.test(path);

async function readTableSource(
  notifications: Notifications,
  deps: ToolDependencies,
  form: readonly FormField[],
  uri: vscode.Uri,
): Promise<BatchSource | undefined> {
  const file = await readText(notifications, deps, uri);
  if (!file) return undefined;
  const table = readTable(file.text);
  if (isTooMany(notifications, table.rows.length)) return undefined;
  const mapping = await mapColumns(form, table.columns);
  return (
    mapping && {
      name: file.name,
      table,
      mapping,
      filled: new Set(mapping.keys()),
      resultsPath: uri.fsPath.replace(/\.[^.]*$/, '.results.csv'),
      plan: (common, maxBytes) =>
        planRows(table, form, mapping, { common, maxBytes, findFile: finderFor(deps, uri) }),
    }
  );
}

async function mapColumns(
  form: readonly FormField[],
  columns: readonly string[],
): Promise<ColumnMapping | undefined> {
  const mapping = matchColumns(form, columns);
  for (const { variable, label, isRequired } of form) {
    const used = [...mapping.values()];
    const free = columns.flatMap((name, at) => (used.includes(at) ? [] : [{ label: oneLine(name, 80), at }]));
    if (mapping.has(variable) || !isRequired || free.length === 0) continue;
    const picked = await vscode.window.showQuickPick<{ label: string; at: number | undefined }>(
      [...free, { label: l10n.t('$(edit) Same Value for Every Row…'), at: undefined }],
      { title: l10n.t('Column for {0}', label), ignoreFocusOut: true },
    );
    if (!picked) return undefined;
    if (picked.at !== undefined) mapping.set(variable, picked.at);
  }
  return mapping;
}

/** Cells name files by URL, or by path relative to the table's folder. */
function finderFor(deps: ToolDependencies, table: vscode.Uri): FindFile {
  const files = createLocalFiles(deps);
  return async (cell) => {
    if (/^https?:\/\//i.test(cell)) return { method: 'remote_url', url: cell };
    const isAbsolute = /^([a-z]:)?[\\/]/i.test(cell);
    const uri = isAbsolute ? vscode.Uri.file(cell) : vscode.Uri.joinPath(table, '..', cell);
    const file = await files.check(toPath(uri));
    return 'refusal' in file ? file : toChoice(file);
  };
}

async function readFileSource(
  notifications: Notifications,
  deps: ToolDependencies,
  app: AppRecord,
  form: readonly FormField[],
  uris: readonly vscode.Uri[],
): Promise<BatchSource | undefined> {
  if (isTooMany(notifications, uris.length)) return undefined;
  const files = await takeFiles(notifications, deps, uris);
  const [first] = uris;
  const field = files && first && (await chooseField(notifications, form, files));
  if (!field) return undefined;
  const answers: { name: string; answer: FormAnswer }[] = [];
  for (const [index, file] of files.entries()) {
    const uri = uris[index] ?? first;
    const read = field.files ? { text: undefined } : await readText(notifications, deps, uri);
    if (!read) return undefined;
    answers.push({ name: vscode.workspace.asRelativePath(uri), answer: read.text ?? [file] });
  }
  const rows = answers.map(({ name }, index) => ({ number: index + 2, cells: [name] }));
  const folder = vscode.Uri.joinPath(first, '..');
  return {
    name: plural(files.length, l10n.t('1 file'), l10n.t('{0} files', formatNumber(files.length))),
    table: { columns: ['file'], rows },
    mapping: new Map([[field.variable, 0]]),
    filled: new Set([field.variable]),
    resultsPath: vscode.Uri.joinPath(folder, `${safeFileName(app.name, 'batch')}.results.csv`).fsPath,
    plan: (common) =>
      Promise.resolve({
        rows: rows.map((row, index) => ({
          ...row,
          answers: { ...common, [field.variable]: answers[index]?.answer },
        })),
      }),
  };
}

/** Text of a file, with unsaved changes. Undefined, with a warning, when the policy refuses it. */
async function readText(
  notifications: Notifications,
  deps: ToolDependencies,
  uri: vscode.Uri,
): Promise<{ name: string; text: string } | undefined> {
  const verdict = await deps.policy.attach(toPath(uri));
  if (!verdict.isAllowed) {
    void notifications.warning(verdict.forUser);
    return undefined;
  }
  try {
    return { name: verdict.shown, text: await deps.texts.readWhole(verdict) };
  } catch (cause) {
    const message = l10n.t('"{0}" is not a text file, or is larger than 10 MB.', verdict.shown);
    throw new SwitchboardError('local-file', message, { cause });
  }
}

async function chooseField(
  notifications: Notifications,
  form: readonly FormField[],
  files: readonly TakenFile[],
): Promise<FormField | undefined> {
  const fields = form.filter(({ type, files: accepted }) =>
    accepted
      ? accepted.methods.includes('local_file') && files.every((file) => sentType(file, accepted))
      : type === 'text' || type === 'paragraph',
  );
  const [only] = fields;
  if (!only) {
    void notifications.warning(l10n.t('The workflow has no field that accepts these files or their text.'));
    return undefined;
  }
  if (fields.length === 1) return only;
  const picked = await vscode.window.showQuickPick(
    fields.map((field) => ({
      label: field.isRequired ? `${field.label} *` : field.label,
      description: field.files ? l10n.t('gets the file') : l10n.t("gets the file's text"),
      field,
    })),
    { title: l10n.t('Choose the Field for Each File'), ignoreFocusOut: true },
  );
  return picked?.field;
}

function isTooMany(notifications: Notifications, count: number): boolean {
  if (count <= maxRows) return false;
  void notifications.warning(
    l10n.t(
      'The table has {0} rows; the maximum per batch is {1}.',
      formatNumber(count),
      formatNumber(maxRows),
    ),
  );
  return true;
}
