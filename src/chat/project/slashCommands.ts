import * as l10n from '@vscode/l10n';
import type { CodeRequest } from '../editorRequests/codeRequests.ts';

export type SlashAction = 'generateCommitMessage' | 'compactConversation' | 'newChat' | 'exportChat';

export interface SlashCommand {
  name: string;
  description: string;
  request?: CodeRequest;
  action?: SlashAction;
}

export function slashCommands(): readonly SlashCommand[] {
  return [
    {
      name: 'explain',
      description: l10n.t('Explain the selected code'),
      request: 'explainSelection',
    },
    { name: 'fix', description: l10n.t('Fix the selected code and its problems'), request: 'fixSelection' },
    { name: 'tests', description: l10n.t('Write tests for the selected code'), request: 'generateTests' },
    { name: 'docs', description: l10n.t('Document the selected code'), request: 'documentSelection' },
    { name: 'review', description: l10n.t('Review your changes'), request: 'reviewChanges' },
    { name: 'commit', description: l10n.t('Write a commit message'), action: 'generateCommitMessage' },
    { name: 'compact', description: l10n.t('Compact this conversation'), action: 'compactConversation' },
    { name: 'new', description: l10n.t('Begin a new conversation'), action: 'newChat' },
    { name: 'export', description: l10n.t('Export this conversation'), action: 'exportChat' },
  ];
}
