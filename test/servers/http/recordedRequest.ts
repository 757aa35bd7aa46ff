import type { IncomingHttpHeaders } from 'node:http';

/** A request to the server, listed when its head arrives; the body is filled in once read. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case, as Node joins them. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternating, exactly as received. */
  readonly rawHeaders: readonly string[];
  /** In ms since the epoch, when the head arrived. */
  readonly time: number;
  /** Empty until the whole body has arrived, and for good if not kept. */
  readonly bytes: Buffer;
  readonly body: string;
  /** The parsed body; undefined if it is empty or not JSON. */
  readonly json: unknown;
  /** Parts of a multipart body, each from when its head has arrived. */
  readonly parts: readonly RecordedPart[];
  /** True if the client closed the connection before the whole answer was sent. */
  readonly closedEarly: boolean;
  /** Settles when the exchange is over, however it ended. */
  readonly ended: Promise<void>;
}

export interface RecordedPart {
  readonly name: string;
  /** Undefined without a filename: the part is then a form field, whatever its type. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** Bytes, as far as they have arrived. */
  readonly size: number;
  /** Hexadecimal; empty until the whole part has arrived. */
  readonly sha256: string;
  /** Set once all bytes have arrived; undefined if they were too many to keep. */
  readonly text: string | undefined;
}
