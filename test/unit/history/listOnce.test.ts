import assert from 'node:assert/strict';
import type { HistoryEntry } from '../../../src/history/historySource.ts';
import { deleteListing, listOnce, openListing, titleOf } from '../../../src/history/listOnce.ts';

describe('conversations listed once', () => {
  let done: string[];
  beforeEach(() => {
    done = [];
  });

  function entry(id: string, more: Partial<HistoryEntry> = {}): HistoryEntry {
    return {
      id,
      title: id,
      open: () => Promise.resolve(done.push(`open ${id}`) > 0),
      delete: () => Promise.resolve(void done.push(`delete ${id}`)),
      ...more,
    };
  }
  const shown = (sources: HistoryEntry[][]) =>
    listOnce(sources).map((listings) =>
      listings.map(({ entry: { id }, twins }) => [id, ...twins.map((twin) => twin.id)].join('+')),
    );

  it('lists what is kept here and on the platform where it is kept here', () => {
    const here = [entry('chat 1'), entry('chat 2')];
    const there = [entry('theirs', { chatId: 'chat 2' }), entry('only there')];
    assert.deepEqual(shown([here, there]), [['chat 1', 'chat 2+theirs'], ['only there']]);
  });

  it('lists under the app what is not listed here any more', () => {
    assert.deepEqual(shown([[entry('chat 1')], [entry('theirs', { chatId: 'deleted' })]]), [
      ['chat 1'],
      ['theirs'],
    ]);
  });

  it('joins the conversations that several apps keep of one chat', () => {
    const sources = [[entry('chat')], [entry('a', { chatId: 'chat' })], [entry('b', { chatId: 'chat' })]];
    assert.deepEqual(shown(sources), [['chat+a+b'], [], []]);
  });

  it("is called by the platform's name, unless that is none", () => {
    const here = entry('first line');
    assert.equal(titleOf({ entry: here, twins: [] }), 'first line');
    assert.equal(titleOf({ entry: here, twins: [entry('a name')] }), 'a name');
    assert.equal(titleOf({ entry: here, twins: [entry('a.md', { isTitlePoor: true })] }), 'first line');
  });

  it('opens what the platform has, since it may have gone on there', async () => {
    await openListing({ entry: entry('here'), twins: [entry('there')] });
    assert.deepEqual(done, ['open there']);
  });

  it('tells that there is nothing to open any more', async () => {
    const gone = entry('gone', { open: () => Promise.resolve(false) });
    assert.equal(await openListing({ entry: gone, twins: [] }), false);
    assert.equal(await openListing({ entry: entry('here'), twins: [] }), true);
  });

  it('opens what is kept here when the platform does not answer, and tells', async () => {
    const there = entry('there', { open: () => Promise.reject(new Error('offline')) });
    await assert.rejects(openListing({ entry: entry('here'), twins: [there] }), /offline/);
    assert.deepEqual(done, ['open here']);
  });

  it('opens nothing else when what is only on the platform cannot be opened', async () => {
    const there = entry('there', { open: () => Promise.reject(new Error('offline')) });
    await assert.rejects(openListing({ entry: there, twins: [] }), /offline/);
    assert.deepEqual(done, []);
  });

  it('deletes in all places, and nothing here when the platform refuses', async () => {
    await deleteListing({ entry: entry('here'), twins: [entry('there')] });
    assert.deepEqual(done.splice(0), ['delete there', 'delete here']);
    const firm = entry('there', { delete: () => Promise.reject(new Error('no')) });
    await assert.rejects(deleteListing({ entry: entry('here'), twins: [firm] }), /no/);
    assert.deepEqual(done, []);
  });
});
