import * as vscode from 'vscode';
import type { AppEvent, AppRun } from '../../../apps/app.ts';
import { NodeRuns } from '../../../apps/run/nodeRuns.ts';
import type { RunOutcome } from '../../../apps/run/performRun.ts';
import type { Disposable } from '../../../base/disposable.ts';

export interface FileRun {
  readonly nodes: NodeRuns;
  readonly isByKey: boolean;
  state: AppRun['status'];
  error?: string | undefined;
  elapsedMs?: number | undefined;
  published?: string;
}

const updateMs = 200;

export class FlowRuns implements Disposable {
  private readonly runs = new Map<string, FileRun>();
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changes.event;
  private timer: NodeJS.Timeout | undefined;

  of(uri: vscode.Uri): FileRun | undefined {
    return this.runs.get(uri.toString());
  }

  /** Shows a new run of a file. What is known of the published version stays until the run tells its own. */
  begin(uri: vscode.Uri, isByKey: boolean): FileRun {
    const published = this.of(uri)?.published;
    const run: FileRun = {
      ...{ nodes: new NodeRuns(), isByKey, state: 'running' },
      ...(published !== undefined && { published }),
    };
    this.runs.set(uri.toString(), run);
    this.changes.fire();
    return run;
  }

  note(run: FileRun, event: AppEvent): void {
    if (!run.nodes.note(event)) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changes.fire();
    }, updateMs);
  }

  end(run: FileRun, { progress, error }: RunOutcome): void {
    const { run: ended, waitsFor } = progress;
    const why = ended?.error ?? error?.why ?? error?.message;
    run.state = endState(ended?.status, error?.code, waitsFor !== undefined);
    run.elapsedMs = ended?.elapsedMs;
    run.error = error || ended?.error !== undefined ? why : undefined;
    run.nodes.end(run.state === 'failed' ? why : ended?.error);
    this.changes.fire();
  }

  setPublished(run: FileRun, text: string): void {
    run.published = text;
    this.changes.fire();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changes.dispose();
  }
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
