import assert from 'node:assert/strict';
import { filterConversations, groupConversations } from '../../../src/history/groupConversations.ts';
import type { HistoryEntry } from '../../../src/history/historySource.ts';

const now = new Date(2026, 10, 22, 9).getTime();
const daysAgo = (days: number, hour = 12) => new Date(2026, 10, 22 - days, hour).getTime();

function entry(id: string, parts: Partial<HistoryEntry>): HistoryEntry {
  return { ...{ id, title: id, open: async () => true, delete: async () => {} }, ...parts };
}

const entries = [
  entry('running', { activity: 'running', updatedAtMs: daysAgo(90), by: 'b', isPinned: true }),
  entry('morning', { updatedAtMs: daysAgo(0, 0), by: 'a', folder: 'app' }),
  entry('last night', { updatedAtMs: daysAgo(1, 23), by: 'b', folder: 'docs' }),
  entry('pinned', { updatedAtMs: daysAgo(90), isPinned: true, by: 'a' }),
  entry('this week', { updatedAtMs: daysAgo(6), by: 'a' }),
  entry('this month', { updatedAtMs: daysAgo(20), by: 'b' }),
  entry('long ago', { updatedAtMs: daysAgo(90), by: 'a' }),
];
const idsOf = (some: readonly HistoryEntry[]) => some.map(({ id }) => id);

describe('the groups of History', () => {
  it('are what runs, what is pinned, and the days since, as the calendar has them', () => {
    assert.deepEqual(
      groupConversations(entries, now).map(({ id, label, entries: own }) => [id, label, ...idsOf(own)]),
      [
        ['active', 'Active', 'running'],
        ['pinned', 'Pinned', 'pinned'],
        ['today', 'Today', 'morning'],
        ['yesterday', 'Yesterday', 'last night'],
        ['week', 'Last 7 Days', 'this week'],
        ['month', 'Last 30 Days', 'this month'],
        ['older', 'Older', 'long ago'],
      ],
    );
  });

  it('can be filtered by model, folder and age, all at once, and never hide what runs', () => {
    assert.deepEqual(idsOf(filterConversations(entries, { by: ['a'], since: 'week' }, now)), [
      ...['running', 'morning', 'this week'],
    ]);
    assert.deepEqual(idsOf(filterConversations(entries, { folder: ['docs', 'app'] }, now)), [
      ...['running', 'morning', 'last night'],
    ]);
    assert.deepEqual(filterConversations(entries, {}, now), entries);
  });
});
