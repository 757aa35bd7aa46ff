import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FormField, MaxBytes } from '../../../apps/app.ts';
import type { FormAnswer, FormAnswers } from '../../../apps/appForm.ts';
import { type FormRow, formRows } from '../../../apps/run/formRows.ts';
import type { ToolDependencies } from '../../../tools/toolDependencies.ts';
import { acceptedItem } from '../../ui/quickPicks.ts';
import { editField } from './editField.ts';
import type { Notifications } from '../../ui/notifications.ts';

export interface FormQuestion {
  title: string;
  form: readonly FormField[];
  answers: FormAnswers;
  maxBytes: MaxBytes;
  origins: ReadonlyMap<string, string>;
  action?: string;
  placeholder?: string;
}

export async function fillForm(
  notifications: Notifications,
  deps: ToolDependencies,
  question: FormQuestion,
): Promise<FormAnswers | undefined> {
  const { form, maxBytes, action } = question;
  const answers: Record<string, FormAnswer | undefined> = { ...question.answers };
  const origins = new Map(question.origins);
  let active: string | undefined;
  for (;;) {
    const rows = formRows({ form, answers, maxBytes, origins, action });
    const row = await chooseRow(question, rows, active);
    if (!row) return undefined;
    if (row.type === 'run' && row.isReady) return answers;
    // Running with problems opens the first faulty field.
    const field = row.type === 'field' ? row.field : firstProblem(rows);
    if (!field) return undefined;
    active = field.variable;
    const edited = await editField(notifications, deps, { field, answer: answers[field.variable], maxBytes });
    if (!edited) continue;
    answers[field.variable] = edited.answer;
    origins.delete(field.variable);
    if (edited.from !== undefined) origins.set(field.variable, edited.from);
  }
}

function firstProblem(rows: readonly FormRow[]): FormField | undefined {
  const row = rows.find((each) => each.type === 'field' && each.hasProblem);
  return row?.type === 'field' ? row.field : undefined;
}

interface RowItem extends vscode.QuickPickItem {
  row: FormRow;
}

async function chooseRow(
  { title, placeholder }: Pick<FormQuestion, 'title' | 'placeholder'>,
  rows: readonly FormRow[],
  active: string | undefined,
): Promise<FormRow | undefined> {
  const pick = vscode.window.createQuickPick<RowItem>();
  pick.title = title;
  pick.placeholder =
    placeholder ?? l10n.t('Select a field to fill it in, or run. Fields with * are required.');
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.items = rows.map((row) => toItem(row));
  const next = pick.items.find(({ row }) => row.type === 'field' && row.field.variable === active);
  const run = rows[0]?.type === 'run' && rows[0].isReady ? pick.items[0] : undefined;
  const first = run ?? next;
  if (first) pick.activeItems = [first];
  return (await acceptedItem(pick))?.row;
}

function toItem(row: FormRow): RowItem {
  if (row.type === 'run') {
    return { label: `$(play) ${row.label}`, detail: row.detail, alwaysShow: true, row };
  }
  const { label, description, detail, hasProblem } = row;
  return {
    label,
    description,
    detail: hasProblem ? `$(warning) ${detail}` : detail,
    row,
  };
}
