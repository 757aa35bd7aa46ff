import assert from 'node:assert/strict';
import { ownToolNames, usableToolNames } from '../../../src/tools/ownToolNames.ts';

describe('own tools', () => {
  it('are not offered where each call of theirs would be refused', () => {
    const named = (hasFolder: boolean, isTrusted: boolean) => usableToolNames({ hasFolder, isTrusted });
    assert.deepEqual(named(true, true), ownToolNames);
    assert.deepEqual(named(true, false), ['read_file', 'update_plan', 'search_knowledge', 'read_skill']);
    assert.deepEqual(named(false, true), ['search_knowledge', 'read_skill']);
    assert.deepEqual(named(false, false), ['search_knowledge', 'read_skill']);
  });
});
