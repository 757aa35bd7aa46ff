import assert from 'node:assert/strict';
import { mergeDraft } from '../../../../src/webview/state/receive.ts';

describe('mergeDraft', () => {
  it("takes the host's text when nothing was sent", () => {
    assert.equal(mergeDraft('typed', undefined, 'Explain this'), 'Explain this');
  });
  it('empties the box when the message was taken over', () => {
    assert.equal(mergeDraft('Hello', 'Hello', ''), '');
  });
  it('keeps what was typed behind the message while it was on its way', () => {
    assert.equal(mergeDraft('Hello\nand more', 'Hello', ''), 'and more');
  });
  it('keeps everything when the message itself was changed meanwhile', () => {
    assert.equal(mergeDraft('Hallo', 'Hello', ''), 'Hallo');
  });
});
