import assert from 'node:assert/strict';
import { splitFirstSentence, SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { toFailure } from '../../../../src/base/errors/failureRecord.ts';

describe('toFailure', () => {
  const limited = new SwitchboardError('rate-limit', 'Rate limit reached. Try again in 8 s.', {
    why: 'Slow down.',
    status: 429,
    requestId: 'r1',
    serverCode: 'requests',
    response: 'litellm: Slow down.',
  });
  const record = {
    code: 'rate-limit',
    message: 'Rate limit reached. Try again in 8 s.',
    why: 'Slow down.',
    details: { status: 429, code: 'requests', requestId: 'r1', response: 'litellm: Slow down.' },
  };

  it('keeps of a failure what is shown', () => {
    assert.deepEqual(toFailure(limited), { reason: 'failed', failure: record });
  });

  it('keeps what the system said apart from what a server said', () => {
    const error = new SwitchboardError('transient', 'The connection was closed.', {
      systemError: 'other side closed (UND_ERR_SOCKET)',
    });
    assert.deepEqual(toFailure(error).failure, {
      code: 'transient',
      message: 'The connection was closed.',
      details: { systemError: 'other side closed (UND_ERR_SOCKET)' },
    });
  });

  it('keeps of a stop why there was going to be another try, and what it may cost', () => {
    assert.deepEqual(toFailure(new SwitchboardError('cancelled', 'Stopped.')), { reason: 'stopped' });
    assert.deepEqual(toFailure(new SwitchboardError('cancelled', 'Stopped.', { cause: limited })), {
      reason: 'stopped',
      failure: record,
    });
    assert.deepEqual(toFailure(new SwitchboardError('cancelled', 'Stopped.', { mayBeBilled: true })), {
      reason: 'stopped',
      mayBeBilled: true,
    });
  });
});

describe('splitFirstSentence', () => {
  for (const [message, first, rest] of [
    ['One thing.', 'One thing.', ''],
    ['One thing. Do that. Or this.', 'One thing.', 'Do that. Or this.'],
    [
      'No answer from 10.0.0.1 within 1.5 s. Try again.',
      'No answer from 10.0.0.1 within 1.5 s.',
      'Try again.',
    ],
    ['已达到速率限制。请稍后再试。', '已达到速率限制。', '请稍后再试。'],
    ['without an end', 'without an end', ''],
  ] as const) {
    it(`splits "${message}"`, () => assert.deepEqual(splitFirstSentence(message), { first, rest }));
  }
});
