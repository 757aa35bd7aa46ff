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
  /** The body's bytes; empty until the whole body has arrived. */
  readonly bytes: Buffer;
  /** The body as text. */
  readonly body: string;
  /** The body parsed; undefined when it is empty or not JSON. */
  readonly json: unknown;
  /** Whether the client closed the connection before the whole answer was sent. */
  readonly closedEarly: boolean;
  /** Settles when the exchange is over, however it ended. Saves tests from waiting by the clock. */
  readonly ended: Promise<void>;
}
