import assert from 'node:assert/strict';
import type { ToolItem } from '../../../../src/chat/conversation/items.ts';
import { toToolEntry } from '../../../../src/panel/present/presentTool.ts';

describe('a call, as it is shown', () => {
  const call: ToolItem = {
    ...{ type: 'tool', id: 'c', callId: 'c', name: 'edit_file', input: { path: 'a.ts' } },
    outcome: { state: 'failed', content: 'For the model.', durationMs: 1, note: 'a.ts was changed.' },
  };

  it('says why it failed where the user had a part in it', () => {
    const { message, note } = toToolEntry(call, undefined);
    assert.deepEqual([message, note], ["Couldn't edit a.ts", 'a.ts was changed.']);
  });

  it('says where to type what a command asks for, as long as it runs', () => {
    const hint = 'If this command waits for input, type it in its terminal.';
    const noteOf = (item: Partial<ToolItem>, input: object = { command: 'npm login', input: true }) =>
      toToolEntry(
        { type: 'tool', id: 'c', callId: 'c', name: 'run_command', input: { ...input }, ...item },
        undefined,
      ).note;
    const ended = { state: 'done', content: '', durationMs: 1 } as const;
    assert.equal(noteOf({ state: 'running' }), hint);
    assert.equal(noteOf({ state: 'running', outcome: { ...ended, isInBackground: true } }), hint);
    assert.equal(noteOf({ state: 'running', outcome: ended }), undefined);
    assert.equal(noteOf({ state: 'asking' }), undefined);
    assert.equal(noteOf({ state: 'running' }, { command: 'npm test' }), undefined);
    assert.equal(noteOf({ state: 'running', title: 'Run', name: 'run_command' }), undefined);
  });
});
