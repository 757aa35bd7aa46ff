import type { AppConversation } from '../../apps/app.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import type { AppService } from '../../apps/appService.ts';
import type { Log } from '../../base/log.ts';
import type { PlatformConnections } from '../../connections/platformConnections.ts';
import type { UnencryptedOrigins } from '../connectServer.ts';
import type { DiagnoseDependencies } from '../diagnoseConnection.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';
import type { AudioFiles } from './audioFiles.ts';
import type { AppDocuments } from './appDocuments.ts';

export interface AppCommandsDependencies extends DiagnoseDependencies {
  apps: AppService;
  /** For the address that is proposed. */
  platforms: PlatformConnections;
  tools(): Promise<WorkspaceTools>;
  memory: UnencryptedOrigins;
  log: Log;
  /** Shows the panel with the app chosen for the next message. */
  openInChat(app: AppRecord): Promise<unknown>;
  /** Shows a conversation that the platform keeps, to be gone on with. */
  openConversation(app: AppRecord, conversation: AppConversation): Promise<unknown>;
}

/** What every command for apps works with. */
export interface AppCommandContext extends AppCommandsDependencies {
  documents: AppDocuments;
  audio: AudioFiles;
  /** A run came to its end, or was dismissed: what lists the runs of the app looks again. */
  ran(app: AppRecord): void;
}
