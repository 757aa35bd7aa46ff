import type { JsonObject } from '../../base/json.ts';
import type { Dialect } from '../profile/modelDialect.ts';
import type { ModelRequest, Protocol } from '../messages.ts';
import type { ParameterName } from '../parameters.ts';
import type { WireAnswer } from './wire.ts';

export interface MarkOptions {
  isOn: boolean;
  onResults?: boolean;
}

export interface WireProtocol {
  readonly name: Protocol;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  toBody(request: ModelRequest, dialect: Dialect, marks: MarkOptions): JsonObject;
  fields(dialect: Dialect): Readonly<Record<ParameterName, string>>;
  createReader(): WireReader;
}

export interface WireReader {
  isWhole(body: JsonObject): boolean;
  /** A reported failure, or an event of another protocol. */
  isFailure(body: JsonObject): boolean;
  errorIn?(body: JsonObject): JsonObject;
  read(body: JsonObject): WireAnswer | undefined;
}
