import assert from 'node:assert/strict';
import type { ToolItem } from '../../../src/chat/items.ts';
import { toToolEntry } from '../../../src/panel/presentTool.ts';

describe('a call, as it is shown', () => {
  const call: ToolItem = {
    ...{ type: 'tool', id: 'c', callId: 'c', name: 'edit_file', input: { path: 'a.ts' } },
    outcome: { state: 'failed', content: 'For the model.', durationMs: 1, note: 'a.ts was changed.' },
  };

  it('says why it failed where the user had a part in it', () => {
    const { message, note } = toToolEntry(call, undefined);
    assert.deepEqual([message, note], ["Couldn't edit a.ts", 'a.ts was changed.']);
  });
});
