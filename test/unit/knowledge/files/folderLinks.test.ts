import assert from 'node:assert/strict';
import { type FolderLink, FolderLinks } from '../../../../src/knowledge/files/folderLinks.ts';
import { MemoryStorage } from '../../../support/memoryKnowledge.ts';

const terms = { when: 'commit', maxFiles: 1, maxBytes: 1, maxFileSizeBytes: 1, exclude: [] } as const;
const link = (datasetId: string, commit?: string): FolderLink => ({
  ...{ folder: '', path: '/work', datasetId, datasetName: datasetId },
  auto: { terms: { ...terms, exclude: [] }, ...(commit !== undefined && { commit }) },
});

describe('links of folders to knowledge bases', () => {
  it('are of one folder and one base', async () => {
    const links = new FolderLinks(new MemoryStorage(), 'https://platform.example.com');
    await links.add(link('one'));
    await links.add(link('two'));
    assert.equal((await links.find(link('two')))?.datasetId, 'two');
    await links.remove(link('one'));
    assert.deepEqual(
      (await links.all()).map(({ datasetId }) => datasetId),
      ['two'],
    );
  });

  it('are compacted to what they are, however many commits were sent', async () => {
    const storage = new MemoryStorage();
    const links = new FolderLinks(storage, 'https://platform.example.com');
    await links.add(link('removed'));
    await links.remove(link('removed'));
    for (let commit = 1; commit <= 1000; commit++) await links.add(link('kept', String(commit)));
    assert.deepEqual(await links.all(), [link('kept', '1000')]);
    const [text = ''] = storage.texts.values();
    assert.ok(text.split('\n').length <= 400);
  });
});
