import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FieldEdit, FieldView, FormView } from '../../src/shared/apps.ts';
import type { ToHost, ToPage } from '../../src/shared/protocol.ts';
import { eventually } from '../support/eventually.ts';

export interface FormScript {
  /** By label. */
  fill?: Readonly<Record<string, string | FieldEdit>>;
  /** Label of an action, by default the first; `''` cancels. */
  press?: string;
  /** Gets the form as it was shown. */
  seen?: FormView[];
}

interface Page {
  form: FormView | undefined;
  post(message: ToHost): void;
  changed: (form: FormView | undefined) => void;
}

/** Each suite is a bundle of its own. */
const shared = globalThis as { switchboardPage?: Page };
const page = (shared.switchboardPage ??= {
  form: undefined,
  post: () => assert.fail('The panel was not shown.'),
  changed: () => undefined,
});

/** Hears what the panel is told, and says what its page would. Must be called before the extension is activated. */
export function listenToPanel(): void {
  const { window } = vscode;
  const { registerWebviewViewProvider } = window;
  Object.assign(window, {
    registerWebviewViewProvider: (
      id: string,
      provider: vscode.WebviewViewProvider,
      options: { webviewOptions?: { retainContextWhenHidden?: boolean } },
    ) =>
      registerWebviewViewProvider.call(
        window,
        id,
        {
          resolveWebviewView: (view, ...rest) =>
            provider.resolveWebviewView(replacing(view, { webview: heard(view.webview) }), ...rest),
        },
        options,
      ),
  });
}

/** Forms beyond the script are cancelled. A form that is shown with problems after an answer takes the next script. */
export async function withForms(
  scripts: readonly FormScript[],
  failed: (error: unknown) => void,
  action: () => Thenable<unknown>,
): Promise<void> {
  const left = [...scripts];
  let answered: string | undefined;
  page.changed = (form) => {
    if (!form) return;
    const isAgain = form.id === answered;
    if (isAgain && form.fields.every(({ problem }) => problem === undefined)) return;
    answered = form.id;
    answer(form, left.shift() ?? { press: '' }).catch((error: unknown) => {
      failed(error);
      page.post({ type: 'answerForm', form: form.id });
    });
  };
  try {
    await action();
  } finally {
    page.changed = () => undefined;
  }
}

async function answer(form: FormView, { fill = {}, press, seen }: FormScript): Promise<void> {
  seen?.push(form);
  for (const [label, edit] of Object.entries(fill)) await fillField(form, label, edit);
  const action = press === '' ? undefined : form.actions.find((each) => each.label === (press ?? each.label));
  assert.ok(action || press === '', `${press} is none of ${form.actions.map(({ label }) => label).join()}`);
  // A visible panel shows the notices that the tests expect from the editor.
  await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
  page.post({ type: 'answerForm', form: form.id, ...(action && { action: action.id }) });
}

async function fillField(form: FormView, label: string, edit: string | FieldEdit): Promise<void> {
  const find = (shown: FormView | undefined): FieldView | undefined =>
    shown?.fields.find((each) => each.label === label);
  const before =
    find(form) ?? assert.fail(`${label} is none of ${form.fields.map((each) => each.label).join()}`);
  const isTyped = typeof edit === 'string';
  page.post({
    ...{ type: 'fillField', form: form.id, variable: before.variable },
    edit: isTyped ? { type: 'value', value: edit } : edit,
  });
  // The page isn't told what was typed in it.
  if (!isTyped) await eventually(() => assert.notDeepEqual(find(page.form), before));
}

function heard(webview: vscode.Webview): vscode.Webview {
  const received = new vscode.EventEmitter<unknown>();
  webview.onDidReceiveMessage((message) => received.fire(message));
  page.post = (message) => received.fire(message);
  return replacing(webview, {
    onDidReceiveMessage: received.event,
    postMessage(message: ToPage) {
      if (message.type === 'formChanged') {
        page.form = message.form;
        page.changed(message.form);
      }
      return webview.postMessage(message);
    },
  });
}

function replacing<T extends object>(whole: T, parts: Partial<T>): T {
  return new Proxy(whole, {
    get(target, name) {
      if (name in parts) return parts[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}
