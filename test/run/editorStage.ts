import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTests } from '../host/build.ts';
import { chosenEditor } from '../host/editors.ts';
import { desktopIsReachable, runInDesktop, runInServer } from '../host/extensionHost.ts';
import { createScratch } from '../host/scratch.ts';
import { testFiles } from './mochaStages.ts';
import type { MochaJob } from './runMocha.ts';
import type { Stage, StageOptions, StageResult } from './stage.ts';

export interface EditorJob extends MochaJob {
  resultFile: string;
}

export type EditorResult = StageResult;

const testTimeoutMs = 60_000;
/** Only ends hangs: on a slow, busy machine the tests take twenty minutes. */
const stageTimeoutMs = 40 * 60_000;

export function editorStage(prepare: () => Promise<void>): Stage {
  return { name: 'editor', run: (options) => run(prepare, options) };
}

async function run(prepare: () => Promise<void>, options: StageOptions): Promise<StageResult> {
  const sources = await testFiles(['editor']);
  if (sources.length === 0) return { passed: 0, failed: 1, output: '  ✗ there is no test file' };
  const [[suite = '', ...files], host] = await Promise.all([
    buildTests(['test/editor/index.ts', ...sources], 'out/tests/editor', 'cjs'),
    chooseHost(),
    prepare(),
  ]);
  const scratch = await createScratch();
  try {
    const jobFile = join(scratch.folder, 'job.json');
    const resultFile = join(scratch.folder, 'result.json');
    const workspace = await scratch.workspace();
    // For `knowledgeTests`: the editor's watcher may miss files in a folder that was just made.
    await Promise.all(['checks', 'compared'].map((name) => mkdir(join(workspace, name))));
    const job: EditorJob = { ...options, files, timeoutMs: testTimeoutMs, resultFile };
    await writeFile(jobFile, JSON.stringify(job));
    await (host === 'desktop' ? runInDesktop : runInServer)({
      suite,
      workspace,
      dataFolder: join(scratch.folder, 'data'),
      resultFile,
      timeoutMs: stageTimeoutMs,
      isQuiet: true,
      env: { SWITCHBOARD_TEST_JOB: jobFile },
    });
    const result = JSON.parse(await readFile(resultFile, 'utf8')) as EditorResult;
    if (result.passed + result.failed === 0 && options.grep === undefined) {
      return { ...result, failed: 1, output: `${result.output}\n  ✗ no test ran` };
    }
    return { ...result, output: `  in VS Code ${chosenEditor().vscode} (${host})\n${result.output}` };
  } finally {
    await scratch.remove();
  }
}

async function chooseHost(): Promise<'desktop' | 'server'> {
  const wish = process.env['SWITCHBOARD_TEST_HOST'] ?? 'auto';
  if (wish === 'desktop' || wish === 'server') return wish;
  if (wish !== 'auto') throw new Error(`SWITCHBOARD_TEST_HOST is desktop, server or auto, not ${wish}.`);
  return (await desktopIsReachable()) ? 'desktop' : 'server';
}
