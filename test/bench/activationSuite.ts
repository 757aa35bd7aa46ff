// Measures like the editor's list of running extensions: loading the code and calling `activate`.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';

export async function run(): Promise<void> {
  const file = process.env['SWITCHBOARD_BENCH_RESULT'] ?? '';
  await writeFile(`${file}.partial`, JSON.stringify(await measure()));
  await rename(`${file}.partial`, file);
}

async function measure(): Promise<{ loadMs?: number; callMs?: number; firstMs?: number; error?: string }> {
  const extension = vscode.extensions.getExtension('switchboard.switchboard');
  if (!extension) return { error: 'The extension is not there.' };
  if (extension.isActive) return { error: 'The extension was active before anybody used it.' };
  const main = pathToFileURL(join(extension.extensionPath, 'dist', 'extension.mjs'));
  const loading = performance.now();
  await import(main.href);
  const loadMs = performance.now() - loading;
  await extension.activate();
  await vscode.commands.executeCommand('switchboard.showLog');
  const [call] = performance.getEntriesByName('switchboard.activate');
  const [first] = performance.getEntriesByName('switchboard.parts');
  return call && first
    ? { loadMs, callMs: call.duration, firstMs: first.duration }
    : { error: 'The extension did not measure its activation.' };
}
