import assert from 'node:assert/strict';
import { Manifests } from '../../../../src/knowledge/manifest/manifests.ts';
import type { SentDocument } from '../../../../src/knowledge/manifest/manifestRecords.ts';
import { MemoryStorage } from '../../../support/memoryKnowledge.ts';
import { silentLog } from '../../../support/silentLog.ts';

const sent: SentDocument = {
  ...{ type: 'sent', at: 1, name: 'a.md', path: 'a.md', hash: 'h', size: 1, documentId: 'doc-1' },
};

describe('the manifests of a workspace', () => {
  let storage: MemoryStorage;
  const open = (origin = 'https://platform.example.com') => new Manifests(storage, origin, silentLog);
  beforeEach(() => (storage = new MemoryStorage()));

  it('have what another window sent since they were read', async () => {
    const [one, other] = [open(), open()];
    assert.equal((await one.of('d-1')).state.documents.size, 0);
    await (await other.of('d-1')).append(sent);
    assert.deepEqual(
      [...(await one.fresh('d-1')).state.documents.values()].map(({ documentId }) => documentId),
      ['doc-1'],
    );
  });

  it('are read again where that failed', async () => {
    await (await open().of('d-1')).append(sent);
    const manifests = open();
    storage.before = () => Promise.reject(new Error('The disk is gone.'));
    assert.equal(await manifests.readable('d-1'), undefined);
    storage.before = async () => {};
    assert.equal((await manifests.of('d-1')).state.documents.size, 1);
  });

  it('belong to one platform each', async () => {
    await (await open().of('d-1')).append(sent);
    const elsewhere = open('https://elsewhere.example.com');
    assert.deepEqual([...(await elsewhere.all()).keys()], []);
    assert.equal((await elsewhere.of('d-1')).state.documents.size, 0);
  });

  it('have names that are safe, whatever the ids of the platform', async () => {
    const ids = ['../up', 'a/b', 'c.d', '水', 'e f'];
    for (const id of ids) await (await open().of(id)).append(sent);
    for (const name of storage.texts.keys()) assert.match(name, /^documents-[\w.-]+\.jsonl$/);
    assert.deepEqual([...(await open().all()).keys()].toSorted(), ids.toSorted());
  });
});
