import { describeFlowChanges } from '../../src/flows/describeFlowChanges.ts';
import { readFlow } from '../../src/flows/dsl/readFlow.ts';
import { largeFlow } from '../support/flowText.ts';
import { row, type Row } from './rows.ts';

const nodes = 300;
const rounds = 9;
const changed = new Set([3, 90, 180, 200, 299]);

export function benchFlows(): Row[] {
  const before = largeFlow(nodes);
  const after = largeFlow(nodes, (n) => (changed.has(n) ? 'Other.' : `Do step ${n}. `.repeat(30)));
  const times = Array.from({ length: rounds }, () => {
    const begin = performance.now();
    const lines = describeFlowChanges(readFlow(before), readFlow(after));
    if (lines.length !== changed.size) throw new Error(`${lines.length} changes, not ${changed.size}.`);
    return performance.now() - begin;
  });
  const median = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  return [
    row(
      `summary of ${nodes} nodes, ${changed.size} changed`,
      { value: median, unit: 'ms' },
      'at most 50 ms',
      (v) => v <= 50,
    ),
  ];
}
