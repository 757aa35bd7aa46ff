// A search of another program through the bridge, against the same request sent to the platform directly.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { searchKnowledge } from '../../src/knowledge/searchKnowledge.ts';
import { installBridge } from '../../src/knowledgeServer/bridgeScript.ts';
import { root } from '../host/paths.ts';
import { createScratch } from '../host/scratch.ts';
import { startPlatform } from '../servers/platform/platformServer.ts';
import { openBridgeWindow } from '../support/bridgeWindow.ts';
import { platformUnderTest } from '../support/platformUnderTest.ts';
import { silentLog } from '../support/silentLog.ts';
import { row, type Row } from './rows.ts';

const searches = 40;
const { signal } = new AbortController();

export async function benchBridge(): Promise<Row[]> {
  const scratch = await createScratch();
  const documents = [{ name: 'rules.md', text: 'Three knots in the basin.' }];
  const platform = await startPlatform({ indexing: 'instant', seed: [{ dataset: 'Harbour', documents }] });
  const { client, http } = platformUnderTest({ baseUrl: platform.url, key: platform.datasetKey });
  const program = new Client({ name: 'bench', version: '1' });
  const datasets = await client.datasets.list(signal);
  const [dataset] = datasets;
  if (!dataset) throw new Error('The platform has no knowledge base.');
  const bases = {
    state: { type: 'ready', datasets },
    find: () => dataset,
    isAgent: () => false,
    load: async () => datasets,
  };
  const knowledge = {
    bases,
    search: (...[request, stop]: [Parameters<typeof searchKnowledge>[1], AbortSignal]) =>
      searchKnowledge(
        {
          ...{ client, log: silentLog, searchSettings: () => undefined },
          bases: bases as never,
          manifests: { originOf: async () => undefined },
        },
        request,
        stop,
      ),
  };
  const parts = { access: { origin: platform.url }, client, knowledge };
  const window = await openBridgeWindow(scratch.folder, { more: { knowledge: async () => parts as never } });
  try {
    const script = await installBridge(join(root, 'dist', 'knowledgeBridge.mjs'), scratch.folder);
    await program.connect(new StdioClientTransport({ command: process.execPath, args: [script, ''] }));
    const query = 'How fast in the basin?';
    const bare = () =>
      client.datasets.retrieve(dataset.id, { query, topK: 6, dataset, settings: undefined }, signal);
    const bridged = () => program.callTool({ name: 'search_knowledge', arguments: { query } });
    // Alternately, so that both meet the same load.
    const times = { bare: [] as number[], bridged: [] as number[] };
    for (let count = 0; count < searches; count++) {
      times.bare.push(await timeOf(bare));
      times.bridged.push(await timeOf(bridged));
    }
    const added = median(times.bridged) - median(times.bare);
    const shown = { value: added, unit: 'ms' };
    return [
      row("a search by the bridge, beyond the platform's own time", shown, 'under 30 ms', (v) => v < 30),
    ];
  } finally {
    await program.close();
    window.listener.dispose();
    http.dispose();
    await platform.stop();
    await scratch.remove();
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
