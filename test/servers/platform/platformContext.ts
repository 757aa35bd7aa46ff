import type { DatasetStore } from './datasetStore.ts';
import type { Misbehaviours } from './misbehaviours.ts';
import type { EmbeddingModel, PathStyle } from './platformOptions.ts';
import type { ServerVersion } from './serverVersion.ts';
import type { Technique } from './storedDataset.ts';

/** What the routes share. */
export interface PlatformContext {
  readonly version: ServerVersion;
  readonly store: DatasetStore;
  readonly misbehaviours: Misbehaviours;
  readonly paths: PathStyle;
  /** The techniques it takes, in its words; the second is the one without embedding. */
  readonly techniques: readonly ['high_quality', Exclude<Technique, 'high_quality'>];
  /** Whether a part `data` must say that it is plain text. */
  readonly wantsTypedData: boolean;
  readonly embeddingModels: readonly EmbeddingModel[];
  readonly keywordScores: 'ranked' | 'zero' | 'null';
  readonly maxFileBytes: number;
  readonly scope: readonly string[];
}
