import type { ScriptedCall } from './script.ts';

/** One element of a chunk's `delta.tool_calls`. */
export interface CallFragment {
  index?: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: unknown };
  /** Further fields, see `ScriptedCall.extra`. */
  [extra: string]: unknown;
}

/** How a model's chunks look on the wire, where it differs from the usual. */
export interface WireForm {
  lineEnd?: '\n' | '\r\n';
  /** `data:{…}` instead of `data: {…}`. */
  noSpace?: boolean;
  /** Spreads each event's JSON over several `data:` lines. */
  severalDataLines?: boolean;
  /** Leaves out the blank line after the last event. */
  noFinalBlankLine?: boolean;
  /** Sends no `[DONE]`. */
  noDone?: boolean;
  role?: 'first' | 'every' | 'never';
  usage?: 'own-chunk' | 'with-finish' | 'every-chunk' | 'never';
  /** Sends the finish reason in the last text chunk instead of one of its own. */
  finishWithText?: boolean;
  reasoningField?: 'reasoning_content' | 'reasoning' | 'both';
  /** Fields put into every delta, e.g. `content: null`. */
  deltaExtras?: object;
  /** How a call is taken apart. */
  callFragments?: (call: ScriptedCall, position: number) => readonly CallFragment[];
  /** Cuts the stream's bytes into the writes that are made. */
  split?: (bytes: Buffer) => Iterable<Buffer>;
  /** A stream request is answered with one JSON object, or a plain one with a stream. */
  ignoresStream?: boolean;
  /** Answers name this model in place of the one that was asked. */
  answersAs?: string;
  /** Usage tells what came from the cache of marked prompts; otherwise nothing does. */
  cachesMarked?: boolean;
  /** Every request is answered with a stream. */
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

/** JSON text in pieces of a few characters. */
export function argumentPieces(text: string): string[] {
  return text.match(/[^]{1,7}/gu) ?? [];
}

/** What a reader gets who joins the fragments of one call: the call as an answer without stream shows it. */
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
