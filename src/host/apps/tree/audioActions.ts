import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppRecord } from '../../../apps/appRegistry.ts';
import type { ConversationLine } from '../../../apps/appTreeNode.ts';
import { audioExtensions, maxAudioBytes } from '../../../apps/client/appAudio.ts';
import { formatSize } from '../../../base/text/formatSize.ts';
import { oneLine } from '../../../base/text/oneLine.ts';
import { safeFileName } from '../../../base/files/safeFileName.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import { commandId } from '../../ids.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { AppCommandContext } from '../appCommandContext.ts';
import { takeFiles } from '../chooseLocalFiles.ts';
import type { Notifications } from '../../ui/notifications.ts';

export async function transcribeAudio(
  { notifications, apps, tools }: AppCommandContext,
  { id, name }: AppRecord,
): Promise<string | undefined> {
  const client = await apps.client(id);
  const { transcribes } = await withProgress(
    notifications,
    l10n.t('Loading app info of {0}…', name),
    (signal) => client.parameters(signal),
  );
  if (!transcribes) {
    void notifications.warning(l10n.t('Speech to text is off in "{0}". Enable it on the platform.', name));
    return undefined;
  }
  const { dependencies } = await tools();
  const uris = await vscode.window.showOpenDialog({
    title: l10n.t('Transcribe Audio'),
    filters: { [l10n.t('Audio')]: [...audioExtensions] },
  });
  const [file] = (uris && (await takeFiles(notifications, dependencies, uris))) ?? [];
  if (!file) return undefined;
  if (file.size > maxAudioBytes) {
    const limit = formatSize(maxAudioBytes);
    void notifications.warning(l10n.t('"{0}" is larger than {1}, the limit for audio.', file.name, limit));
    return undefined;
  }
  // Checked again: the file may have changed since it was selected.
  const open = await createLocalFiles(dependencies).open(file.realPath);
  if ('refusal' in open) {
    void notifications.warning(open.refusal);
    return undefined;
  }
  let text: string;
  try {
    text = await withProgress(notifications, l10n.t('Transcribing {0}…', file.name), (signal) =>
      client.transcribe({ name: file.name, size: open.size, open: () => open.stream() }, signal),
    );
  } finally {
    await open.close();
  }
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
  await vscode.window.showTextDocument(document, { preview: false });
  void offerToAdd(notifications, file.name);
  return text;
}

async function offerToAdd(notifications: Notifications, name: string): Promise<void> {
  const add = l10n.t('Add to Chat');
  const answer = await notifications.information(l10n.t('Transcribed {0}.', oneLine(name, 80)), add);
  if (answer === add) await vscode.commands.executeCommand(commandId('addToChat'));
}

export async function readAnswerAloud(
  { notifications, apps, audio }: AppCommandContext,
  { parent: { app }, conversation }: ConversationLine,
): Promise<number | undefined> {
  const client = await apps.client(app.id);
  const spoken = await withProgress(
    notifications,
    l10n.t('Loading audio from {0}…', app.name),
    async (signal) => {
      if (!(await client.parameters(signal)).speaks) return 'off';
      const { messages } = await client.messages(conversation.id, undefined, signal);
      const last = messages.findLast(({ answer }) => answer !== '');
      return last && client.speak(last.id, signal);
    },
  );
  if (spoken === 'off') {
    void notifications.warning(
      l10n.t('Text to speech is off in "{0}". Enable it on the platform.', app.name),
    );
    return undefined;
  }
  if (!spoken) {
    void notifications.warning(l10n.t('There is no answer to read aloud yet.'));
    return undefined;
  }
  const name = `${safeFileName(conversation.name, 'answer')}.${spoken.extension}`;
  await vscode.commands.executeCommand('vscode.open', audio.keep(name, spoken.bytes));
  return spoken.bytes.byteLength;
}
