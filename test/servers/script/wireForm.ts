import type { ScriptedCall } from './script.ts';

export interface CallFragment {
  index?: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: unknown };
  [extra: string]: unknown;
}

/** Deviations of a model's chunks from the usual form on the wire. */
export interface WireForm {
  lineEnd?: '\n' | '\r\n';
  /** `data:{…}` instead of `data: {…}`. */
  noSpace?: boolean;
  severalDataLines?: boolean;
  noFinalBlankLine?: boolean;
  noDone?: boolean;
  role?: 'first' | 'every' | 'never';
  usage?: 'own-chunk' | 'with-finish' | 'every-chunk' | 'never';
  /** Sends the finish reason in the last text chunk instead of its own. */
  finishWithText?: boolean;
  reasoningField?: 'reasoning_content' | 'reasoning' | 'both';
  /** Fields put into every delta, such as `content: null`. */
  deltaExtras?: object;
  /** The pieces of a call on a stream. */
  callFragments?: (call: ScriptedCall, position: number) => readonly CallFragment[];
  /** Cuts the stream's bytes into separate writes. */
  split?: (bytes: Buffer) => Iterable<Buffer>;
  /** A stream request is answered with one JSON object, or a plain one with a stream. */
  ignoresStream?: boolean;
  answersAs?: string;
  /** Reports the cached tokens of marked prompts in its usage. */
  cachesMarked?: boolean;
  alwaysStreams?: boolean;
}

/** A call as most vendors stream it: head first, then its arguments in pieces. */
export function usualFragments(call: ScriptedCall, position: number): CallFragment[] {
  return [
    {
      ...{ index: position, id: call.id, type: 'function', ...call.extra },
      function: { name: call.name, arguments: '' },
    },
    ...argumentPieces(call.arguments).map((piece) => ({
      index: position,
      function: { arguments: piece },
    })),
  ];
}

export function argumentPieces(text: string): string[] {
  return text.match(/[^]{1,7}/gu) ?? [];
}

/** The call that the joined fragments make, as in an answer without stream. */
export function joinFragments(fragments: readonly CallFragment[]): CallFragment {
  const [{ index: _index, ...first } = {}, ...rest] = fragments;
  let joined: unknown = first.function?.arguments;
  for (const { function: { arguments: more } = {} } of rest) {
    if (more === undefined) continue;
    joined = typeof joined === 'string' && typeof more === 'string' ? joined + more : more;
  }
  return {
    ...first,
    type: 'function',
    function: { ...first.function, ...(joined !== undefined && { arguments: joined }) },
  };
}
