import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async/promises.ts';
import { isCancelled } from '../../../src/base/errors/errors.ts';
import { KnowledgeBases } from '../../../src/knowledge/knowledgeBases.ts';
import type { PlatformClient } from '../../../src/platform/platformClient.ts';
import type { Dataset } from '../../../src/platform/records.ts';
import { emptyDataset } from '../../support/emptyDataset.ts';
import { settle } from '../../support/memoryKnowledge.ts';

const { signal } = new AbortController();

describe('the list of knowledge bases, while it is read', () => {
  let server: Dataset[];
  let gates: Deferred[];
  let bases: KnowledgeBases;
  beforeEach(() => {
    server = ['d-1', 'd-2'].map(emptyDataset);
    gates = [];
    const datasets: Partial<PlatformClient['datasets']> = {
      async list() {
        const read = [...server];
        const gate = new Deferred();
        gates.push(gate);
        await gate.promise;
        return read;
      },
      create({ name }) {
        const created = { ...emptyDataset('d-3'), name };
        server.push(created);
        return Promise.resolve(created);
      },
      update(id, { name = '' }) {
        const changed = { ...emptyDataset(id), name };
        server = server.map((each) => (each.id === id ? changed : each));
        return Promise.resolve(changed);
      },
      delete(id) {
        server = server.filter((each) => each.id !== id);
        return Promise.resolve();
      },
    };
    bases = new KnowledgeBases({
      client: { datasets } as PlatformClient,
      added: () => [],
      closing: signal,
      onChange() {},
      onDeleted: () => Promise.resolve(),
    });
  });
  const shown = () => bases.state.datasets.map(({ id, name }) => `${id} ${name}`);
  const release = async () => {
    await settle();
    for (const gate of gates.splice(0)) gate.resolve();
    await settle();
  };

  const changes: [name: string, change: () => Promise<unknown>, after: string[]][] = [
    ['deletion', () => bases.delete('d-1', signal), ['d-2 Docs']],
    ['creation', () => bases.create({ name: 'New' }, signal), ['d-3 New', 'd-1 Docs', 'd-2 Docs']],
    ['new name', () => bases.rename('d-1', 'Logs', signal), ['d-1 Logs', 'd-2 Docs']],
  ];
  for (const [name, change, after] of changes) {
    it(`keeps a ${name} that came meanwhile`, async () => {
      const loading = bases.load(signal);
      await settle();
      const changing = change();
      await release();
      await Promise.all([loading, changing]);
      assert.deepEqual([bases.state.type, shown()], ['ready', after]);
    });
  }

  it('is what was read last, also when the server took longer for the one before', async () => {
    const first = bases.load(signal);
    await settle();
    const [slow] = gates.splice(0);
    server = [];
    const second = bases.load(signal);
    await release();
    slow?.resolve();
    await release();
    await Promise.all([first, second]);
    assert.deepEqual([bases.state.type, shown()], ['ready', []]);
  });

  it('is not read once more for a cancelled wait, which ends at once', async () => {
    const first = bases.load(signal);
    await settle();
    const ending = new AbortController();
    const second = bases.load(ending.signal);
    ending.abort();
    await assert.rejects(second, isCancelled);
    await release();
    await first;
    assert.deepEqual([bases.state.type, gates.length], ['ready', 0]);
  });
});
