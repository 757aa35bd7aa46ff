import type { LiveRun } from './liveRun.ts';

export interface AppFile {
  readonly id: string;
  /** `image`, `document`, `audio`, `video`, `custom`. */
  readonly type: string;
  readonly method: 'local_file' | 'remote_url';
  readonly name: string;
  readonly url?: string;
  readonly size: number;
  readonly mimeType: string;
  readonly extension: string;
  /** Undefined if the file isn't text, or was too large to keep. */
  readonly text?: string;
}

/** A stored file, which belongs to one user of one app. */
export interface UploadedAppFile extends AppFile {
  readonly app: string;
  readonly user: string;
  /** In seconds, like all times of records. */
  readonly createdAt: number;
}

export type VariableValue = string | number | readonly string[] | Readonly<Record<string, unknown>>;

export interface StoredVariable {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  value: VariableValue;
  updatedAt: number;
}

export interface StoredConversation {
  readonly id: string;
  /** The app's key. */
  readonly app: string;
  readonly user: string;
  name: string;
  /** Inputs of its first message. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  updatedAt: number;
  /** Grows with each change, where seconds are too coarse to sort by. */
  readonly createdOrder: number;
  updatedOrder: number;
  readonly messages: StoredMessage[];
  readonly variables: StoredVariable[];
}

export interface StoredMessage {
  readonly id: string;
  readonly app: string;
  readonly user: string;
  readonly conversation: StoredConversation | undefined;
  readonly query: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly files: readonly AppFile[];
  readonly createdAt: number;
  answer: string;
  /** The last version of each thought, in the order sent. */
  thoughts: Record<string, unknown>[];
  sources: readonly object[];
  feedback: StoredFeedback | undefined;
  error: string | undefined;
}

export interface StoredAnnotation {
  readonly id: string;
  readonly app: string;
  readonly question: string;
  readonly answer: string;
  hits: number;
  readonly createdAt: number;
}

export interface StoredFeedback {
  readonly id: string;
  rating: 'like' | 'dislike';
  content: string | null;
  readonly createdAt: number;
  updatedAt: number;
}

export interface StoredRun {
  readonly id: string;
  readonly app: string;
  readonly user: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly message: StoredMessage | undefined;
  /** Replaced after each submitted form. */
  live: LiveRun;
  /** Replayed to late listeners: the start and the steps so far. */
  readonly past: object[];
  /** Events of the pending forms; empty while the run goes on. */
  waiting: readonly object[];
  readonly createdAt: number;
  finishedAt: number | undefined;
  status: 'running' | 'succeeded' | 'failed' | 'stopped' | 'paused';
  outputs: object;
  error: string | null;
  steps: number;
  tokens: number;
  seconds: number;
}
