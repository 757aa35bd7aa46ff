import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import { fileErrorKind } from '../../tools/files/fileSystem.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { FileManifestStorage } from '../manifest/manifestStorage.ts';
import { Knowledge } from '../knowledge.ts';
import type { AddedBase } from '../knowledgeBases.ts';
import type { KnowledgeOptions } from '../indexing/indexingSettings.ts';
import { SourceChecker } from '../sources/sourceChecker.ts';
import { createLocalFiles } from './workspaceLocalFiles.ts';

export interface WorkspaceKnowledgeDependencies {
  client: PlatformClient;
  origin: string;
  dependencies: ToolDependencies;
  options(): KnowledgeOptions;
  manifestFolder: string;
  searchSettings(datasetId: string): unknown;
  addedBases(): readonly AddedBase[];
  log: Log;
}

export function createWorkspaceKnowledge({
  client,
  origin,
  dependencies,
  options,
  manifestFolder,
  searchSettings,
  addedBases,
  log,
}: WorkspaceKnowledgeDependencies): Knowledge {
  return new Knowledge({
    client,
    origin,
    log,
    files: createLocalFiles(dependencies),
    sources: new SourceChecker({ files: dependencies, log }),
    storage: new FileManifestStorage(manifestFolder),
    options,
    searchSettings,
    addedBases,
    clock: { now: Date.now, after: systemClock.after },
    newId: randomUUID,
    processes: { own: processName(process.pid), isRunning },
  });
}

function processName(pid: number): string {
  return `${hostname()} ${pid}`;
}

/** A process of another machine counts as ended: it can't be checked. */
function isRunning(name: string): boolean {
  const pid = Number(name.slice(name.lastIndexOf(' ') + 1));
  if (name !== processName(pid)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process, so it exists.
    return fileErrorKind(error) === 'not-permitted';
  }
}
