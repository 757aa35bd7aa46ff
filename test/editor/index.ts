import { readFile, rename, writeFile } from 'node:fs/promises';
import { format } from 'node:util';
import * as vscode from 'vscode';
import { onTestFailure } from '../host/failures.ts';
import { thrownBy, traceChildProcesses } from '../host/foreignErrors.ts';
import type { EditorJob, EditorResult } from '../run/editorStage.ts';
import { runMocha } from '../run/runMocha.ts';
import { listenToPanel } from './scriptedForms.ts';

/** Runs the tests named in the job file, whose path is in SWITCHBOARD_TEST_JOB. */
export async function run(): Promise<void> {
  const job = JSON.parse(await readFile(process.env['SWITCHBOARD_TEST_JOB'] ?? '', 'utf8')) as EditorJob;
  const lines: string[] = [];
  const write = (...values: unknown[]) => void lines.push(format(...values));
  const screen = process.env['SWITCHBOARD_TEST_SCREEN'];
  if (screen !== undefined) {
    onTestFailure(async (title) => {
      const response = await fetch(`${screen}/?${new URLSearchParams({ title })}`);
      return response.text();
    });
  }
  traceChildProcesses();
  listenToPanel();
  const isForeign = (error: unknown) => {
    if (thrownBy(error) !== 'others') return false;
    write('  (not ours: %s)', String(error));
    return true;
  };
  // VS Code only logs rejections; those thrown by our code count.
  let rejections = 0;
  const onRejection = (reason: unknown) => {
    if (thrownBy(reason) !== 'us') return;
    rejections++;
    write('  ✗ unhandled rejection: %s', (reason as Error).stack);
  };
  process.on('unhandledRejection', onRejection);
  // The default of desktops; an editor in a browser would save what a test leaves unsaved.
  await vscode.workspace
    .getConfiguration('files')
    .update('autoSave', 'off', vscode.ConfigurationTarget.Global);
  let result: EditorResult;
  try {
    const { passed, failed } = await runMocha(job, { write, beforeEach: hidePanel, isForeign });
    result = { passed, failed: failed + rejections, output: lines.join('\n') };
  } catch (error) {
    write('  ✗ the tests could not be run: %s', (error as Error).stack);
    result = { passed: 0, failed: 1, output: lines.join('\n') };
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  // The runner reads the file as soon as it exists, so it must appear complete.
  await writeFile(`${job.resultFile}.partial`, JSON.stringify(result));
  await rename(`${job.resultFile}.partial`, job.resultFile);
}

/** A visible panel shows notices that these tests expect from the editor. */
function hidePanel(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
}
