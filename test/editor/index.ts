// What VS Code calls in the extension host: runs the suite there and leaves the outcome in a file.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { format } from 'node:util';
import * as vscode from 'vscode';
import type { EditorJob, EditorResult } from '../run/editorStage.ts';
import { runMocha } from '../run/runMocha.ts';

/** Runs the tests named in the job file, whose path is in SWITCHBOARD_TEST_JOB. */
export async function run(): Promise<void> {
  const job = JSON.parse(await readFile(process.env['SWITCHBOARD_TEST_JOB'] ?? '', 'utf8')) as EditorJob;
  const lines: string[] = [];
  const write = (...values: unknown[]) => void lines.push(format(...values));
  // VS Code only logs these; they count if they come from us and not from another extension.
  let rejections = 0;
  const onRejection = (reason: unknown) => {
    const stack = reason instanceof Error ? (reason.stack ?? '') : '';
    if (!stack.includes(job.extensionFolder)) return;
    rejections++;
    write('  ✗ unhandled rejection: %s', stack);
  };
  process.on('unhandledRejection', onRejection);
  let result: EditorResult;
  try {
    const { passed, failed } = await runMocha(job, write, hidePanel);
    result = { passed, failed: failed + rejections, output: lines.join('\n') };
  } catch (error) {
    write('  ✗ the tests could not be run: %s', (error as Error).stack);
    result = { passed: 0, failed: 1, output: lines.join('\n') };
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  // The runner reads the file once it is there, so it must appear whole.
  await writeFile(`${job.resultFile}.partial`, JSON.stringify(result));
  await rename(`${job.resultFile}.partial`, job.resultFile);
}

/** While the panel is visible, it says itself what the tests expect the editor to say. */
function hidePanel(): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
}
