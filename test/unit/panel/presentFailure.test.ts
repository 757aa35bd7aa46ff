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
});
