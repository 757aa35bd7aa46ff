import type { AppsOptions } from './apps/appsOptions.ts';
import type { FormEntry } from './apps/inputForm.ts';
import type { IndexingPace } from './indexingRun.ts';
import type { OpenapiOptions } from './openapi/openapiOptions.ts';
import type { Misbehaviour } from './misbehaviours.ts';

/** Wording of the real server (`economy`), or of the service description (`economical`). */
export type PlatformDialect = 'dify' | 'description';

/** Accepted spellings of `create_by_text` and its like. */
export type PathStyle = 'both' | 'underscore' | 'hyphen';

export interface EmbeddingModel {
  provider: string;
  model: string;
  /** `active` by default; other models are unusable. */
  status?: string;
}

/** A knowledge base present from the start, all documents indexed. */
export interface SeededDataset {
  dataset: string;
  description?: string;
  /** The server's word for economy by default. */
  technique?: 'high_quality' | 'economy';
  documents?: readonly { name: string; text: string }[];
  isPipeline?: boolean;
  /** Inputs of its pipeline besides its sources; no call lists them. */
  pipelineInputs?: readonly FormEntry[];
  /** False: its pipeline was drawn, but never published. */
  isPublished?: boolean;
}

/** A knowledge base for agents, with its evidence by section. */
export interface SeededAgentBase {
  /** A UUID. */
  id: string;
  /** False: only keys for all knowledge bases open it. */
  isInScope?: boolean;
  sections: readonly { path: readonly string[]; page?: number; text: string }[];
}

export interface PlatformOptions extends AppsOptions {
  /** Version to behave like; the recorded ones by default: 1.14.2, or 1.16.1 with `openapi`. */
  version?: string;
  openapi?: OpenapiOptions;
  /** `dify` by default. */
  dialect?: PlatformDialect;
  /** `both` by default as far as the version has them; `underscore` in the dialect `description`. */
  paths?: PathStyle;
  /** `{ polls: 5 }` by default: a step with each poll. */
  indexing?: IndexingPace;
  /** One by default. */
  embeddingModels?: readonly EmbeddingModel[];
  /** None by default; they change no order. */
  rerankModels?: readonly EmbeddingModel[];
  /** Scores of keyword search: 0 as recorded (default), null, or the rank. */
  keywordScores?: 'ranked' | 'zero' | 'null';
  /** Names of the knowledge bases that the key `scoped` opens; none by default. */
  scope?: readonly string[];
  seed?: readonly SeededDataset[];
  /** None by default; documented since 1.18. */
  agentBases?: readonly SeededAgentBase[];
  misbehaviours?: readonly Misbehaviour[];
  /** False: uploads are reduced to their parts' names, types, sizes and hashes, so any size can be sent. */
  keepBodies?: boolean;
  /** 15 MB by default. */
  maxFileBytes?: number;
  /** Limit of the front proxy; 100 MB by default. */
  maxBodyBytes?: number;
  /** In ms since the epoch; the clock by default. */
  now?: () => number;
}
