import assert from 'node:assert/strict';
import { platformSteps } from '../../../src/diagnose/platformSteps.ts';
import type { PlatformClient } from '../../../src/platform/platformClient.ts';
import type { Dataset } from '../../../src/platform/records.ts';

const now = 1_000_000_000;
const base = (more: Partial<Dataset> = {}): Partial<Dataset> => ({ id: 'a', isExternal: false, ...more });

/** @param waitingMs how long each base's documents have been queued */
async function found(bases: readonly Partial<Dataset>[], waitingMs: readonly number[] = []) {
  const client = {
    testConnection: async () => bases.length,
    datasets: { list: async () => bases },
    models: async () => [{ label: 'embedder', isActive: true }],
    documents: {
      list: async () => ({
        items: waitingMs.map((ms) => ({ state: 'waiting', createdAtMs: now - ms })),
      }),
    },
  } as unknown as PlatformClient;
  const { signal } = new AbortController();
  const [key, embeddings, queue] = platformSteps(client, () => now);
  await key?.run(signal);
  return { embeddings: await embeddings?.run(signal), queue: await queue?.run(signal) };
}

describe('platformSteps', () => {
  it('warn of knowledge bases whose embedding model is gone', async () => {
    const { embeddings } = await found([base(), base({ isEmbeddingAvailable: false })]);
    assert.equal(embeddings?.verdict, 'warning');
    assert.match(embeddings.text, /of 1 knowledge base is not available/);
  });

  it('warn of documents that wait for long, and not of those that were just sent', async () => {
    assert.equal((await found([base()], [5_000, 9_000])).queue?.verdict, 'ok');
    const { queue } = await found([base()], [5_000, 12 * 60_000]);
    assert.equal(queue?.verdict, 'warning');
    assert.equal(queue.text, '2 documents are waiting to be indexed. The oldest was added 12 min ago.');
  });

  it('look at no queue where there is none', async () => {
    assert.equal(
      (await found([base({ isExternal: true }), base({ documentCount: 0 })])).queue?.verdict,
      'skipped',
    );
  });
});
