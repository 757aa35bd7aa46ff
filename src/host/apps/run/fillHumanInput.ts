import * as l10n from '@vscode/l10n';
import type { PausedForm } from '../../../apps/app.ts';
import { initialAnswers, fillFormContent } from '../../../apps/appForm.ts';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import { defaultMaxBytes } from '../../../apps/client/appFiles.ts';
import { uploadingMessage } from '../../../apps/run/performRun.ts';
import { submitForm } from '../../../apps/run/submitForm.ts';
import { formatTime } from '../../../base/text/formatTime.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';

/** Characters shown; a longer text ends with a note. */
const maxShown = 100_000;

export async function fillHumanInput(
  { notifications, apps, view, tools }: AppCommandContext,
  { id: appId, name }: AppRecord,
  { token, title }: PausedForm,
): Promise<boolean> {
  const client = await apps.client(appId);
  const form = await withProgress(notifications, l10n.t('Loading form of {0}…', name), (signal) =>
    client.humanInputForm(token, signal),
  );
  const { content, fields, actions, expiresAtMs } = form;
  const text =
    content.length > maxShown
      ? `${content.slice(0, maxShown)}\n\n${l10n.t('(Truncated. See the platform for the full text.)')}`
      : content;
  const filled = await view.askForm({
    title: oneLine(title || name),
    text: (answers) => fillFormContent(text, fields, answers),
    note: [
      expiresAtMs !== undefined && l10n.t('Open until {0}.', formatTime(expiresAtMs)),
      l10n.t("Submits the form and continues the run. Can't be undone."),
    ]
      .filter(Boolean)
      .join(' '),
    form: fields,
    answers: initialAnswers(fields),
    maxBytes: defaultMaxBytes,
    actions: actions.map((action) => ({ id: action.id, label: oneLine(action.title) })),
  });
  if (!filled) return false;
  const { dependencies } = await tools();
  await withProgress(notifications, name, (signal, report) =>
    submitForm(
      { token, form, ...filled },
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
