import assert from 'node:assert/strict';
import { KeyGuard } from '../../../../src/webview/approvals/keyGuard.ts';

describe('the guard of the keys that answer a question', () => {
  let nowMs = 0;
  let guard: KeyGuard;
  beforeEach(() => {
    nowMs = 1000;
    guard = new KeyGuard(() => nowMs);
    guard.setShown(true);
  });
  const press = (isRepeat = false, isTyping = false) => {
    guard.keyDown(isRepeat, isTyping);
    return guard.takeKey(isTyping);
  };

  it('takes a key half a second after the question came into view', () => {
    nowMs += 499;
    assert.equal(press(), false);
    nowMs += 1;
    assert.equal(press(), true);
  });

  it('counts from when the question came back into view, not from each report of it', () => {
    nowMs += 400;
    guard.setShown(true);
    nowMs += 100;
    assert.equal(press(), true);
    guard.setShown(false);
    assert.deepEqual([press(), guard.isShown], [false, false]);
    guard.setShown(true);
    assert.equal(press(), false);
  });

  it('takes no key that is held down or belongs to a text', () => {
    nowMs += 1000;
    assert.deepEqual([press(true), press(false, true), press()], [false, false, true]);
  });

  it('judges the key when it is pressed, however late its command comes, and once', () => {
    guard.keyDown(false, false);
    nowMs += 2000;
    assert.equal(guard.takeKey(false), false);
    // A command without a key, from the palette.
    assert.deepEqual([guard.takeKey(true), guard.takeKey(false)], [false, true]);
    guard.keyDown(false, false);
    guard.setShown(false);
    assert.equal(guard.takeKey(false), false);
  });
});
