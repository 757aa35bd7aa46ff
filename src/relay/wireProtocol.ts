import type { JsonObject } from '../base/json.ts';
import type { Dialect } from './dialect.ts';
import type { ModelRequest } from './messages.ts';
import type { ParameterName } from './parameters.ts';
import type { Protocol } from './protocol.ts';
import type { WireAnswer } from './wire.ts';

/** Where to say up to where the vendor is to cache. */
export interface MarkOptions {
  isOn: boolean;
  /** Also on the result of a tool. */
  onResults?: boolean;
}

/** What differs between the protocols of a relay. All else, from retries to limits, is shared. */
export interface WireProtocol {
  readonly name: Protocol;
  /** Below the relay's base address. */
  readonly path: string;
  /** Beside those of every request. */
  readonly headers: Readonly<Record<string, string>>;
  toBody(request: ModelRequest, dialect: Dialect, marks: MarkOptions): JsonObject;
  /** What refusals call what the user may set: the name of the field, or any of them, as a pattern. */
  fields(dialect: Dialect): Readonly<Record<ParameterName, string>>;
  /** A reader for one answer. */
  createReader(): WireReader;
}

/** Reads the pieces of one answer. */
export interface WireReader {
  /** Whether a body is an answer in one piece. */
  isWhole(body: JsonObject): boolean;
  /** Whether an event is no part of an answer: a reported failure, or something of another protocol. */
  isFailure(body: JsonObject): boolean;
  /** Undefined where an event says nothing of the answer. */
  read(body: JsonObject): WireAnswer | undefined;
}
