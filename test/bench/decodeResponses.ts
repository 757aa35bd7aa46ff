// Decodes 20,000 in-memory events of the responses protocol: ours against a hand-written loop.
import { StringDecoder } from 'node:string_decoder';
import { EventStreamDecoder } from '../../src/net/eventStream.ts';
import { Answer } from '../../src/relay/answer.ts';
import { protocols } from '../../src/relay/protocols/allProtocols.ts';

const eventCount = 20_000;
const passes = 15;

/** About 230 bytes an event, as a relay sends them; every seventh has text beyond ASCII. */
function recordedReads(): Buffer[] {
  const lines: string[] = [];
  const event = (type: string, fields: object) =>
    lines.push(
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: lines.length, ...fields })}\n\n`,
    );
  const place = { item_id: 'msg_0123456789abcdef0123456789abcdef', output_index: 0, content_index: 0 };
  event('response.created', { response: { object: 'response', status: 'in_progress', output: [] } });
  for (let n = 0; n < eventCount; n++) {
    const delta = n % 7 === 0 ? ` wörd→你好 ${n}` : ` word ${n}`;
    event('response.output_text.delta', { ...place, delta, logprobs: [], obfuscation: 'x1y2z3w4' });
  }
  event('response.completed', { response: { object: 'response', status: 'completed', output: [] } });
  const whole = Buffer.from(lines.join(''));
  return Array.from({ length: Math.ceil(whole.length / 16_384) }, (_, index) =>
    whole.subarray(index * 16_384, (index + 1) * 16_384),
  );
}

const reads = recordedReads();

/** Lower bound: a loop over lines, JSON.parse; no checks at all. */
function handWritten(): number {
  const utf8 = new StringDecoder('utf8');
  let buffer = '';
  let characters = 0;
  for (const read of reads) {
    buffer += utf8.write(read);
    let start = 0;
    for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n', start)) {
      const line = buffer.slice(start, end);
      start = end + 1;
      if (!line.startsWith('data: {')) continue;
      const { type, delta } = JSON.parse(line.slice(6)) as { type: string; delta?: string };
      if (type === 'response.output_text.delta') characters += delta?.length ?? 0;
    }
    buffer = buffer.slice(start);
  }
  return characters;
}

function ours(): number {
  const decoder = new EventStreamDecoder();
  const answer = new Answer({
    address: '',
    reader: protocols.responses.createReader(),
    toError: () => new Error('The stream reported a failure.') as never,
  });
  let characters = 0;
  for (const read of reads) {
    for (const { data } of decoder.decode(read)) answer.addEvent(data);
    for (const event of answer.take()) if (event.type === 'textAdded') characters += event.text.length;
  }
  answer.finish('streamed');
  return characters;
}

function measure(decode: () => number): { cpuMs: number; characters: number } {
  const before = process.cpuUsage();
  const characters = decode();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, characters };
}

const figures = { ours: [] as number[], floor: [] as number[] };
for (let pass = 0; pass < passes; pass++) {
  const [mine, floor] = [measure(ours), measure(handWritten)];
  if (mine.characters !== floor.characters) throw new Error('Text was lost.');
  // The first passes are warm-up.
  if (pass < 5) continue;
  figures.ours.push(mine.cpuMs);
  figures.floor.push(floor.cpuMs);
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
process.send?.({ oursMs: median(figures.ours), floorMs: median(figures.floor) });
process.disconnect?.();
