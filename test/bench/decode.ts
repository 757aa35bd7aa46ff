// Decoding a 20,000-chunk stream: ours against a hand-written loop, the openai SDK and the ai SDK.
import { fork } from 'node:child_process';
import { buildTests } from '../host/build.ts';
import { cached } from '../host/cache.ts';
import { npm } from '../host/npm.mjs';
import { vscodeFiles } from '../host/vscodeFiles.ts';
import { ratio, row, type Row } from './rows.ts';
import { firstMessage } from './firstMessage.ts';

const peers = { openai: '7.55.0', ai: '7.0.173', '@ai-sdk/openai-compatible': '3.0.92' };

interface Figures {
  characters: number;
  cpuMs: number;
  roundTripMs: number;
}

export async function benchDecode(): Promise<Row[]> {
  const specs = Object.entries(peers).map(([name, version]) => `${name}@${version}`);
  const peerFolder = await cached(
    `bench-peers-${Object.values(peers).join('-')}`,
    'the peers of the benchmark',
    (folder) => npm(folder, ['install', ...specs]),
  );
  const { node } = await vscodeFiles();
  const [serverFile = '', clientFile = '', responsesFile = ''] = await buildTests(
    ['test/bench/streamServer.ts', 'test/bench/decodeClients.ts', 'test/bench/decodeResponses.ts'],
    'out/bench',
  );
  const options = { execPath: node, env: { ...process.env, BENCH_PEERS: peerFolder } };
  const server = fork(serverFile, [], options);
  try {
    const url = `http://127.0.0.1:${await firstMessage<number>(server)}`;
    const measure = async (name: string) => {
      const client = fork(clientFile, [name, url], options);
      return firstMessage<Figures>(client);
    };
    const floor = await measure('handWritten');
    const ours = await measure('switchboard');
    const responses = await firstMessage<{ oursMs: number; floorMs: number }>(
      fork(responsesFile, [], options),
    );
    const openai = await measure('openai');
    const ai = await measure('ai');
    for (const figures of [ours, openai, ai]) {
      if (figures.characters !== floor.characters) throw new Error('A client lost text.');
    }
    return [
      row(
        'decode 20,000 chunks, against a hand-written loop',
        ratio(ours.cpuMs, floor.cpuMs),
        'at most 2x',
        (v) => v <= 2,
      ),
      row(
        'decode 20,000 events of the responses protocol in memory, against a hand-written loop',
        ratio(responses.oursMs, responses.floorMs),
        'at most 1.3x',
        (v) => v <= 1.3,
      ),
      row(
        'decode 20,000 chunks, openai SDK against ours',
        ratio(openai.cpuMs, ours.cpuMs),
        'at least 2x',
        (v) => v >= 2,
      ),
      row(
        'decode 20,000 chunks, ai streamText against ours',
        ratio(ai.cpuMs, ours.cpuMs),
        'at least 9x',
        (v) => v >= 9,
      ),
      row(
        'a warm request with one token, added over a bare socket',
        { value: ours.roundTripMs - floor.roundTripMs, unit: 'ms' },
        'under 1 ms',
        (v) => v < 1,
      ),
    ];
  } finally {
    server.disconnect();
  }
}
