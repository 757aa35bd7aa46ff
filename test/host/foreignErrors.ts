import { subscribe } from 'node:diagnostics_channel';
import { errorMonitor, type EventEmitter } from 'node:events';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, root } from './paths.ts';

/**
 * `unknown` without a file in the stack, whose lines VS Code's extension host begins with a tab.
 * The editor under test lies in the repository's cache.
 */
export function thrownBy(error: unknown): 'us' | 'others' | 'unknown' {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const files = [
    ...stack.matchAll(/^[ \t]+at (?:.*\()?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):\d+(?::\d+)?\)?$/gm),
  ].map(([, file = '']) => (file.startsWith('file:') ? fileURLToPath(file) : file));
  if (files.length === 0) return 'unknown';
  const isOurs = (file: string) => file.startsWith(root + sep) && !file.startsWith(cacheFolder + sep);
  return files.some(isOurs) ? 'us' : 'others';
}

/** Adds to child process errors where it was started: `spawn git ENOENT` has only files of Node. */
export function traceChildProcesses(): void {
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: EventEmitter };
    const { stack = '' } = new Error('started');
    // The first frame is this function.
    const started = stack.split('\n').slice(2).join('\n');
    child.once(errorMonitor, (error: Error) => {
      error.stack = `${error.stack}\nof a process that was started\n${started}`;
    });
  });
}
