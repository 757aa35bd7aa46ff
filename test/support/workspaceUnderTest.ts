// A workspace folder on the disk joined to a platform, without an editor.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createLocalFiles } from '../../src/knowledge/files/workspaceLocalFiles.ts';
import { FileManifestStorage, type ManifestStorage } from '../../src/knowledge/manifest/manifestStorage.ts';
import { SourceChecker } from '../../src/knowledge/sources/sourceChecker.ts';
import { Knowledge } from '../../src/knowledge/knowledge.ts';
import type { KnowledgeOptions } from '../../src/knowledge/indexing/indexingSettings.ts';
import type { LocalFiles } from '../../src/knowledge/files/localFiles.ts';
import type { UploadPlan } from '../../src/knowledge/upload/uploadPlan.ts';
import type { UploadReport } from '../../src/knowledge/upload/uploadResults.ts';
import type { PlatformClient } from '../../src/platform/platformClient.ts';
import { createToolDependencies } from '../../src/tools/allTools.ts';
import { nodeFileSystem } from '../../src/tools/files/nodeFileSystem.ts';
import { allSelected } from './memoryKnowledge.ts';
import { MemoryWorkspace } from './memoryWorkspace.ts';
import { silentLog } from './silentLog.ts';

export interface WorkspaceWindow {
  knowledge: Knowledge;
  files: LocalFiles;
  storage: ManifestStorage;
  options: KnowledgeOptions;
  workspace: MemoryWorkspace;
  plan(datasetId: string, path?: string, isSync?: boolean): Promise<UploadPlan>;
  send(datasetId: string, path?: string, isSync?: boolean): Promise<UploadReport>;
}

export class WorkspaceUnderTest {
  /** Stored settings by knowledge base. */
  readonly searchSettings = new Map<string, object>();
  private readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-knowledge-')));
  private readonly windows: Knowledge[] = [];
  readonly folder = join(this.base, 'app');
  readonly signal = new AbortController().signal;

  /** @param haste factor by which time goes faster, so that waits of seconds are short */
  constructor(
    files: Record<string, string | Uint8Array> = {},
    private readonly haste = 100,
  ) {
    mkdirSync(this.folder);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  /** Sets the file's time to a minute ago by default, to tell it from later changes. */
  write(path: string, content: string | Uint8Array, secondsAgo = 60): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const time = Date.now() / 1000 - secondsAgo;
    utimesSync(file, time, time);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path));
  }

  open(
    client: PlatformClient,
    change: (parts: { files: LocalFiles; storage: ManifestStorage }) => {
      files?: LocalFiles;
      storage?: ManifestStorage;
    } = () => ({}),
  ): WorkspaceWindow {
    const workspace = new MemoryWorkspace({}, nodeFileSystem);
    workspace.folderList = [{ name: 'app', path: this.folder, isVirtual: false }];
    const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
    const parts = {
      files: createLocalFiles(deps),
      storage: new FileManifestStorage(join(this.base, 'manifests')),
    };
    const { files = parts.files, storage = parts.storage } = change(parts);
    const options: KnowledgeOptions = {
      processRule: { mode: 'automatic' },
      technique: 'economical',
      concurrency: 3,
      maxFileSizeBytes: 500_000_000,
      exclude: [],
    };
    const began = Date.now();
    const { haste } = this;
    let ids = 0;
    const knowledge = new Knowledge({
      client,
      origin: 'http://platform.test',
      files,
      sources: new SourceChecker({ files: deps, log: silentLog }),
      storage,
      options: () => options,
      searchSettings: (id) => this.searchSettings.get(id),
      addedBases: () => [],
      clock: {
        now: () => began + (Date.now() - began) * haste,
        after: (ms, call) => systemClock.after(ms / haste, call),
      },
      log: silentLog,
      processes: { own: 'this', isRunning: () => false },
      newId: () => `${began}-${this.windows.length}-${++ids}`,
    });
    this.windows.push(knowledge);
    const plan = (datasetId: string, path = '', isSync = false) => {
      const targets = [{ type: 'path' as const, path: join(this.folder, path) }];
      return knowledge.uploads.plan({ datasetId, targets, isSync }, this.signal);
    };
    return {
      ...{ knowledge, files, storage, options, plan, workspace },
      send: async (...args) => {
        const planned = await plan(...args);
        return knowledge.uploads.run(planned, allSelected(planned), this.signal);
      },
    };
  }

  dispose(): void {
    for (const knowledge of this.windows) knowledge.dispose();
    rmSync(this.base, { recursive: true, force: true });
  }
}
