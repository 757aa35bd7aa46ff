/** One thing that an app does while it answers. */
export type AppStep =
  /** Text of the answer, in pieces of about a word; `whole` sends it in one event. */
  | { type: 'text'; text: string; whole?: boolean; event?: 'message' | 'message_file' }
  /** All text so far is this instead. */
  | { type: 'replace'; text: string }
  /** Any event of a message, with its own fields. */
  | { type: 'messageEvent'; event: string; fields: object }
  /** What an agent thinks; the same id again adds to it. */
  | { type: 'thought'; thought: ThoughtSpec }
  /** Any event of a flow, with what stands in its `data`. */
  | { type: 'flowEvent'; event: string; data: object }
  | { type: 'nodeStarted'; node: NodeSpec }
  | { type: 'nodeRetried'; node: NodeSpec; error: string }
  | { type: 'nodeFinished'; node: NodeSpec; outputs?: object; error?: string }
  /** Retrieved segments that the answer rests on. */
  | { type: 'sources'; sources: readonly object[] }
  /** Files of the answer, told at its end. */
  | { type: 'files'; files: readonly object[] }
  /** What a workflow gives. */
  | { type: 'outputs'; outputs: object }
  /** The flow has failed; nothing of the script follows. */
  | { type: 'failRun'; error: string }
  /** An error of the model: the stream's `error` event, or the answer when nothing is streamed. */
  | { type: 'fail'; code: string; status: number; message: string }
  /** The run waits for a person; the script goes on when the form was submitted. */
  | { type: 'pause'; formTitle: string; formContent: string; fields?: readonly FormInput[] }
  /** A keep-alive. */
  | { type: 'ping' }
  /** Nothing more ever comes. */
  | { type: 'stall' }
  /** The body ends, without any event that says so. */
  | { type: 'hangUp' }
  /** The connection breaks. */
  | { type: 'destroy' };

/** An input of a form, as it stands on the wire. */
export interface FormInput {
  readonly type: 'paragraph' | 'select' | 'file' | 'file-list';
  readonly output_variable_name: string;
  readonly [field: string]: unknown;
}

/** A node as it is drawn in the flow. */
export interface NodeSpec {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  /** How long it is said to take, in seconds. */
  readonly seconds?: number;
  readonly tokens?: number;
  readonly inputs?: object;
  /** Of the iteration or loop it runs in. */
  readonly within?: { readonly iteration_id?: string; readonly loop_id?: string; readonly round: number };
}

export interface ThoughtSpec {
  /** Any text that tells the thoughts of one answer apart; the wire carries a UUID for it. */
  readonly id: string;
  readonly position: number;
  readonly thought: string;
  readonly tool?: string;
  readonly toolLabel?: string;
  /** JSON text, by tool. */
  readonly toolInput?: string;
  readonly observation?: string;
  readonly messageFiles?: readonly string[];
}

export const text = (value: string): AppStep => ({ type: 'text', text: value });
export const piece = (value: string): AppStep => ({ type: 'text', text: value, whole: true });

/** A node that does nothing but what is said here, from its start to its end. */
export function* node(
  spec: NodeSpec,
  outputs: object = {},
  inside: Iterable<AppStep> = [],
): Iterable<AppStep> {
  yield { type: 'nodeStarted', node: spec };
  yield* inside;
  yield { type: 'nodeFinished', node: spec, outputs };
}
