import * as vscode from 'vscode';
import type { AppEvent, AppRun } from '../../../apps/app.ts';
import { NodeRuns } from '../../../apps/run/nodeRuns.ts';
import type { RunOutcome } from '../../../apps/run/performRun.ts';

export interface FileRun {
  readonly nodes: NodeRuns;
  readonly isByKey: boolean;
  state: AppRun['status'];
  error?: string | undefined;
  elapsedMs?: number | undefined;
  published?: string;
}

const updateMs = 200;

const runs = new Map<string, FileRun>();
const changes = new vscode.EventEmitter<void>();
let timer: NodeJS.Timeout | undefined;

export const onDidChangeRuns = changes.event;

export function runOf(uri: vscode.Uri): FileRun | undefined {
  return runs.get(uri.toString());
}

/** Shows a new run of a file. What is known of the published version stays until the run tells its own. */
export function beginRun(uri: vscode.Uri, isByKey: boolean): FileRun {
  const published = runOf(uri)?.published;
  const run: FileRun = {
    ...{ nodes: new NodeRuns(), isByKey, state: 'running' },
    ...(published !== undefined && { published }),
  };
  runs.set(uri.toString(), run);
  changes.fire();
  return run;
}

export function noteEvent(run: FileRun, event: AppEvent): void {
  if (!run.nodes.note(event)) return;
  timer ??= setTimeout(() => {
    timer = undefined;
    changes.fire();
  }, updateMs);
}

export function endRun(run: FileRun, { progress, error }: RunOutcome): void {
  const { run: ended, waitsFor } = progress;
  const why = ended?.error ?? error?.why ?? error?.message;
  run.state = endState(ended?.status, error?.code, waitsFor !== undefined);
  run.elapsedMs = ended?.elapsedMs;
  run.error = error || ended?.error !== undefined ? why : undefined;
  run.nodes.end(run.state === 'failed' ? why : ended?.error);
  changes.fire();
}

export function setPublished(run: FileRun, text: string): void {
  run.published = text;
  changes.fire();
}

function endState(
  status: AppRun['status'] | undefined,
  code: string | undefined,
  isWaiting: boolean,
): AppRun['status'] {
  if (code === 'cancelled') return 'stopped';
  if (code !== undefined) return 'failed';
  return status ?? (isWaiting ? 'paused' : 'succeeded');
}
