import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Resolves with a child process's first message. Rejects if the process ends before. */
export async function firstMessage<T>(child: ChildProcess): Promise<T> {
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The benchmark process ended with ${code} before it said anything.`);
  });
  failed.catch(() => {});
  const [value] = await Promise.race([once(child, 'message'), failed]);
  return value as T;
}
