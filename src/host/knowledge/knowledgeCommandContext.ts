import type { Log } from '../../base/log.ts';
import type { ConnectedParts } from '../../knowledge/connectedPlatform.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { Memory } from '../../settings/memory.ts';
import type { Settings } from '../settings.ts';
import type { SourceDocuments } from './sourceDocuments.ts';
import type { MembersOf } from '../../connections/workspaceMembers.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface KnowledgeCommandContext extends ConnectedParts {
  memory: Memory;
  settings: Settings;
  log: Log;
  notifications: Notifications;
  dependencies: ToolDependencies;
  sources: SourceDocuments;
  /** Workspaces that a knowledge base can belong to; none where they can't be listed. */
  members?(of: { baseUrl: string; createdBy: string }, signal: AbortSignal): Promise<MembersOf[]>;
  /** Interrupted runs asked about in this window. Postponed ones wait for another window or the command. */
  askedRuns: Set<string>;
  /** Withdraws the last report of success when the next one comes. */
  goodReport: { shown?: AbortController | undefined };
}
