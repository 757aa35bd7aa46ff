import { keysRead, PanelNotices } from '../../../src/panel/panelNotices.ts';
import assert from 'node:assert/strict';

describe('keysRead', () => {
  const locked = Promise.reject(new Error('The keyring is locked.'));
  locked.catch(() => undefined);

  it('says in the panel, once, that keys cannot be read, when all was tried', async () => {
    const notices = new PanelNotices();
    let isOtherRead = false;
    const other = Promise.resolve().then(() => void (isOtherRead = true));
    await keysRead([locked, locked, other], notices);
    assert.equal(isOtherRead, true);
    assert.deepEqual(
      notices.all.map(({ severity, text }) => [severity, text]),
      [['error', "The saved keys couldn't be read: The keyring is locked."]],
    );
  });

  it('says nothing when they can be read', async () => {
    const notices = new PanelNotices();
    await keysRead([Promise.resolve()], notices);
    assert.deepEqual(notices.all, []);
  });
});
