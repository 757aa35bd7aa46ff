// `node decodeClients.js <client> <url>`. The peers come from BENCH_PEERS, so the product needs none of them.
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHttpClient } from '../../src/net/httpClient.ts';
import { createStreamModel } from '../../src/relay/streamModel.ts';

/** Returns the answer's text length in characters. */
type Decode = (baseUrl: string) => Promise<number>;

const model = 'bench';
const question = [{ role: 'user' as const, content: 'Go' }];
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Lower bound: a socket, a loop over lines, JSON.parse; no checks at all. */
const handWritten: Decode = (baseUrl) =>
  new Promise((resolve, reject) => {
    const call = request(`${baseUrl}/v1/chat/completions`, { method: 'POST' }, (response) => {
      response.setEncoding('utf8');
      let buffer = '';
      let characters = 0;
      response.on('data', (text: string) => {
        buffer += text;
        let start = 0;
        for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n', start)) {
          const line = buffer.slice(start, end);
          start = end + 1;
          if (!line.startsWith('data: {')) continue;
          const chunk = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
          characters += chunk.choices[0]?.delta.content?.length ?? 0;
        }
        buffer = buffer.slice(start);
      });
      response.on('end', () => resolve(characters));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(JSON.stringify({ model, messages: question, stream: true }));
  });

const http = createHttpClient({ log: quiet, settings: () => ({ noProxy: [], strictTls: true }) });

const switchboard: Decode = async (baseUrl) => {
  const streamModel = createStreamModel({
    http,
    log: quiet,
    connection: { baseUrl, key: 'sk-bench', headers: {} },
    timeouts: { connectMs: 15_000, firstTokenMs: 180_000, idleMs: 90_000 },
  });
  let characters = 0;
  const events = streamModel({ model, messages: question, stream: true }, new AbortController().signal);
  for await (const event of events) if (event.type === 'textAdded') characters += event.text.length;
  return characters;
};

const peerFolder = process.env['BENCH_PEERS'] ?? '';
const peer = async (name: string) =>
  import(pathToFileURL(createRequire(join(peerFolder, 'package.json')).resolve(name)).href);

async function openai(): Promise<Decode> {
  const { OpenAI } = await peer('openai');
  return async (baseUrl) => {
    const client = new OpenAI({ apiKey: 'sk-bench', baseURL: `${baseUrl}/v1`, maxRetries: 0 });
    const stream = await client.chat.completions.create({ model, messages: question, stream: true });
    let characters = 0;
    for await (const chunk of stream) characters += chunk.choices[0]?.delta?.content?.length ?? 0;
    return characters;
  };
}

async function ai(): Promise<Decode> {
  const { streamText } = await peer('ai');
  const { createOpenAICompatible } = await peer('@ai-sdk/openai-compatible');
  return async (baseUrl) => {
    const provider = createOpenAICompatible({ name: 'bench', apiKey: 'sk-bench', baseURL: `${baseUrl}/v1` });
    const { textStream } = streamText({ model: provider(model), messages: question, maxRetries: 0 });
    let characters = 0;
    for await (const text of textStream) characters += text.length;
    return characters;
  };
}

const clients: Record<string, () => Promise<Decode>> = {
  handWritten: async () => handWritten,
  switchboard: async () => switchboard,
  openai,
  ai,
};

const [name = '', url = ''] = process.argv.slice(2);
const decode = await clients[name]!();

const passes: number[] = [];
let characters = 0;
for (let pass = 0; pass < 4; pass++) {
  const before = process.cpuUsage();
  characters = await decode(url);
  const { user, system } = process.cpuUsage(before);
  if (pass > 0) passes.push((user + system) / 1000);
}
const firstTokens: number[] = [];
for (let n = 0; n < 200; n++) {
  const started = performance.now();
  await decode(`${url}/one`);
  if (n >= 50) firstTokens.push(performance.now() - started);
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
process.send?.({ characters, cpuMs: median(passes), roundTripMs: median(firstTokens) });
process.disconnect?.();
http.dispose();
