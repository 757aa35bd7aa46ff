export type AppStep =
  /** Text of the answer, in pieces of about a word; `whole` sends it in one event. */
  | { type: 'text'; text: string; whole?: boolean; event?: 'message' | 'message_file' }
  | { type: 'replace'; text: string }
  | { type: 'messageEvent'; event: string; fields: object }
  /** An agent's thought; the same id again adds to it. */
  | { type: 'thought'; thought: ThoughtSpec }
  | { type: 'flowEvent'; event: string; data: object }
  | { type: 'nodeStarted'; node: NodeSpec }
  | { type: 'nodeRetried'; node: NodeSpec; error: string }
  | { type: 'nodeFinished'; node: NodeSpec; outputs?: object; error?: string }
  | { type: 'sources'; sources: readonly object[] }
  /** Files of the answer, sent at its end. */
  | { type: 'files'; files: readonly object[] }
  | { type: 'outputs'; outputs: object }
  /** The flow fails here; the rest of the script is skipped. */
  | { type: 'failRun'; error: string }
  /** An error of the model: the stream's `error` event, or the answer when nothing is streamed. */
  | { type: 'fail'; code: string; status: number; message: string }
  /** The run waits for a person; the script continues when the form is submitted. */
  | { type: 'pause'; formTitle: string; formContent: string; fields?: readonly FormInput[] }
  | { type: 'ping' }
  | { type: 'stall' }
  /** The body ends without an end event. */
  | { type: 'hangUp' }
  | { type: 'destroy' };

export interface FormInput {
  readonly type: 'paragraph' | 'select' | 'file' | 'file-list';
  readonly output_variable_name: string;
  readonly [field: string]: unknown;
}

export interface NodeSpec {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  /** Reported duration in seconds. */
  readonly seconds?: number;
  readonly tokens?: number;
  readonly inputs?: object;
  readonly within?: { readonly iteration_id?: string; readonly loop_id?: string; readonly round: number };
}

export interface ThoughtSpec {
  /** Any text, unique within an answer; the wire carries a UUID for it. */
  readonly id: string;
  readonly position: number;
  readonly thought: string;
  readonly tool?: string;
  readonly toolLabel?: string;
  readonly toolInput?: string;
  readonly observation?: string;
  readonly messageFiles?: readonly string[];
}

export const text = (value: string): AppStep => ({ type: 'text', text: value });
export const piece = (value: string): AppStep => ({ type: 'text', text: value, whole: true });

export function* node(
  spec: NodeSpec,
  outputs: object = {},
  inside: Iterable<AppStep> = [],
): Iterable<AppStep> {
  yield { type: 'nodeStarted', node: spec };
  yield* inside;
  yield { type: 'nodeFinished', node: spec, outputs };
}
