import assert from 'node:assert/strict';
import { canRunAs, hasConversations } from '../../../src/apps/appKinds.ts';

const kinds = ['chat', 'agent', 'chatflow', 'completion', 'workflow', 'unknown'] as const;

describe('a kind of app', () => {
  it('has conversations, runs or, as long as it is unknown, both', () => {
    const having = kinds.filter((kind) => hasConversations({ kind }));
    assert.deepEqual(having, ['chat', 'agent', 'chatflow', 'unknown']);
    for (const wanted of ['completion', 'workflow'] as const)
      assert.deepEqual(
        kinds.filter((kind) => canRunAs({ kind }, wanted)),
        [wanted, 'unknown'],
      );
  });
});
