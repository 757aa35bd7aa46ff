import type { DatasetStore } from './datasetStore.ts';
import type { Misbehaviours } from './misbehaviours.ts';
import type { EmbeddingModel, PathStyle, SeededAgentBase } from './platformOptions.ts';
import type { ServerVersion } from './serverVersion.ts';
import type { Technique } from './storedDataset.ts';

export interface PlatformContext {
  readonly version: ServerVersion;
  readonly store: DatasetStore;
  readonly misbehaviours: Misbehaviours;
  readonly paths: PathStyle;
  /** Accepted techniques in the server's words; the second is without embedding. */
  readonly techniques: readonly ['high_quality', Exclude<Technique, 'high_quality'>];
  /** True if a `data` part must be declared as plain text. */
  readonly wantsTypedData: boolean;
  readonly embeddingModels: readonly EmbeddingModel[];
  readonly rerankModels: readonly EmbeddingModel[];
  readonly keywordScores: 'ranked' | 'zero' | 'null';
  readonly maxFileBytes: number;
  readonly scope: readonly string[];
  readonly agentBases: readonly SeededAgentBase[];
}
