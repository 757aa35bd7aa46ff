import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import { fileErrorKind } from '../tools/fileAccess.ts';
import type { ToolDependencies } from '../tools/toolDependencies.ts';
import { FileManifestStorage } from './fileManifestStorage.ts';
import { Knowledge } from './knowledge.ts';
import type { KnowledgeOptions } from './knowledgeOptions.ts';
import { createLocalFiles } from './workspaceLocalFiles.ts';

export interface WorkspaceKnowledgeDependencies {
  client: PlatformClient;
  /** Of the platform. */
  origin: string;
  dependencies: ToolDependencies;
  options(): KnowledgeOptions;
  manifestFolder: string;
  /** As it was stored. */
  searchSettings(datasetId: string): unknown;
  log: Log;
}

/** The platform's knowledge bases joined to the files of this workspace. */
export function createWorkspaceKnowledge({
  client,
  origin,
  dependencies,
  options,
  manifestFolder,
  searchSettings,
  log,
}: WorkspaceKnowledgeDependencies): Knowledge {
  return new Knowledge({
    client,
    origin,
    log,
    files: createLocalFiles(dependencies),
    storage: new FileManifestStorage(manifestFolder),
    options,
    searchSettings,
    clock: { now: Date.now, after: systemClock.after },
    newId: randomUUID,
    processes: { own: processName(process.pid), isRunning },
  });
}

function processName(pid: number): string {
  return `${hostname()} ${pid}`;
}

/** A process of another machine counts as ended: nobody can tell. */
function isRunning(name: string): boolean {
  const pid = Number(name.slice(name.lastIndexOf(' ') + 1));
  if (name !== processName(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, so it is there.
    return fileErrorKind(error) === 'not-permitted';
  }
}
