import { randomUUID } from 'node:crypto';
import { createKnowledge } from '../../knowledge/createKnowledge.ts';
import type { Knowledge, KnowledgeOptions } from '../../knowledge/knowledge.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import type { ToolNeeds } from '../../tools/toolNeeds.ts';
import type { Settings } from '../settings.ts';
import { FileManifestStorage } from './fileManifestStorage.ts';
import { createLocalFiles } from './workspaceLocalFiles.ts';

export interface WorkspaceKnowledgeDependencies {
  client: PlatformClient;
  /** Of the platform. */
  origin: string;
  needs: ToolNeeds;
  settings: Settings;
  manifestFolder: string;
}

/** The platform's knowledge bases joined to the files of this workspace. */
export function createWorkspaceKnowledge({
  client,
  origin,
  needs,
  settings,
  manifestFolder,
}: WorkspaceKnowledgeDependencies): Knowledge {
  return createKnowledge({
    client,
    origin,
    files: createLocalFiles(needs),
    storage: new FileManifestStorage(manifestFolder),
    options: () => readOptions(settings),
    now: Date.now,
    newId: randomUUID,
    later(ms, callback) {
      const timer = setTimeout(callback, ms);
      return { dispose: () => clearTimeout(timer) };
    },
  });
}

function readOptions(settings: Settings): KnowledgeOptions {
  return {
    processRule: settings.get('knowledge.processRule'),
    technique: settings.get('knowledge.indexingTechnique'),
    concurrency: settings.get('knowledge.concurrency'),
    maxFileSizeBytes: settings.get('knowledge.maxFileSizeMb') * 1_000_000,
    exclude: settings.get('knowledge.exclude'),
  };
}
