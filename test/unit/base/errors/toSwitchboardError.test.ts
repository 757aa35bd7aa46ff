import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { logInternalErrorsTo, toSwitchboardError } from '../../../../src/base/errors/toSwitchboardError.ts';

describe('toSwitchboardError', () => {
  const logged: string[] = [];
  beforeEach(() => {
    logged.length = 0;
    logInternalErrorsTo({ error: (message) => logged.push(message) });
  });
  after(() => logInternalErrorsTo({ error: () => undefined }));

  it('leaves our own errors as they are', () => {
    const known = new SwitchboardError('offline', 'No network.');
    assert.equal(toSwitchboardError(known), known);
    assert.deepEqual(logged, []);
  });

  it('takes an abort for a cancellation', () => {
    const { reason } = AbortSignal.abort();
    assert.equal(toSwitchboardError(reason).code, 'cancelled');
    assert.deepEqual(logged, []);
  });

  it('logs the stack of what nobody expected, without its keys and with little of its message', () => {
    const error = new TypeError(`sk-0123456789abcdef ${'said '.repeat(1000)}`);
    const { code, message, cause } = toSwitchboardError(error);
    assert.deepEqual([code, message, cause], ['internal', 'Internal error. See the log for details.', error]);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /^Internal error: TypeError: sk-\*\*\*/);
    assert.match(logged[0] ?? '', /\n\s+at .*toSwitchboardError\.test/);
    assert.ok(!/0123456789abcdef/.test(logged[0] ?? ''));
    assert.ok((logged[0] ?? '').split('\n', 1)[0]!.length < 500);
  });

  it('says what was thrown that is no error', () => {
    assert.equal(toSwitchboardError('nothing').systemError, 'nothing');
    assert.match(logged[0] ?? '', /^Internal error: string: nothing$/);
  });
});
