// Runs the sandbox's platform in its own process, so that its memory and work don't count as the client's.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPlatform } from '../servers/platform/platformServer.ts';

export interface PlatformPlace {
  url: string;
  /** The same platform with a pause before each request, like a remote server. */
  distantUrl: string;
  key: string;
}

const distanceMs = 5;

async function main(): Promise<void> {
  const { url, datasetKey: key } = await startPlatform({
    indexing: 'instant',
    keepBodies: false,
    maxFileBytes: 1e9,
    maxBodyBytes: 1e9,
  });
  const distant = createServer((incoming, outgoing) => {
    setTimeout(() => {
      const { method, headers, url: path = '' } = incoming;
      const onward = request(new URL(path, url), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    }, distanceMs);
  });
  distant.listen(0, '127.0.0.1', () => {
    const { port } = distant.address() as AddressInfo;
    const place: PlatformPlace = { url, distantUrl: `http://127.0.0.1:${port}`, key };
    process.send?.(place);
  });
}

process.on('disconnect', () => process.exit());
void main();
