// From the click on Allow to the changed file: in a real VS Code, by the clock of the page and the time of the file; and
// of that what is ours, with real files and snapshots and without an editor.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolApprovals } from '../../src/chat/calls/toolApprovals.ts';
import { createToolBox } from '../../src/chat/calls/toolBox.ts';
import { ChatController } from '../../src/chat/chatController.ts';
import { FileSnapshots } from '../../src/chat/fileSnapshots.ts';
import type { ModelEvent } from '../../src/relay/messages.ts';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { nodeFiles } from '../../src/tools/nodeFiles.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { setUpStage } from '../e2e/support.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryWorkspace } from '../support/memoryWorkspace.ts';
import { row, type Row } from './rows.ts';

/** The first loads parts that are there from then on. */
const clicks = 12;
const edits = 60;

export async function benchAllow(): Promise<Row[]> {
  return [
    row(
      'from the click on Allow to the file on the disk, in VS Code in a browser',
      { value: median((await inEditor()).slice(1)), unit: 'ms' },
      'no budget',
      () => true,
    ),
    row(
      'of that, our code: from the answer to the edited file of 200 KB',
      { value: median((await withoutEditor()).slice(1)), unit: 'ms' },
      'under 50 ms',
      (v) => v < 50,
    ),
  ];
}

async function inEditor(): Promise<number[]> {
  const stage = await setUpStage({ connected: true, sandbox: { list: 'good' } });
  try {
    const { panel } = await stage.open();
    await panel.selectModel('scripted-tools');
    const body = panel.frame.locator('body');
    await body.evaluate(() => {
      const onClick = () => {
        document.body.dataset['clicked'] = String(performance.timeOrigin + performance.now());
      };
      document.addEventListener('click', onClick, { capture: true });
    });
    const taken: number[] = [];
    for (let time = 0; time < clicks; time++) {
      const path = `made${time}.md`;
      await panel.send(`call create_file with ${JSON.stringify({ path, content: 'x\n' })}`);
      const call = panel.frame.getByRole('group', { name: 'Tool create_file' }).last();
      await call.getByRole('button', { name: 'Allow', exact: true }).click();
      const { mtimeMs } = await eventually(() => stat(join(stage.workspace, path)));
      taken.push(mtimeMs - Number(await body.getAttribute('data-clicked')));
      await panel.settled();
    }
    return taken;
  } finally {
    await stage.close();
  }
}

async function withoutEditor(): Promise<number[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-bench-')));
  const path = join(base, 'big.ts');
  const text = Array.from({ length: 5000 }, (_, line) => `const value${line} = read(${line}, "src");\n`).join(
    '',
  );
  writeFileSync(path, text);
  const workspace = new MemoryWorkspace({}, nodeFiles);
  workspace.folderList = [{ name: 'base', path: base, isVirtual: false }];
  let writtenAt = 0;
  workspace.edits.apply = async ({ after = '' }) => {
    writeFileSync(path, after);
    writtenAt = performance.now();
    return after;
  };
  const own = workspaceTools(
    createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1 }),
  );
  const approvals = new ToolApprovals(() => undefined);
  let made = 0;
  const streamModel = async function* (): AsyncGenerator<ModelEvent> {
    const replacements = [{ oldText: `const value${made} `, newText: `let value${made} ` }];
    const input = JSON.stringify({ path: 'big.ts', replacements });
    if (made++ < edits)
      yield {
        type: 'toolCallsCompleted',
        calls: [{ id: `call_${made}`, name: 'edit_file', arguments: input }],
      };
    yield { type: 'modelFinished', reason: made <= edits ? 'tool_calls' : 'stop' };
  };
  const chat = new ChatController({
    ...chatDependencies({ streamModel, snapshots: async () => new FileSnapshots(join(base, 'snapshots')) }),
    options: () => ({ instructions: '', stream: true, maxToolRounds: edits + 1, knowledgeSearch: 'model' }),
    tools: async ({ conversationId, journal, permissions }) =>
      createToolBox(
        () => new ToolSet(own),
        approvals.forConversation(conversationId),
        permissions,
        (signal) => ({ signal, journal }),
      ),
  });
  const taken: number[] = [];
  let answeredAt = 0;
  approvals.onDidChange(() => {
    const [asked] = approvals.pending;
    if (!asked) return;
    if (answeredAt > 0) taken.push(writtenAt - answeredAt);
    setImmediate(() => {
      answeredAt = performance.now();
      approvals.answer(asked.question.id, 'allow');
    });
  });
  try {
    await chat.submit('Edit it.');
    taken.push(writtenAt - answeredAt);
    if (taken.length !== edits) throw new Error(`${taken.length} edits were made.`);
    return taken;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
