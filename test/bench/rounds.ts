// 200 tool rounds with 50 KB results through the real loop: our own overhead per round.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ChatController } from '../../src/chat/chatController.ts';
import { DailyBudget } from '../../src/chat/spending/dailyBudget.ts';
import { meteredModel } from '../../src/chat/spending/meteredModel.ts';
import { SpendingFile } from '../../src/chat/spending/spendingFile.ts';
import type { ModelEvent, ModelRequest } from '../../src/relay/messages.ts';
import { askModel, type AskModel } from '../../src/relay/streamModel.ts';
import { toChatBody } from '../../src/relay/protocols/chatRequest.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { MemoryChatStore } from '../support/memoryChatStore.ts';
import { silentLog } from '../support/silentLog.ts';
import { ratio, row, type Row } from './rows.ts';

const rounds = 200;
const resultBytes = 50_000;

interface Run {
  /** Our own time per round, from the end of one request to the next. */
  ownMs: number[];
  /** Time to build the request's body, which the protocol requires. */
  bodyMs: number[];
  /** Heap growth in bytes, after half of the rounds and at the end. */
  halfHeapBytes: number;
  heapBytes: number;
  sentBytes: number;
}

export async function benchRounds(): Promise<Row[]> {
  await play(128_000);
  const unknown = await play(undefined);
  const known = await play(128_000);
  const budgeted = await withBudget((meter) => play(undefined, meter));
  const results = (rounds * resultBytes) / 1e6;
  return [
    row(
      'a tool round, the 200th against the 20th (10x as much is sent)',
      growth(unknown),
      'at most 4x',
      (v) => v <= 4,
    ),
    row('the same where older results are shortened to fit', growth(known), 'at most 4x', (v) => v <= 4),
    row(
      'the 200th round, our code against making the body to send',
      ratio(near(unknown.ownMs, rounds), near(unknown.bodyMs, rounds)),
      'at most 0.2x',
      (v) => v <= 0.2,
    ),
    row(
      'the 200th round, our code',
      { value: near(unknown.ownMs, rounds), unit: 'ms' },
      'under 5 ms',
      (v) => v < 5,
    ),
    row(
      'the same with a daily budget, which notes each request in a file',
      { value: near(budgeted.ownMs, rounds), unit: 'ms' },
      'under 10 ms',
      (v) => v < 10,
    ),
    row(
      'the 200th round against the 100th (twice as much is sent)',
      ratio(near(unknown.ownMs, rounds), near(unknown.ownMs, rounds / 2)),
      'at most 2x',
      (v) => v <= 2,
    ),
    row(
      'memory of each round from the 100th on, beyond its result of 50 KB',
      {
        value: (unknown.heapBytes - unknown.halfHeapBytes) / (rounds / 2) / 1000 - resultBytes / 1000,
        unit: 'KB',
      },
      'under 10 KB',
      (v) => v < 10,
    ),
    row(
      `memory at the end beyond the ${results} MB of results`,
      { value: unknown.heapBytes / 1e6 - results, unit: 'MB' },
      'under 5 MB',
      (v) => v < 5,
    ),
    row(
      'sent in the 200th round with a window of 128,000 tokens',
      { value: known.sentBytes / 1000, unit: 'KB' },
      'under 512 KB',
      (v) => v < 512,
    ),
  ];
}

const growth = ({ ownMs }: Run) => ratio(near(ownMs, rounds), near(ownMs, 20));

/** Median of the rounds up to this one: a single one may meet the garbage collector. */
function near(times: readonly number[], round: number): number {
  const some = times.slice(round - 11, round).toSorted((a, b) => a - b);
  return some[Math.floor(some.length / 2)] ?? 0;
}

async function withBudget(measure: (meter: Meter) => Promise<Run>): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
  const budget = new DailyBudget({
    spending: new SpendingFile(folder, () => new Date()),
    limits: () => ({ money: 1e9 }),
    ask: async () => 'stop',
    newId: randomUUID,
    log: silentLog,
  });
  const price = async () => ({ currency: 'USD', prompt: 1e-6, completion: 4e-6 });
  try {
    return await measure((ask) => meteredModel({ ask, price }, budget));
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Meter = (ask: AskModel) => AskModel;

async function play(contextWindow: number | undefined, meter: Meter = (model) => model): Promise<Run> {
  const heapBefore = heapInUse();
  const run: Run = { ownMs: [], bodyMs: [], halfHeapBytes: 0, heapBytes: 0, sentBytes: 0 };
  let calls = 0;
  let idleFrom = performance.now();
  let toolMs = 0;
  const streamModel = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    run.ownMs.push(performance.now() - idleFrom - toolMs);
    const started = performance.now();
    run.sentBytes = Buffer.byteLength(JSON.stringify(toChatBody(request)));
    run.bodyMs.push(performance.now() - started);
    if (calls === rounds / 2) run.halfHeapBytes = heapInUse() - heapBefore;
    idleFrom = performance.now();
    toolMs = 0;
    if (++calls > rounds) {
      yield { type: 'textAdded', text: 'Done.' };
      yield { type: 'modelFinished', reason: 'stop' };
      return;
    }
    const call = { id: `call_${calls}`, name: 'read', arguments: `{"n":${calls}}` };
    yield { type: 'toolCallsCompleted', calls: [call] };
    yield { type: 'modelFinished', reason: 'tool_calls' };
  };
  const read = () => {
    const started = performance.now();
    const text = codeOf(calls);
    toolMs += performance.now() - started;
    return text;
  };
  const chat = new ChatController(
    chatDependencies({
      store: forgetful,
      ask: meter(askModel(streamModel)),
      options: { instructions: 'Be brief.', maxToolRounds: rounds + 1 },
      modelLimits: () => (contextWindow === undefined ? {} : { contextWindow }),
      tools: { read: { run: read } },
    }),
  );
  const end = await chat.shown.submit('Read it all.');
  if (end?.reason !== 'answered' || calls !== rounds + 1)
    throw new Error(`The turn ended with ${end?.reason}.`);
  run.heapBytes = heapInUse() - heapBefore;
  // Keeps the conversation alive until the heap is measured.
  if (chat.shown.conversation.all.length < rounds) throw new Error('The conversation is not whole.');
  return run;
}

/** A different file each time, as one flat string like text read from disk. */
function codeOf(n: number): string {
  const lines = Array.from(
    { length: 1500 },
    (_, line) => `${n}.${line}\tconst value${line} = await read(${n}, "src");\n`,
  );
  return Buffer.from(lines.join('')).toString('latin1', 0, resultBytes);
}

class Forgetful extends MemoryChatStore {
  override append(): void {}
}
const forgetful = new Forgetful();

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
