import type { IncomingHttpHeaders } from 'node:http';

/** A request as the server got it. It is listed when its head arrives; the body is filled in once read. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case, as Node joins them. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternating, exactly as received. */
  readonly rawHeaders: readonly string[];
  /** Milliseconds since the epoch, when the head arrived. */
  readonly time: number;
  /** The body's bytes; empty until the whole body has arrived, and for good when they were not kept. */
  readonly bytes: Buffer;
  /** The body as text. */
  readonly body: string;
  /** The body parsed; undefined when it is empty or not JSON. */
  readonly json: unknown;
  /** The parts of a multipart body, each from when its head has arrived. */
  readonly parts: readonly RecordedPart[];
  /** Whether the client closed the connection before the whole answer was sent. */
  readonly closedEarly: boolean;
  /** Settles when the exchange is over, however it ended. Saves tests from waiting by the clock. */
  readonly ended: Promise<void>;
}

/** A part of a multipart body. */
export interface RecordedPart {
  readonly name: string;
  /** Undefined when the part has none: then it is a form field, however it is typed. */
  readonly filename: string | undefined;
  /** As the part itself says; undefined when it says nothing. */
  readonly contentType: string | undefined;
  /** Bytes, as far as they have arrived. */
  readonly size: number;
  /** Of the bytes, in hexadecimal digits; empty until the whole part has arrived. */
  readonly sha256: string;
  /** The bytes as text, once all have arrived; undefined when they were too many to keep. */
  readonly text: string | undefined;
}
