import assert from 'node:assert/strict';
import { offerLeftDrafts } from '../../../src/panel/leftDrafts.ts';
import { PanelNotices } from '../../../src/panel/panelNotices.ts';
import { eventually } from '../../support/eventually.ts';

describe('what a window that is gone left unsent', () => {
  const image = { type: 'text', name: 'Pasted text', text: 'long' } as const;
  const target = {
    ...{ id: 'm', kind: 'edit', chatId: 'c', inPlaceOf: 'm' },
    setAside: { draft: 'Set aside', sources: [{ type: 'changes' }] },
  };

  async function offer(
    press: string | undefined,
    left = [{ id: 'a', text: 'Hello\nyou', attachments: [image], target }],
  ) {
    const notices = new PanelNotices();
    const added: unknown[] = [];
    const taken: string[] = [];
    const offering = offerLeftDrafts(
      { left: async () => left, take: async (id) => taken.push(id) > 0 },
      notices,
      (...message) => added.push(message),
    );
    const shown: string[] = [];
    for (const { text } of left.filter((each) => each.text)) {
      await eventually(async () => assert.equal(notices.all.length, 1, text));
      const [notice] = notices.all;
      shown.push(notice?.text ?? '');
      notices.answer(notice?.id ?? '', press);
    }
    await offering;
    return { added, taken, shown };
  }

  it('is put into the message box with all that went with it', async () => {
    const { added, taken, shown } = await offer('Restore');
    assert.deepEqual(shown, ['Unsent message from a window that was closed: Hello you Set aside']);
    assert.deepEqual(added, [['Hello\nyou\nSet aside', [image, { type: 'changes' }]]]);
    assert.deepEqual(taken, ['a']);
  });

  it('has what was typed for messages that were edited, but none that were only opened', async () => {
    const edit = { chatId: 'c', id: 'm', text: 'Second', sources: [], isOpen: true };
    const edits = [
      edit,
      { ...edit, id: 'n', text: 'Zweit', sources: [{ type: 'changes' }], isChanged: true },
    ];
    const { added } = await offer('Restore', [{ id: 'a', text: 'Hello', edits } as never]);
    assert.deepEqual(added, [['Hello\nZweit', [{ type: 'changes' }]]]);
    const opened = [{ id: 'a', text: '', edits: [edit] } as never];
    assert.deepEqual(await offer(undefined, opened), { added: [], taken: ['a'], shown: [] });
  });

  it('goes when the user discards it, and stays when they only close the notice', async () => {
    assert.deepEqual((await offer('Discard')).taken, ['a']);
    const { added, taken } = await offer(undefined);
    assert.deepEqual([added, taken], [[], []]);
  });

  it('is not offered where it is nothing', async () => {
    const nothing = { id: 'a', text: '', attachments: [], target: { ...target, setAside: undefined } };
    assert.deepEqual(await offer(undefined, [nothing as never]), { added: [], taken: ['a'], shown: [] });
  });
});
