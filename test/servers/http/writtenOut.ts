import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

/** Waits until the system has taken every byte written so far, or the socket is gone. */
export async function writtenOut(response: ServerResponse): Promise<void> {
  do await setImmediate();
  while (response.socket && !response.socket.destroyed && response.socket.writableLength > 0);
}
