// Rendering a history of 5,000 turns for another model, beyond the time of building the body.
import { renderHistory } from '../../src/relay/history/renderHistory.ts';
import type { Message } from '../../src/relay/messages.ts';
import { type Dialect, serviceForm } from '../../src/relay/profile/modelDialect.ts';
import { ratio, row, type Row } from './rows.ts';

const turns = 5_000;
const runs = 15;

/** Demands of several vendors at once, more than any single one has. */
const demanding: Partial<Dialect> = { reasoning: 'all', signatures: true, wordAfterResults: true };

export function benchRender(): Row[] {
  renderingMs(turns, {});
  const usual = renderingMs(turns, {});
  const all = renderingMs(turns, demanding);
  return [
    row('5,000 turns of another model', { value: usual, unit: 'ms' }, 'under 10 ms', (v) => v < 10),
    row('the same with every rule that is learnt', { value: all, unit: 'ms' }, 'under 10 ms', (v) => v < 10),
    // Both sizes exceed the processor's caches.
    row(
      '40,000 turns against 20,000',
      ratio(renderingMs(8 * turns, {}), renderingMs(4 * turns, {})),
      'at most 2.3x',
      (v) => v <= 2.3,
    ),
  ];
}

/** Median over requests of one conversation, each a turn longer than the one before. */
function renderingMs(count: number, dialect: Partial<Dialect>): number {
  const messages = Array.from({ length: count }, (_, turn) => turnOf(turn)).flat();
  const target = { model: 'other', dialect: { ...serviceForm, ...dialect }, hasTools: true };
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    messages.push(...turnOf(count + run));
    const started = performance.now();
    renderHistory(messages, target);
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

function turnOf(turn: number): Message[] {
  const id = `chatcmpl-tool-${String(turn).padStart(32, '0')}`;
  return [
    { role: 'user', content: `Question ${turn}. ${'word '.repeat(40)}` },
    {
      ...{ role: 'assistant', model: 'one', content: '', reasoning: 'thought '.repeat(40) },
      toolCalls: [{ id, name: 'read_file', arguments: `{"path":"src/${turn}.ts"}` }],
    },
    { role: 'tool', toolCallId: id, content: 'line of a file\n'.repeat(40) },
    { role: 'assistant', model: 'one', content: 'answer '.repeat(60) },
  ];
}
