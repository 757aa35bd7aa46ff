import * as l10n from '@vscode/l10n';
import type { AppKind } from './app.ts';
import type { AppRecord } from './appRegistry.ts';

export type RunnableKind = 'workflow' | 'completion';

export function kindLabel(kind: AppKind): string {
  switch (kind) {
    case 'chat':
      return l10n.t('chat app');
    case 'agent':
      return l10n.t('agent');
    case 'chatflow':
      return l10n.t('chatflow');
    case 'completion':
      return l10n.t('completion app');
    case 'workflow':
      return l10n.t('workflow');
    case 'unknown':
      return l10n.t('app of unknown type');
  }
}

export function iconOf(kind: AppKind): string {
  switch (kind) {
    case 'chat':
      return 'comment';
    case 'agent':
      return 'hubot';
    case 'chatflow':
      return 'comment-discussion';
    case 'completion':
      return 'sparkle';
    case 'workflow':
      return 'type-hierarchy';
    case 'unknown':
      return 'question';
  }
}

/** True if the platform keeps conversations of it; an unknown kind may turn out to. */
export function hasConversations({ kind }: Pick<AppRecord, 'kind'>): boolean {
  return kind === 'chat' || kind === 'agent' || kind === 'chatflow' || kind === 'unknown';
}

export function canRunAs({ kind }: Pick<AppRecord, 'kind'>, wanted: RunnableKind): boolean {
  return kind === wanted || kind === 'unknown';
}
