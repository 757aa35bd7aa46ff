import type { Log } from '../../base/log.ts';
import type { ConnectedParts } from '../../knowledge/connectedPlatform.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { Memory } from '../../settings/memory.ts';
import type { Settings } from '../settings.ts';
import type { SourceDocuments } from './sourceDocuments.ts';

/** What every command of knowledge bases works with, as long as one platform is connected. */
export interface CommandDependencies extends ConnectedParts {
  memory: Memory;
  settings: Settings;
  log: Log;
  dependencies: ToolDependencies;
  sources: SourceDocuments;
}
