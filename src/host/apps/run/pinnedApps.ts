import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type FormField, shownFields } from '../../../apps/app.ts';
import { iconOf } from '../../../apps/appKinds.ts';
import type { AppPin, AppRecord } from '../../../apps/appRegistry.ts';
import type { RunResult } from '../../../apps/run/performRun.ts';
import { TrackedRange } from '../../../chat/editorRequests/trackedRange.ts';
import { protectionMessage } from '../../../tools/policy/protectionMessage.ts';
import { toPath } from '../../workspace/workspacePlaces.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { readSelection } from './editorInput.ts';
import { readForm, runApp } from './runApp.ts';
import { confirmText } from '../../ui/modals.ts';

export async function pinApp(context: AppCommandContext, app: AppRecord): Promise<AppPin | undefined> {
  const { form } = await readForm(context.notifications, await context.apps.client(app.id), app);
  const texts = shownFields(form).filter(({ type }) => type === 'text' || type === 'paragraph');
  if (texts.length === 0) {
    void context.notifications.warning(l10n.t('"{0}" has no field for text.', app.name));
    return undefined;
  }
  const field = texts.length === 1 ? texts[0] : await chooseField(app, texts);
  const output = field && (await chooseOutput(app));
  if (!output) return undefined;
  const pin = { field: field.variable, output };
  await context.apps.pin(app.id, pin);
  void context.notifications.information(
    l10n.t(
      'Pinned "{0}". Select text, and choose it from the light bulb, or with Run App on Selection….',
      app.name,
    ),
  );
  return pin;
}

async function chooseField(app: AppRecord, fields: readonly FormField[]): Promise<FormField | undefined> {
  const items = fields.map((field) => ({
    label: field.label,
    description: field.isRequired ? l10n.t('Required') : '',
    field,
  }));
  const title = l10n.t('{0}: Field for the Selection', app.name);
  return (await vscode.window.showQuickPick(items, { title }))?.field;
}

async function chooseOutput(app: AppRecord): Promise<AppPin['output'] | undefined> {
  const items: (vscode.QuickPickItem & { output: AppPin['output'] })[] = [
    { label: l10n.t('Replace the Selection'), output: 'replace' },
    { label: l10n.t('Insert Below the Selection'), output: 'insert' },
    { label: l10n.t('Open in an Editor'), output: 'open' },
  ];
  const title = l10n.t('{0}: Use of the Output', app.name);
  return (await vscode.window.showQuickPick(items, { title }))?.output;
}

export async function runOnSelection(
  context: AppCommandContext,
  appId: unknown,
): Promise<RunResult | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) {
    void context.notifications.information(l10n.t('Select the text first.'));
    return undefined;
  }
  const { dependencies } = await context.tools();
  // Read first: the list takes the focus.
  const input = await readSelection(context.notifications, dependencies);
  const app = input && (await choosePinned(context, appId));
  if (!app?.pin) return undefined;
  const { field, output } = app.pin;
  const kind = app.kind === 'completion' ? 'completion' : 'workflow';
  if (output === 'open') return runApp(context, app, kind, input, { field });
  const selected = new SelectedText(editor);
  try {
    return await runApp(context, app, kind, input, {
      field,
      takeOutput: (text) => writeOutput(context, selected, text, output),
    });
  } finally {
    selected.dispose();
  }
}

async function choosePinned(
  { notifications, apps }: AppCommandContext,
  appId: unknown,
): Promise<AppRecord | undefined> {
  const pinned = apps.listed.filter(({ pin }) => pin);
  const named = pinned.find(({ id }) => id === appId);
  if (named) return named;
  if (pinned.length === 0) {
    void notifications.information(
      l10n.t('No pinned apps. Choose Pin as Action on Selections… in the menu of a workflow.'),
    );
    return undefined;
  }
  const items = pinned.map((app) => ({
    label: `$(${iconOf(app.kind)}) ${app.name}`,
    description: app.description,
    app,
  }));
  const title = l10n.t('Run App on Selection');
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.app;
}

class SelectedText implements vscode.Disposable {
  readonly document: vscode.TextDocument;
  private readonly range: TrackedRange;
  private readonly following: vscode.Disposable;

  constructor({ document, selection }: vscode.TextEditor) {
    this.document = document;
    this.range = new TrackedRange(document.offsetAt(selection.start), document.offsetAt(selection.end));
    this.following = vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => {
      if (changed === document) this.range.follow(contentChanges);
    });
  }

  get place(): vscode.Range | undefined {
    const { document, range } = this;
    if (document.isClosed || range.isChanged) return undefined;
    return new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
  }

  dispose(): void {
    this.following.dispose();
  }
}

async function writeOutput(
  context: AppCommandContext,
  selected: SelectedText,
  text: string,
  output: 'replace' | 'insert',
): Promise<boolean> {
  const { document } = selected;
  const refusal = document.isUntitled ? undefined : await refusalOf(context, document, text);
  const { place } = selected;
  if (refusal === undefined && place) {
    const edit = new vscode.WorkspaceEdit();
    if (output === 'replace') edit.replace(document.uri, place, endedAs(text, document.getText(place)));
    else edit.insert(document.uri, ...below(document, place.end, text));
    if (await vscode.workspace.applyEdit(edit)) return true;
  }
  void context.notifications.warning(
    `${refusal ?? l10n.t('The selected text changed during the run.')} ${l10n.t('The output was opened instead.')}`,
  );
  return false;
}

async function refusalOf(
  { tools }: AppCommandContext,
  { uri }: vscode.TextDocument,
  text: string,
): Promise<string | undefined> {
  const { policy } = (await tools()).dependencies;
  const judged = await policy.check(toPath(uri), 'edit');
  if (!judged.isAllowed) return judged.forUser;
  if (!judged.protection) return undefined;
  const isSure = await confirmText(protectionMessage(judged.protection), l10n.t('Edit'), text);
  return isSure ? undefined : l10n.t("The file wasn't changed.");
}

/** Whole lines stay whole lines. */
function endedAs(text: string, replaced: string): string {
  const bare = text.replace(/\s+$/, '');
  return replaced.endsWith('\n') ? `${bare}\n` : bare;
}

function below(document: vscode.TextDocument, end: vscode.Position, text: string): [vscode.Position, string] {
  const bare = text.replace(/\s+$/, '');
  return end.character === 0 ? [end, `${bare}\n`] : [document.lineAt(end).range.end, `\n${bare}`];
}
