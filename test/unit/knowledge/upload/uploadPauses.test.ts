import assert from 'node:assert/strict';
import { OutageDetector } from '../../../../src/knowledge/upload/uploadPauses.ts';

describe('an outage during an upload', () => {
  const file = (name: string) => ({ name });

  it('is what three documents in a row run into, which are not to blame', () => {
    const detector = new OutageDetector<{ name: string }>();
    assert.deepEqual(
      ['a', 'b', 'b', 'c'].map((name) => detector.onFailure(file(name))),
      [false, false, false, true],
    );
    assert.deepEqual(detector.takeBlameless(), [file('a'), file('b')]);
    assert.deepEqual(detector.takeBlameless(), []);
  });

  it('is not what one after another runs into with others that arrive between', () => {
    const detector = new OutageDetector<{ name: string }>();
    for (const name of ['a', 'b', 'c', 'd']) {
      assert.ok(!detector.onFailure(file(name)));
      detector.onSuccess();
    }
    assert.deepEqual(detector.takeBlameless(), []);
  });
});
