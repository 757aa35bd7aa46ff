// A command that prints 1 GB, run in a child process: time beside a bare shell, and memory growth.
import { spawn } from 'node:child_process';
import { buildTests } from '../host/build.ts';
import { ratio, row, type Row } from './rows.ts';

export interface CommandFigures {
  ms: number;
  bareMs: number;
  /** Peak memory growth during the run. */
  grownBytes: number;
  resultBytes: number;
}

export async function benchCommand(): Promise<Row[]> {
  const [script = ''] = await buildTests(['test/bench/commandProcess.ts'], 'out/bench');
  const figures = await measured(script);
  return [
    row(
      'a command that prints 1 GB: memory grows by',
      { value: figures.grownBytes / 1e6, unit: 'MB' },
      'at most 100 MB',
      (v) => v <= 100,
    ),
    row(
      'the same: time against reading it and doing nothing',
      ratio(figures.ms, figures.bareMs),
      'at most 15x',
      (v) => v <= 15,
    ),
    row(
      'the same: what the model gets',
      { value: figures.resultBytes / 1024, unit: 'KB' },
      'at most 21 KB',
      (v) => v <= 21,
    ),
  ];
}

async function measured(script: string): Promise<CommandFigures> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const piece of child.stdout) text += String(piece);
  return JSON.parse(text) as CommandFigures;
}
