import type { AppsOptions } from './apps/appsOptions.ts';
import type { FormEntry } from './apps/inputForm.ts';
import type { IndexingPace } from './indexingRun.ts';
import type { OpenapiOptions } from './openapi/openapiOptions.ts';
import type { Misbehaviour } from './misbehaviours.ts';

/** Whose words it speaks: the real server's (`economy`), or those of the service description (`economical`). */
export type PlatformDialect = 'dify' | 'description';

/** How `create_by_text` and its like may be written. */
export type PathStyle = 'both' | 'underscore' | 'hyphen';

/** A model that knowledge bases can use. */
export interface EmbeddingModel {
  provider: string;
  model: string;
  /** `active` by default, which alone is usable. */
  status?: string;
}

/** A knowledge base that is there from the start, with all its documents indexed. */
export interface SeededDataset {
  dataset: string;
  description?: string;
  /** The server's word for economy by default. */
  technique?: 'high_quality' | 'economy';
  documents?: readonly { name: string; text: string }[];
  /** Filled by a knowledge pipeline. */
  isPipeline?: boolean;
  /** What its pipeline asks for besides its sources; no call tells it. */
  pipelineInputs?: readonly FormEntry[];
  /** False: its pipeline was drawn, but never published. */
  isPublished?: boolean;
}

export interface PlatformOptions extends AppsOptions {
  /** What that version has, lacks and says; 1.14.2 by default, 1.16.1 with `openapi`: those that were recorded. */
  version?: string;
  /** The user-level API, and what it is like. */
  openapi?: OpenapiOptions;
  /** `dify` by default. */
  dialect?: PlatformDialect;
  /** `both` by default as far as the version has them; `underscore` in the dialect `description`. */
  paths?: PathStyle;
  /** How fast documents are indexed: `{ polls: 5 }` by default, a step with each look. */
  indexing?: IndexingPace;
  /** One by default. */
  embeddingModels?: readonly EmbeddingModel[];
  /** What keyword search gives as the score of a segment: 0 as recorded (default), null, or its rank. */
  keywordScores?: 'ranked' | 'zero' | 'null';
  /** Names of the knowledge bases that the key `scoped` opens; none by default. */
  scope?: readonly string[];
  /** There from the start. */
  seed?: readonly SeededDataset[];
  /** As `platform.misbehave` takes them. */
  misbehaviours?: readonly Misbehaviour[];
  /** False: of uploads only the parts' names, types, sizes and hashes are kept, so that any size can be sent. */
  keepBodies?: boolean;
  /** The largest document file; 15 MB by default. */
  maxFileBytes?: number;
  /** The largest body the front proxy lets through; 100 MB by default. */
  maxBodyBytes?: number;
  /** The time in milliseconds since the epoch; the clock by default. */
  now?: () => number;
}
