import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { isWindowThere, thisWindow } from '../../../../src/chat/session/windowMark.ts';

const { host } = thisWindow;

describe('a window that left something', () => {
  afterEach(() => mock.restoreAll());

  it('is there while its process runs on this machine', () => {
    assert.ok(isWindowThere(thisWindow));
    assert.ok(isWindowThere({ id: 'other', pid: process.ppid, host }));
    assert.ok(!isWindowThere({ id: 'other', pid: process.ppid, host: `not-${host}` }));
    assert.ok(!isWindowThere({ id: 'earlier', pid: process.pid, host }), 'reloaded in this process');
  });

  it("is there if its process can't be signalled, and not if there is none", () => {
    for (const [code, isThere] of Object.entries({ EPERM: true, ESRCH: false })) {
      mock.method(process, 'kill', () => {
        throw Object.assign(new Error(code), { code });
      });
      assert.equal(isWindowThere({ id: 'other', pid: process.ppid, host }), isThere, code);
      mock.restoreAll();
    }
  });
});
