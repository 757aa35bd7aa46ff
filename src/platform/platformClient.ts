import { createChildChunkCalls } from './documents/childChunks.ts';
import { createDatasetCalls } from './datasets.ts';
import { createDocumentCalls } from './documents/documents.ts';
import { createMetadataCalls } from './documents/metadata.ts';
import { listModels } from './platformModels.ts';
import { createPipelineCalls } from './pipelines.ts';
import { createCaller, type PlatformContext } from './platformCall.ts';
import type { FoundSegment } from './records.ts';
import { createSegmentCalls } from './documents/segments.ts';
import { createTagCalls } from './tags.ts';
import { testDatasetKey } from './testConnection.ts';

export type PlatformClient = ReturnType<typeof createPlatformClient>;

/**
 * A platform with a key for all knowledge bases of its workspace, or some. Throws `SwitchboardError`s, one that
 * `isMissingOnServer` recognises for what its version lacks. Only reads are retried: what changes is sent once, except
 * for the second try in the server's dialect and after a rate limit, which refuses before anything is done.
 */
export function createPlatformClient(context: PlatformContext) {
  const caller = createCaller(context, 'knowledge');
  const documents = createDocumentCalls(caller, context);
  const datasets = createDatasetCalls(caller, context);
  return {
    /** The number of knowledge bases; `scoped` for a key of some. Throws `key`, which names the app of an app's key. */
    testConnection: async (signal: AbortSignal): Promise<number | 'scoped'> =>
      (await testDatasetKey(context, signal)) ?? (await datasets.list(signal)).length,
    get serverVersion() {
      return context.serverVersion;
    },
    datasets,
    agentBases: {
      /** Throws if the key doesn't open it. The query isn't run. */
      open: async (baseId: string, query: string, signal: AbortSignal): Promise<void> => {
        await (await import('./agentBases.ts')).createQueryToken(caller, baseId, query, signal);
      },
      search: async (baseId: string, query: string, signal: AbortSignal): Promise<FoundSegment[]> =>
        (await import('./agentBases.ts')).searchAgentBase(context, caller, { baseId, query }, signal),
    },
    documents,
    segments: createSegmentCalls(caller, context),
    childChunks: createChildChunkCalls(caller, context),
    metadata: createMetadataCalls(caller, documents),
    tags: createTagCalls(caller, context),
    pipelines: createPipelineCalls(caller),
    models: (type: 'text-embedding' | 'rerank', signal: AbortSignal) => listModels(caller, type, signal),
  };
}
