import type { LiveRun } from './liveRun.ts';

/** A file that an app was given: uploaded, or an address. */
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
  /** Undefined for what is not text, or was too large to keep. */
  readonly text?: string;
}

/** A file in the platform's store. It belongs to one user of one app. */
export interface UploadedAppFile extends AppFile {
  readonly app: string;
  readonly user: string;
  /** Seconds. */
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
  /** Of its first message. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Seconds. */
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
  /** Undefined for completions. */
  readonly conversation: StoredConversation | undefined;
  readonly query: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly files: readonly AppFile[];
  /** Seconds. */
  readonly createdAt: number;
  answer: string;
  /** As they were sent, the last telling of each. */
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
  /** Seconds. */
  readonly createdAt: number;
}

export interface StoredFeedback {
  readonly id: string;
  rating: 'like' | 'dislike';
  content: string | null;
  readonly createdAt: number;
  updatedAt: number;
}

/** A run of a workflow or chatflow. */
export interface StoredRun {
  readonly id: string;
  readonly app: string;
  readonly user: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** What a chatflow answers with. */
  readonly message: StoredMessage | undefined;
  /** Another one after each form that it waited for. */
  live: LiveRun;
  /** What who listens later is told first: its start and its steps so far. */
  readonly past: object[];
  /** The events of what it waits for; empty while it goes on. */
  waiting: readonly object[];
  /** Seconds. */
  readonly createdAt: number;
  finishedAt: number | undefined;
  status: 'running' | 'succeeded' | 'failed' | 'stopped' | 'paused';
  outputs: object;
  error: string | null;
  steps: number;
  tokens: number;
  seconds: number;
}
