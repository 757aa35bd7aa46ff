import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { KeyKind, KeySlot } from '../../src/connections/keyStore.ts';
import { removeKeys, type RemoveKeysDependencies } from '../../src/host/connect/removeKeys.ts';
import { replace, restoreAll } from './replace.ts';

const origin = 'https://relay.example';
const slotOf = (kind: KeyKind): KeySlot => ({ kind, origin });

describe('the saved keys, of which any can be removed', () => {
  let slots: KeySlot[];
  let told: string[];
  let shown: readonly vscode.QuickPickItem[] | undefined;

  const remove = () =>
    removeKeys({
      keys: {
        list: async () => slots,
        forget: async (slot: KeySlot) => void (slots = slots.filter((each) => each !== slot)),
      },
      apps: { find: (id: string) => (id === 'a1' ? { name: 'Guide' } : undefined) },
      relays: { known: [{ origin, name: 'At work' }] },
      notifications: { information: async (text: string) => void told.push(text) },
    } as unknown as RemoveKeysDependencies);
  const choose = (isChosen: ((item: vscode.QuickPickItem) => boolean) | undefined) =>
    replace(vscode.window, 'showQuickPick', async (items: vscode.QuickPickItem[]) => {
      shown = items;
      return isChosen && items.filter(isChosen);
    });

  beforeEach(() => {
    [slots, told, shown] = [[slotOf('relay'), slotOf('dataset')], [], undefined];
  });
  afterEach(restoreAll);

  it('are picked by the user, unless there is one alone', async () => {
    choose(({ picked }) => picked ?? false);
    assert.equal(await remove(), 0);
    assert.deepEqual([slots.length, told], [2, []]);
    slots = [slotOf('relay')];
    assert.equal(await remove(), 1);
    assert.deepEqual([slots, told], [[], ['Removed 1 key.']]);
    shown = undefined;
    assert.equal(await remove(), 0);
    assert.deepEqual([shown, told[1]], [undefined, 'There are no saved keys.']);
  });

  it('go as they were picked, and stay when the list is dismissed', async () => {
    choose(undefined);
    assert.equal(await remove(), 0);
    choose(({ description }) => description === 'knowledge base key');
    assert.equal(await remove(), 1);
    assert.deepEqual([slots, told], [[slotOf('relay')], ['Removed 1 key.']]);
  });

  it('are told apart by what they open', async () => {
    slots = ['relay', 'dataset', 'session', 'proxy', 'passphrase', 'header:X-Team', 'app:a1', 'app:a2'].map(
      (kind) => slotOf(kind as KeyKind),
    );
    slots.push({ kind: 'relay', origin: 'https://other.example' });
    choose(undefined);
    await remove();
    assert.deepEqual(
      shown?.map(({ label, description }) => [label === origin, description]),
      [
        [true, 'key of the relay "At work"'],
        [true, 'knowledge base key'],
        [true, 'sign-in to the platform'],
        [true, 'user name and password of the proxy'],
        [true, 'passphrase of the client certificate'],
        [true, 'header secret "X-Team"'],
        [true, 'key of the app "Guide"'],
        [true, 'app key'],
        [false, 'relay key'],
      ],
    );
  });
});
