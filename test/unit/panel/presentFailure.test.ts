import assert from 'node:assert/strict';
import { presentFailure } from '../../../src/panel/presentFailure.ts';

describe('presentFailure', () => {
  it('quotes the server alone; what the system said is among the details', () => {
    const message = 'The connection to relay.example was closed. Try again.';
    const systemError = 'other side closed (UND_ERR_SOCKET)';
    assert.deepEqual(presentFailure({ code: 'transient', message, details: { systemError } }), {
      code: 'transient',
      message: 'The connection to relay.example was closed.',
      advice: 'Try again.',
      details: `System error: ${systemError}`,
      remedy: { type: 'retry', label: 'Retry' },
    });
  });

  it('offers to compact what is too large for a relay; the conversation of an app cannot be', () => {
    const failure = { code: 'too-large', message: 'No.' } as const;
    assert.deepEqual(presentFailure(failure).remedy, { type: 'compact', label: 'Compact' });
    assert.equal(presentFailure(failure, true).remedy.type, 'newChat');
  });

  it('offers to edit what a content filter blocked', () => {
    const { remedy } = presentFailure({ code: 'content-filter', message: 'No.' });
    assert.deepEqual(remedy, { type: 'editMessage', label: 'Edit Message' });
  });

  it('offers to diagnose the connection, second to what fixes it, where the way or the key failed', () => {
    for (const code of ['wrong-address', 'tls', 'proxy', 'offline', 'timeout-connect', 'key'] as const) {
      const { remedy, second } = presentFailure({ code, message: 'No.' });
      assert.deepEqual(second, { type: 'diagnoseConnection', label: 'Diagnose Connection…' }, code);
      assert.notEqual(remedy.type, second.type);
    }
    assert.equal(presentFailure({ code: 'balance', message: 'No.' }).second, undefined);
  });
});
