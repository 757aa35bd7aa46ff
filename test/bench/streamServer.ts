// Streams as fast as the socket takes it, in its own process so that its work isn't the client's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const chunkCount = 20_000;

/** About 240 bytes an event, as a relay sends them; every seventh has text beyond ASCII. */
function recordedStream(): Buffer {
  const lines: string[] = [];
  const envelope = (delta: unknown, finish: string | null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-0123456789abcdef0123456789abcdef',
      object: 'chat.completion.chunk',
      created: 1786000000,
      model: 'bench-model-with-a-usual-name',
      system_fingerprint: 'fp_0123456789',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    })}\n\n`;
  for (let n = 0; n < chunkCount; n++) {
    lines.push(envelope({ content: n % 7 === 0 ? ` wörd→你好 ${n}` : ` word ${n}` }, null));
  }
  lines.push(envelope({}, 'stop'));
  lines.push('data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}\n\n');
  lines.push('data: [DONE]\n\n');
  return Buffer.from(lines.join(''));
}

const whole = recordedStream();
const firstEvent = whole.subarray(0, whole.indexOf('\n\n') + 2);
const rest = Buffer.from(
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
);

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // `/one` answers with one token, to measure the round trip.
    if (request.url?.startsWith('/one')) {
      response.end(Buffer.concat([firstEvent, rest]));
      return;
    }
    let at = 0;
    const write = () => {
      while (at < whole.length) {
        const piece = whole.subarray(at, (at += 16_384));
        if (!response.write(piece)) {
          response.once('drain', write);
          return;
        }
      }
      response.end();
    };
    write();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
