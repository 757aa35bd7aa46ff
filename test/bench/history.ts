// Listing, searching and opening stored conversations, against only reading or parsing the same files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { FileChatStore } from '../../src/chat/store/fileChatStore.ts';
import { listSavedChats } from '../../src/history/savedChats.ts';
import { searchChats } from '../../src/history/searchChats.ts';
import { outFolder } from '../host/paths.ts';
import { silentLog } from '../support/silentLog.ts';
import { ratio, row, type Row } from './rows.ts';

const rounds = 5;
const needle = 'rareneedle';
const longBytes = 200 * 1024 * 1024;

export async function benchHistory(): Promise<Row[]> {
  const [few, many] = [await conversations(1000), await conversations(5000)];
  const listFew = await best(() => listSavedChats(few));
  const list = await best(() => listSavedChats(many));
  const ids = (await listSavedChats(many)).chats.map(({ id }) => id);
  let first = Infinity;
  const search = await best(async () => {
    const began = performance.now();
    for await (const { id } of searchChats(many, ids, needle, new AbortController().signal)) {
      if (id === '') break;
      first = Math.min(first, performance.now() - began);
    }
  });
  const read = await best(() => {
    for (const name of readdirSync(many)) readFileSync(join(many, name)).includes(needle);
  });

  const folder = await longConversation();
  const store = new FileChatStore(folder, () => {}, silentLog);
  const open = await best(async () => new Conversation('long', (await store.loadEnd('long'))?.events));
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const whole = await best(async () => (await store.loadEnd('long'))?.earlier?.(), 1);
  delays.disable();
  const parse = await best(() => {
    for (const line of readFileSync(join(folder, 'long.jsonl'), 'utf8').split('\n'))
      if (line) JSON.parse(line);
  }, 1);
  const ms = (value: number) => ({ value, unit: 'ms' });
  return [
    row('listing 5,000 conversations', ms(list), 'at most 300 ms', (v) => v <= 300),
    row('listing 5,000, against 1,000', ratio(list, listFew), 'at most 7x', (v) => v <= 7),
    row('searching 100 MB in 5,000, first found', ms(first), 'at most 100 ms', (v) => v <= 100),
    row('searching 100 MB in 5,000, all', ms(search), 'at most 600 ms', (v) => v <= 600),
    row('searching, against reading the same files', ratio(search, read), 'at most 3x', (v) => v <= 3),
    row('opening 200 MB from the end', ms(open), 'at most 300 ms', (v) => v <= 300),
    row('the rest of 200 MB, against JSON.parse', ratio(whole, parse), 'at most 2x', (v) => v <= 2),
    row('longest standstill meanwhile', ms(delays.max / 1e6), 'at most 100 ms', (v) => v <= 100),
  ];
}

/** Minimum of several rounds, in ms. */
async function best(act: () => unknown, times = rounds): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < times; round++) {
    const began = performance.now();
    await act();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/** Conversations of 20 KB each, of which one in fifty holds the needle. */
function conversations(count: number): Promise<string> {
  return generated(`conversations-${count}`, async (folder) => {
    for (let number = 0; number < count; number++) {
      const events = Array.from({ length: 8 }, (_, turn) => turnOf(`${number}.${turn}`, 320)).flat();
      if (number % 50 === 7)
        events.push({ type: 'userMessageAdded', id: 'n', text: `The ${needle} is here` });
      await writeFile(join(folder, `c${number}.jsonl`), toText(events));
    }
  });
}

function longConversation(): Promise<string> {
  return generated('long-conversation', async (folder) => {
    const parts: string[] = [];
    for (let [turn, size] = [0, 0]; size < longBytes; turn++) {
      const text = toText(turnOf(`${turn}`, 4000));
      parts.push(text);
      size += text.length;
    }
    await writeFile(join(folder, 'long.jsonl'), parts);
  });
}

function turnOf(id: string, length: number): ChatEvent[] {
  const words = Array.from({ length: Math.ceil(length / 7) }, (_, at) =>
    ((at * 7919 + Number(id) * 31) % 46_656).toString(36),
  );
  const text = words.join(' ');
  return [
    { type: 'settingsRepeated', modelId: 'm', approvals: 'askFirst', bases: [] },
    { type: 'userMessageAdded', id: `u${id}`, text: `Question ${id}` },
    { type: 'answerStarted', id: `a${id}`, model: 'm' },
    ...Array.from({ length: 6 }, () => ({ type: 'textAdded' as const, id: `a${id}`, text })),
    { type: 'answerEnded', id: `a${id}`, end: { reason: 'answered' } },
  ];
}

function toText(events: readonly ChatEvent[]): string {
  return events.map((event) => `\n${JSON.stringify(event)}\n`).join('');
}

async function generated(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(outFolder, 'bench', name);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await make(partial);
  await rename(partial, folder);
  return folder;
}
