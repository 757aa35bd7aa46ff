import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Commands } from '../../src/tools/command/commands.ts';
import type { CommandFigures } from './command.ts';

const line = 'yes 0123456789 | head -c 1000000000';
const folder = mkdtempSync(join(tmpdir(), 'switchboard-bench-'));

async function bare(): Promise<number> {
  const started = performance.now();
  const child = spawn('bash', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await new Promise((resolve) => child.once('close', resolve));
  return performance.now() - started;
}

const bareMs = await bare();
const commands = new Commands({
  view: () => ({ show() {}, end() {}, reveal: () => true }),
  env: () => process.env,
  secrets: async () => [],
  outputFolder: folder,
});
const before = process.memoryUsage().rss;
let most = before;
const looking = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
const started = performance.now();
const { content } = await commands.run(
  { line, folder, timeoutMs: 600_000, isBackground: false, hasInput: false, conversationId: undefined },
  new AbortController().signal,
);
const ms = performance.now() - started;
clearInterval(looking);
rmSync(folder, { recursive: true, force: true });
const figures: CommandFigures = {
  ms,
  bareMs,
  grownBytes: most - before,
  resultBytes: Buffer.byteLength(content),
};
console.log(JSON.stringify(figures));
