import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/emitter.ts';
import type { HistoryEntry, HistorySource } from '../../src/history/historySource.ts';
import { showHistory } from '../../src/host/history/showHistory.ts';
import { silentLog } from '../support/silentLog.ts';
import { withPerson } from './person.ts';

describe('History', () => {
  it('shows while it is open that a conversation asks, and that it ended', async () => {
    const changes = new Emitter<void>();
    let activity: HistoryEntry['activity'] = 'running';
    const entry: HistoryEntry = {
      id: 'tides',
      title: 'Tides',
      get activity() {
        return activity;
      },
      open: async () => true,
      delete: async () => {},
    };
    const source: HistorySource = {
      name: 'On this machine',
      onDidChange: changes.event,
      load: async () => ({ entries: [entry] }),
    };
    const labels: (string | undefined)[] = [];
    const become = (next: HistoryEntry['activity']) => {
      activity = next;
      changes.fire();
    };
    await withPerson(
      {
        lists: [
          async (list) => {
            await list.item('Tides');
            labels.push(list.labels[0]);
            become('asking');
            labels.push(list.labels[0]);
            become(undefined);
            labels.push(list.labels[0]);
            list.dismiss();
          },
        ],
      },
      () => showHistory([source], silentLog),
    );
    assert.deepEqual(labels, ['$(loading~spin) Tides', '$(bell) Tides', 'Tides']);
  });

  it('says that a conversation exists no longer, takes it from the list and stays open', async () => {
    const entry = (title: string, isThere: boolean): HistoryEntry => ({
      ...{ id: title, title, open: async () => isThere, delete: async () => {} },
    });
    const source: HistorySource = {
      name: 'On this machine',
      load: async () => ({ entries: [entry('Deleted', false), entry('Kept', true)] }),
    };
    let left: string[] = [];
    let opened: string | undefined;
    const asked = await withPerson(
      {
        lists: [
          (list) => list.accept('Deleted'),
          async (list) => {
            left = [...list.labels];
            await list.accept('Kept');
          },
        ],
      },
      async () => (opened = await showHistory([source], silentLog)),
    );
    assert.deepEqual([left, opened], [['Kept'], 'Kept']);
    assert.ok(asked.some(({ text }) => text.startsWith('The conversation "Deleted" no longer exists.')));
  });
});
