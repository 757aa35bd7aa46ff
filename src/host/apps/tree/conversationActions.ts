import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfirmAnnotation } from '../../../chat/apps/appConversations.ts';
import type { AppVariable } from '../../../apps/app.ts';
import type { AppClient } from '../../../apps/client/appClient.ts';
import { readValue, shownValue } from '../../../apps/conversationVariable.ts';
import { withProgress } from '../../ui/withProgress.ts';
import type { ConversationLine } from '../../../apps/appTreeNode.ts';
import { conversationName } from '../../../chat/attachments/separateAttachments.ts';
import { confirmModal } from '../../ui/modals.ts';
import type { Notifications } from '../../ui/notifications.ts';

export async function renameConversation(
  notifications: Notifications,
  client: AppClient,
  { conversation }: ConversationLine,
): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: l10n.t('Rename Conversation'),
    prompt: l10n.t('Leave empty to let the platform name it.'),
    value: conversation.name,
  });
  if (name === undefined) return undefined;
  const renamed = await withProgress(
    notifications,
    l10n.t('Renaming {0}…', conversationName(conversation)),
    (signal) => client.renameConversation(conversation.id, name.trim() || undefined, signal),
  );
  return renamed.name;
}

export async function deleteConversation(
  notifications: Notifications,
  client: AppClient,
  { conversation }: ConversationLine,
): Promise<boolean> {
  const isSure = await confirmModal(
    l10n.t('Delete the conversation "{0}"? This cannot be undone.', conversationName(conversation)),
    l10n.t('Delete'),
    l10n.t('It will be deleted on the platform.'),
  );
  if (isSure) {
    await withProgress(notifications, l10n.t('Deleting {0}…', conversationName(conversation)), (signal) =>
      client.deleteConversation(conversation.id, signal),
    );
  }
  return isSure;
}

export async function editVariables(
  notifications: Notifications,
  client: AppClient,
  { conversation }: ConversationLine,
): Promise<number> {
  for (let set = 0; ; set++) {
    const variables = await withProgress(
      notifications,
      l10n.t('Loading variables of {0}…', conversationName(conversation)),
      (signal) => client.variables(conversation.id, signal),
    );
    if (variables.length === 0) {
      void notifications.information(l10n.t('The conversation has no variables.'));
      return set;
    }
    const picked = await vscode.window.showQuickPick(variables.map(toItem), {
      title: l10n.t('Variables of {0}', conversationName(conversation)),
      placeHolder: l10n.t('Choose one to set it'),
      ignoreFocusOut: true,
    });
    const value = picked && (await askValue(picked.variable));
    if (!picked || value === undefined) return set;
    await withProgress(notifications, l10n.t('Setting {0}…', picked.variable.name), (signal) =>
      client.setVariable(conversation.id, picked.variable.id, value.value, signal),
    );
  }
}

function toItem(variable: AppVariable) {
  const { name, type, value, description } = variable;
  return {
    label: name,
    description: `${shownValue(type, value)} · ${type}`,
    detail: description ?? '',
    variable,
  };
}

async function askValue(variable: AppVariable): Promise<{ value: unknown } | undefined> {
  const typed = await vscode.window.showInputBox({
    title: l10n.t('Set {0}', variable.name),
    prompt: variable.description ?? '',
    value: shownValue(variable.type, variable.value),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readValue(variable.type, text);
      return 'problem' in read ? read.problem : undefined;
    },
  });
  const read = typed === undefined ? undefined : readValue(variable.type, typed);
  return read && 'value' in read ? read : undefined;
}

export const confirmAnnotation: ConfirmAnnotation = (name, isUsed) =>
  confirmModal(
    l10n.t('Save this question and answer as an annotation of {0}?', name),
    l10n.t('Save'),
    isUsed
      ? l10n.t('{0} then gives this answer to everyone who asks a similar question, without a model.', name)
      : l10n.t(
          "Annotation replies are off in {0}, so the annotation isn't used until they are turned on there.",
          name,
        ),
  );
