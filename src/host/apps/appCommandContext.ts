import type { AppConversation } from '../../apps/app.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import type { Log } from '../../base/log.ts';
import type { PlatformConnections } from '../../connections/serverConnections.ts';
import type { DiagnoseDependencies } from '../connect/diagnoseConnection.ts';
import type { Flows } from '../flows/flowFiles.ts';
import type { Memory } from '../../settings/memory.ts';
import type { ChatView } from '../panel/chatView.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import type { SignInDependencies } from './signIn.ts';
import type { AudioFiles } from './audioFiles.ts';
import type { AppDocuments } from './appDocuments.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface AppCommandsDependencies extends DiagnoseDependencies, SignInDependencies {
  platforms: PlatformConnections;
  tools(): Promise<WorkspaceTools>;
  memory: SignInDependencies['memory'] & Pick<Memory, 'isSetupSkipped'>;
  log: Log;
  flows: Flows;
  view: Pick<ChatView, 'askForm'>;
  openInChat(app: AppRecord): Promise<unknown>;
  openConversation(app: AppRecord, conversation: AppConversation): Promise<unknown>;
}

export interface AppCommandContext extends AppCommandsDependencies {
  documents: AppDocuments;
  audio: AudioFiles;
  ran(app: AppRecord): void;
  notifications: Notifications;
}
