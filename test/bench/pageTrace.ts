import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { outFolder, root } from '../host/paths.ts';

/** Processor time of the main thread in ms, so that other work on the machine doesn't count. */
export interface Figures {
  busyMs: number;
  maxTaskMs: number;
  maxRenderMs: number;
  frames: number;
  /** Number of tasks that would have blocked the page for more than 50 ms. */
  gaps: number;
}

export async function buildPage(): Promise<string> {
  const { bundles } = (await import(join(root, 'esbuild.mjs'))) as typeof import('../../esbuild.mjs');
  const outdir = join(outFolder, 'bench-page');
  await build({ ...bundles({ production: true }).page, outdir });
  return outdir;
}

export async function traced(browser: Browser, page: Page, act: () => Promise<void>): Promise<Figures> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return figuresOf(trace.traceEvents);
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** In microseconds. */
  tdur?: number;
}

function figuresOf(events: readonly TraceEvent[]): Figures {
  const frame = events.find(({ name }) => name === 'FireAnimationFrame');
  const timesMs = (wanted: string) =>
    events
      .filter(({ name, pid, tid }) => name === wanted && pid === frame?.pid && tid === frame.tid)
      .map(({ tdur = 0 }) => tdur / 1000);
  const frames = timesMs('FireAnimationFrame');
  const tasks = timesMs('ThreadControllerImpl::RunTask');
  if (tasks.length === 0) throw new Error('The trace does not tell of the main thread.');
  return {
    busyMs: tasks.reduce((sum, ms) => sum + ms, 0),
    maxTaskMs: Math.max(...tasks),
    maxRenderMs: Math.max(...frames),
    frames: frames.length,
    gaps: tasks.filter((ms) => ms > 50).length,
  };
}
