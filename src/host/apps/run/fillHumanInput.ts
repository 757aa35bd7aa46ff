import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { PausedForm } from '../../../apps/app.ts';
import { initialAnswers, fillFormContent } from '../../../apps/appForm.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { defaultMaxBytes } from '../../../apps/client/appFiles.ts';
import { uploadingMessage } from '../../../apps/run/performRun.ts';
import { submitForm } from '../../../apps/run/submitForm.ts';
import { formatTime } from '../../../base/text/format.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { fillForm } from './fillForm.ts';

/** Characters shown; a longer text ends with a note. */
const maxShown = 100_000;

export async function fillHumanInput(
  { notifications, apps, documents, tools }: AppCommandContext,
  { id: appId, name }: AppRecord,
  { token, title }: PausedForm,
): Promise<boolean> {
  const client = await apps.client(appId);
  const form = await withProgress(notifications, l10n.t('Loading form of {0}…', name), (signal) =>
    client.humanInputForm(token, signal),
  );
  const { content, fields, actions, expiresAtMs } = form;
  const shownTitle = oneLine(title || name);
  const text =
    content.length > maxShown
      ? `${content.slice(0, maxShown)}\n\n${l10n.t('(Truncated. See the platform for the full text.)')}`
      : content;
  const asked = fillFormContent(text, fields, {});
  await documents.show(shownTitle, asked);
  const { dependencies } = await tools();
  const answers =
    fields.length === 0
      ? {}
      : await fillForm(notifications, dependencies, {
          title: shownTitle,
          form: fields,
          answers: initialAnswers(fields),
          maxBytes: defaultMaxBytes,
          origins: new Map(),
          action: l10n.t('Continue'),
          placeholder: l10n.t('Select a field to fill it in, or continue to the decision.'),
        });
  if (!answers) return false;
  // The decision is about the text with the answers.
  const filled = fillFormContent(text, fields, answers);
  if (filled !== asked) await documents.show(shownTitle, filled);
  const picked = await vscode.window.showQuickPick(
    actions.map((action) => ({ label: oneLine(action.title), action: action.id })),
    {
      title:
        expiresAtMs === undefined
          ? shownTitle
          : l10n.t('{0} (until {1})', shownTitle, formatTime(expiresAtMs)),
      placeHolder: l10n.t("Submits the form and continues the run. Can't be undone."),
      ignoreFocusOut: true,
    },
  );
  if (!picked) return false;
  await withProgress(notifications, name, (signal, report) =>
    submitForm(
      { token, form, answers, action: picked.action },
      {
        client,
        signal,
        files: () => Promise.resolve(createLocalFiles(dependencies)),
        onUpload: (file) => report({ message: uploadingMessage(file) }),
      },
    ),
  );
  return true;
}
