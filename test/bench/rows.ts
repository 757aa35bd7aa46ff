import { availableParallelism, loadavg } from 'node:os';

export interface Row {
  name: string;
  value: number;
  unit: string;
  budget: string;
  kept: boolean;
}

export function row(
  name: string,
  { value, unit }: { value: number; unit: string },
  budget: string,
  isKept: (value: number) => boolean,
): Row {
  return { name, value, unit, budget, kept: isKept(value) };
}

export function ratio(ours: number, theirs: number): { value: number; unit: string } {
  return { value: ours / theirs, unit: 'x' };
}

/** True if an editor's figures are late for reasons of the machine. */
export function isBusy(): boolean {
  return loadPerCore() > 1;
}

export function loadRow(): Row {
  return row('load of the machine, per core', { value: loadPerCore(), unit: 'x' }, 'for judging', () => true);
}

function loadPerCore(): number {
  return (loadavg()[0] ?? 0) / availableParallelism();
}

export function printRows(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  for (const { name, value, unit, budget, kept } of rows) {
    const figure = value >= 100 ? value.toFixed(0) : value.toFixed(2);
    console.log(
      `  ${kept ? ' ' : '!'} ${name.padEnd(66)} ${figure.padStart(8)} ${unit.padEnd(3)}  (${budget})`,
    );
  }
}
