import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Rejects if the process ends before its first message. */
export async function firstMessage<T>(child: ChildProcess): Promise<T> {
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The benchmark process ended with ${code} before it said anything.`);
  });
  failed.catch(() => {});
  const [value] = await Promise.race([once(child, 'message'), failed]);
  return value as T;
}
