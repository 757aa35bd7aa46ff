import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { PagedList } from '../../../src/platform/pagedList.ts';
import type { Page } from '../../../src/platform/records.ts';

describe('PagedList', () => {
  const pages: Page<number>[] = [
    { items: [1, 2], hasMore: true, total: 3 },
    { items: [3], hasMore: true, total: 3 },
    { items: [], hasMore: true, total: 3 },
  ];
  const pageOf = async (page: number) => pages[page - 1] ?? assert.fail(`page ${page} was asked for`);

  it('asks for one page after the other, and stops at an empty one', async () => {
    const list = new PagedList(pageOf);
    await list.ensure();
    await list.ensure();
    assert.deepEqual([list.items, list.hasMore, list.total], [[1, 2], true, 3]);
    await list.loadNext();
    assert.equal(list.hasMore, true, 'the server says so');
    await list.loadNext();
    assert.deepEqual([list.items, list.hasMore], [[1, 2, 3], false]);
  });

  it('asks once for all who wait for the same page', async () => {
    const asked: number[] = [];
    const list = new PagedList((page) => {
      asked.push(page);
      return pageOf(page);
    });
    await Promise.all([list.ensure(), list.ensure(), list.loadNext()]);
    assert.deepEqual(asked, [1]);
  });

  it('keeps what it has when a page fails, does not ask again by itself, and goes on from there', async () => {
    let fails = true;
    const list = new PagedList(async (page) => {
      if (fails) throw new SwitchboardError('transient', 'The connection broke.');
      return pageOf(page);
    });
    await list.ensure();
    assert.equal(list.error?.message, 'The connection broke.');
    await list.ensure();
    assert.deepEqual(list.items, []);
    fails = false;
    await list.loadNext();
    assert.deepEqual([list.items, list.error], [[1, 2], undefined]);
  });
});
