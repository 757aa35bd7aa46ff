import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FormField, MaxBytes } from '../../../apps/app.ts';
import { type FormAnswer, isTicked, problemWith, textOf } from '../../../apps/appForm.ts';
import type { EditorInput } from '../../../apps/run/choosePrefill.ts';
import type { ToolDependencies } from '../../../tools/toolDependencies.ts';
import { acceptedItem } from '../../ui/quickPicks.ts';
import { chooseFiles } from './chooseFiles.ts';
import { appScheme } from '../../ids.ts';
import { editInDocument } from './editInDocument.ts';
import { readCurrentFile, readSelection } from './editorInput.ts';
import type { Notifications } from '../../ui/notifications.ts';

export interface FieldQuestion {
  field: FormField;
  answer: FormAnswer | undefined;
  maxBytes: MaxBytes;
}

export interface EditedField {
  answer: FormAnswer | undefined;
  from?: string;
}

export async function editField(
  notifications: Notifications,
  deps: ToolDependencies,
  question: FieldQuestion,
): Promise<EditedField | undefined> {
  const { field, answer } = question;
  if (field.files) return chooseFiles(notifications, deps, { ...question, accepted: field.files });
  switch (field.type) {
    case 'checkbox':
      return { answer: !isTicked(field, answer) };
    case 'select':
      return chooseOption(field);
    case 'text':
      // Input boxes hold one line.
      return textOf(answer).includes('\n') ? chooseText(notifications, deps, question) : typeAnswer(question);
    case 'paragraph':
    case 'json':
      return chooseText(notifications, deps, question);
    default:
      return typeAnswer(question);
  }
}

async function chooseOption(field: FormField): Promise<EditedField | undefined> {
  const none = { label: l10n.t('No answer'), option: undefined };
  const options = (field.options ?? []).map((option) => ({ label: option, option }));
  const picked = await vscode.window.showQuickPick<{ label: string; option: string | undefined }>(
    field.isRequired ? options : [...options, none],
    { title: field.label, placeHolder: field.placeholder ?? field.hint ?? '', ignoreFocusOut: true },
  );
  return picked && { answer: picked.option };
}

async function typeAnswer({ field, answer, maxBytes }: FieldQuestion): Promise<EditedField | undefined> {
  const typed = await vscode.window.showInputBox({
    title: field.label,
    prompt: field.hint ?? '',
    placeHolder: field.placeholder ?? '',
    value: textOf(answer),
    ignoreFocusOut: true,
    // An empty field may be left: the form marks it as missing.
    validateInput: (text) => (text === '' ? undefined : problemWith(field, text, maxBytes)),
  });
  return typed === undefined ? undefined : { answer: typed === '' ? undefined : typed };
}

interface Way extends vscode.QuickPickItem {
  take(typed: string): Promise<EditedField | undefined>;
}

async function chooseText(
  notifications: Notifications,
  deps: ToolDependencies,
  question: FieldQuestion,
): Promise<EditedField | undefined> {
  const { field, answer, maxBytes } = question;
  const editor = vscode.window.activeTextEditor;
  const taking = async (read: Promise<EditorInput | undefined>) => {
    const input = await read;
    return input && { answer: input.text, from: l10n.t('From {0}', input.from) };
  };
  const ways: (Way | false | undefined)[] = [
    !textOf(answer).includes('\n') && {
      label: l10n.t('$(edit) Enter Text…'),
      // Fast typists may type into the list before the next input box opens.
      alwaysShow: true,
      async take(typed) {
        const isAnswer = typed !== '' && problemWith(field, typed, maxBytes) === undefined;
        return isAnswer ? { answer: typed } : typeAnswer({ ...question, answer: typed || answer });
      },
    },
    editor &&
      !editor.selection.isEmpty && {
        label: l10n.t('$(selection) Use Selection'),
        take: () => taking(readSelection(notifications, deps)),
      },
    // Our documents about apps are no files.
    editor &&
      editor.document.uri.scheme !== appScheme && {
        label: l10n.t('$(file) Use Current File'),
        detail: vscode.workspace.asRelativePath(editor.document.uri),
        take: () => taking(readCurrentFile(notifications, deps)),
      },
    {
      label: l10n.t('$(go-to-file) Edit in Editor…'),
      detail: l10n.t('Save to return to the form.'),
      async take() {
        const text = await editInDocument(field.label, textOf(answer), field.type === 'json' ? 'json' : 'md');
        return text === undefined ? undefined : { answer: text };
      },
    },
    answer !== undefined && {
      label: l10n.t('$(clear-all) Clear'),
      take: () => Promise.resolve({ answer: undefined }),
    },
  ];
  const pick = vscode.window.createQuickPick<Way>();
  pick.title = field.label;
  pick.placeholder = l10n.t('Enter text, or choose where it comes from');
  pick.ignoreFocusOut = true;
  pick.items = ways.filter((way) => way !== false && way !== undefined);
  const way = await acceptedItem(pick);
  return way?.take(pick.value);
}
