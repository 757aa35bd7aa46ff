import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import type { DocumentStatus } from '../../../../src/knowledge/indexing/documentStatus.ts';
import { describeStatus } from '../../../../src/knowledge/view/describeStatus.ts';

const words = (status: DocumentStatus) => describeStatus(status).words;

describe('describeStatus', () => {
  it('says every state in words', () => {
    assert.deepEqual(
      [
        words({ type: 'toSend' }),
        words({ type: 'sending', sentBytes: 409, totalBytes: 1000 }),
        words({ type: 'waiting' }),
        words({ type: 'preparing' }),
        words({ type: 'indexing' }),
        words({ type: 'indexing', of: 40 }),
        words({ type: 'indexing', done: 12, of: 40 }),
        words({ type: 'indexed' }),
        words({ type: 'indexed', segments: 40 }),
        words({ type: 'empty' }),
        words({ type: 'failed' }),
        words({ type: 'failed', reason: 'the model is gone' }),
        words({ type: 'paused' }),
        words({ type: 'disabled' }),
        words({ type: 'archived' }),
      ],
      [
        'to be uploaded',
        'uploading 40 %',
        'waiting',
        'being prepared',
        'indexing',
        'indexing 0 of 40',
        'indexing 12 of 40',
        'indexed',
        'indexed, 40 segments',
        'available, but empty',
        'failed for an unknown reason',
        'failed: the model is gone',
        'paused',
        'disabled',
        'archived',
      ],
    );
  });

  it('never shows more than all as sent, nor divides by nothing', () => {
    assert.equal(words({ type: 'sending', sentBytes: 2000, totalBytes: 1000 }), 'uploading 100 %');
    assert.equal(words({ type: 'sending', sentBytes: 0, totalBytes: 0 }), 'uploading 0 %');
  });

  it('gives the likely cause of a stuck document, by where it is stuck', () => {
    const waiting = describeStatus({ type: 'stuck', at: 'waiting', sinceMs: 5 * 60_000 });
    assert.equal(waiting.words, 'stuck in queue for 5 min');
    assert.match(waiting.explanation ?? '', /worker may not be running/);
    const indexing = describeStatus({ type: 'stuck', at: 'indexing', sinceMs: 10_000 });
    assert.equal(indexing.words, 'no indexing progress for 1 min');
    assert.match(indexing.explanation ?? '', /embedding model/);
  });

  it("shows the server's response when a document was not uploaded", () => {
    const error = new SwitchboardError('too-large', 'It is too large.', { why: 'File size exceeded.' });
    const { words: said, explanation } = describeStatus({ type: 'notSent', error });
    assert.equal(said, 'not uploaded: It is too large.');
    assert.equal(explanation, 'Server response: File size exceeded.');
    const closed = new SwitchboardError('transient', 'It was closed.', { systemError: 'other side closed' });
    assert.equal(
      describeStatus({ type: 'notSent', error: closed }).explanation,
      'System error: other side closed',
    );
  });
});
