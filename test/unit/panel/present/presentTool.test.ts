import assert from 'node:assert/strict';
import { frame } from '../../../../src/base/text/frame.ts';
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

  it('can be continued from wherever it was stopped, unless a message took its place', () => {
    const stopped = { state: 'stopped', content: 'Stopped.', durationMs: 1 } as const;
    const remedyOf = (outcome: ToolItem['outcome']) =>
      toToolEntry({ ...call, outcome }, undefined).remedy?.type;
    assert.equal(remedyOf(stopped), 'continue');
    assert.equal(remedyOf({ ...stopped, unrun: 'stopped' }), 'continue');
    assert.equal(remedyOf({ ...stopped, unrun: 'steered' }), undefined);
    for (const state of ['done', 'failed', 'denied'] as const)
      assert.equal(remedyOf({ ...stopped, state }), undefined);
  });

  it('says why it failed in its line, else', () => {
    const messageOf = (item: Partial<ToolItem>, content: string) =>
      toToolEntry({ ...call, ...item, outcome: { state: 'failed', content, durationMs: 1 } }, undefined)
        .message;
    const command = { name: 'run_command', input: { command: 'npm test' } };
    const output = frame({ kind: 'output', facts: {}, body: '✖ a\n# fail 0\n2 tests failed\nnpm error x' });
    assert.equal(messageOf(command, `Exit code 1.\n${output}`), 'Run npm test: exit 1, 2 tests failed');
    assert.equal(messageOf(command, 'Exit code 7.\n[no output]'), 'Run npm test: exit 7');
    assert.equal(messageOf(command, 'Ended by SIGKILL.\n[no output]'), 'Run npm test: ended by SIGKILL');
    assert.equal(
      messageOf(command, 'The user stopped the command.'),
      'Run npm test: stopped in its terminal',
    );
    assert.equal(
      messageOf(command, 'There is no folder x. Look again.'),
      'Run npm test: There is no folder x. Look again',
    );
    assert.equal(messageOf({}, 'a.ts is gone.\nMore.'), "Couldn't edit a.ts: a.ts is gone");
    assert.equal(messageOf({}, ''), "Couldn't edit a.ts");
    const hostile = frame({ kind: 'output', facts: {}, body: `error \u202e${'x'.repeat(500)}` });
    assert.match(messageOf(command, `Exit code 1.\n${hostile}`), /exit 1, error ⟨U\+202E⟩x{80,100}…$/);
  });

  it('shows the newest lines of a command and its time while it runs, and what failed without its frame', () => {
    const command = {
      ...call,
      name: 'run_command',
      input: { command: 'npm test' },
      state: 'running' as const,
    };
    const { outcome: _, ...open } = command;
    assert.equal(toToolEntry(open, undefined).command, undefined);
    const live = { sinceMs: 5, lines: 'a\u202e' };
    assert.deepEqual(toToolEntry({ ...open, live }, undefined).command, {
      ...{ lines: 'a⟨U+202E⟩', hasTerminal: true, sinceMs: 5 },
    });
    const content = `Exit code 1.\n${frame({ kind: 'output', facts: {}, body: 'one\ntwo' })}`;
    const failed = toToolEntry({ ...open, outcome: { state: 'failed', content, durationMs: 1 } }, undefined);
    assert.deepEqual([failed.command, failed.end?.result], [{ lines: 'one\ntwo' }, 'Exit code 1.\none\ntwo']);
    const done = { state: 'done', content, durationMs: 1 } as const;
    assert.deepEqual(toToolEntry({ ...open, live, outcome: done }, undefined).command, {
      ...{ lines: '', hasTerminal: true },
    });
    assert.deepEqual(
      failed.arguments.rows.map(({ name, value }) => [name, value]),
      [
        ['Command', 'npm test'],
        ['Folder', 'Workspace folder'],
      ],
    );
    assert.equal(toToolEntry({ ...open, title: 'Theirs', live }, undefined).command, undefined);
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
