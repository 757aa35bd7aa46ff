import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import type { JsonObject } from '../../../../src/base/json.ts';
import { ToolApprovals } from '../../../../src/chat/calls/toolApprovals.ts';
import { createToolBox, type Question } from '../../../../src/chat/calls/toolBox.ts';
import { createToolDependencies, workspaceTools } from '../../../../src/tools/allTools.ts';
import { ruleIn } from '../../../../src/tools/otherTools.ts';
import { defineTool, type Tool } from '../../../../src/tools/tool.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';
import { builtInMode } from '../../../../src/chat/modes/mode.ts';
import { madeCall } from '../../../support/madeCall.ts';
import { asAgent } from '../../../support/builtInModes.ts';

type Rule = 'allow' | 'ask' | 'deny';

function toolsWith(rules: Record<string, Rule> = {}, more: readonly Tool[] = []) {
  const workspace = new MemoryWorkspace({ '/work/a.ts': 'a', '/work/package.json': '{}' });
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const questions: Question[] = [];
  const approvals = new ToolApprovals((tool) => ruleIn(rules, tool));
  approvals.onDidChange(() => questions.push(...approvals.pending.map(({ question }) => question)));
  const consent = approvals.forConversation('chat');
  const permissions = { ...asAgent() };
  const box = createToolBox(
    () => new ToolSet([...workspaceTools(deps), ...more]),
    consent,
    () => permissions,
    (signal) => ({ signal }),
  );
  let calls = 0;
  const start = (name: string, input: JsonObject, isText?: true) => {
    const id = `call${++calls}`;
    const call = box.prepare({ ...madeCall(name, input, id), ...(isText && { isText }) });
    assert.ok(!('problem' in call));
    const outcome = call.run(new AbortController().signal, async () => {});
    return { id, outcome };
  };
  const asked = async (count: number) => {
    for (const deadline = Date.now() + 30_000; questions.length < count;) {
      assert.ok(Date.now() < deadline, 'nothing was asked');
      await new Promise(setImmediate);
    }
    return questions[count - 1];
  };
  return { workspace, approvals, questions, permissions, box, start, asked };
}

const edit = (path: string) => ({
  path,
  replacements: [{ oldText: path === 'a.ts' ? 'a' : '{}', newText: 'b' }],
});

describe('chat: consent of the user to tool calls', () => {
  it('asks for a protected file although the settings allow the tool, and says why', async () => {
    const { workspace, start, asked, approvals } = toolsWith({ create_file: 'allow' });
    const { id, outcome } = start('create_file', { path: '.vscode/tasks.json', content: 'x' });
    const question = await asked(1);
    assert.match(question?.why ?? '', /editor settings or run commands/);
    approvals.answer(id, 'deny');
    assert.equal((await outcome).state, 'denied');
    assert.deepEqual(workspace.applied, []);
  });

  it('has its question waiting by the time its state says that it asks', async () => {
    const { box, approvals } = toolsWith();
    const call = box.prepare(madeCall('edit_file', edit('a.ts'), 'call'));
    assert.ok(!('problem' in call));
    const waiting: (Question | undefined)[] = [];
    const outcome = call.run(new AbortController().signal, async (state) => {
      if (state !== 'asking') return;
      waiting.push(approvals.find('call')?.question);
      approvals.answer('call', 'deny');
    });
    assert.equal((await outcome).state, 'denied');
    assert.equal(waiting[0]?.name, 'edit_file');
  });

  it('asks again for a protected file after "Always Allow", which then held for one call', async () => {
    const { workspace, start, asked, approvals } = toolsWith();
    const first = start('edit_file', edit('package.json'));
    await asked(1);
    approvals.answer(first.id, 'always');
    assert.equal((await first.outcome).state, 'done');
    assert.equal(workspace.applied.length, 1);
    // It became no rule for other files.
    const second = start('edit_file', edit('a.ts'));
    assert.equal((await asked(2))?.why, undefined);
    approvals.answer(second.id, 'always');
    assert.equal((await second.outcome).state, 'done');
    const third = start('create_file', { path: 'AGENTS.md', content: 'x' });
    await asked(3);
    approvals.answer(third.id, 'deny', 'no');
    assert.match((await third.outcome).content, /denied this call and said: no/);
  });

  it('offers no rule for the tool where it judges its calls itself and offers none', async () => {
    const judges = defineTool({
      ...{ name: 'judges', description: 'Judges.', risk: 'external', input: z.object({}) },
      judge: async () => ({ rule: 'ask' }),
      run: async () => ({ content: 'Done', isError: false }),
    });
    const { start, asked, approvals } = toolsWith({}, [judges]);
    for (const count of [1, 2]) {
      const { id, outcome } = start('judges', {});
      assert.equal((await asked(count))?.always, undefined);
      approvals.answer(id, 'always');
      assert.equal((await outcome).state, 'done');
    }
  });

  it('keeps of a call that it went on in the background, or why it failed', async () => {
    const starts = defineTool({
      ...{ name: 'starts', description: 'Starts.', risk: 'read', input: z.object({}) },
      run: async () => ({ content: 'Started', isError: false, isInBackground: true, note: 'Why.' }),
    });
    const { isInBackground, note } = await toolsWith({}, [starts]).start('starts', {}).outcome;
    assert.deepEqual([isInBackground, note], [true, 'Why.']);
  });

  it('does not ask for an ordinary file that the settings allow', async () => {
    const { start, questions } = toolsWith({ edit_file: 'allow' });
    assert.equal((await start('edit_file', edit('a.ts')).outcome).state, 'done');
    assert.deepEqual(questions, []);
  });

  it('never runs what the settings deny, also after "Always Allow"', async () => {
    const rules: Record<string, Rule> = {};
    const { start, asked, approvals, box, workspace } = toolsWith(rules);
    const first = start('edit_file', edit('a.ts'));
    await asked(1);
    approvals.answer(first.id, 'always');
    await first.outcome;
    rules['edit_file'] = 'deny';
    const names = box.definitions().map(({ name }) => name);
    assert.ok(!names.includes('edit_file') && names.includes('read_file'));
    assert.equal((await start('edit_file', edit('package.json')).outcome).state, 'denied');
    assert.equal(workspace.applied.length, 1);
  });

  it('offers the same in every mode, so that a switch sends nothing anew, and runs what the mode allows', async () => {
    const { box, permissions } = toolsWith();
    const offered = JSON.stringify(box.definitions());
    for (const [mode, name, refused] of [
      ['ask', 'update_plan', 'denied'],
      ['ask', 'edit_file', 'denied'],
      ['plan', 'update_plan', 'done'],
    ] as const) {
      permissions.mode = builtInMode(mode);
      assert.equal(JSON.stringify(box.definitions()), offered);
      const call = box.prepare(madeCall(name, name === 'update_plan' ? { steps: [] } : edit('a.ts')));
      assert.ok(!('problem' in call));
      assert.equal((await call.run(new AbortController().signal, async () => {})).state, refused);
    }
  });

  it('asks for a call that was written as text, whatever is allowed, and its answer makes no rule', async () => {
    const { start, asked, approvals, questions, workspace } = toolsWith({ create_file: 'allow' });
    const allowed = start('edit_file', edit('a.ts'));
    await asked(1);
    approvals.answer(allowed.id, 'always');
    await allowed.outcome;
    for (const [name, input] of [
      ['edit_file', { path: 'a.ts', replacements: [{ oldText: 'b', newText: 'c' }] }],
      ['create_file', { path: 'b.ts', content: 'x' }],
      ['create_file', { path: 'c.ts', content: 'x' }],
    ] as const) {
      const { id, outcome } = start(name, input, true);
      const question = await asked(questions.length + 1);
      assert.match(question?.why ?? '', /wrote this call into its answer/);
      approvals.answer(id, 'always');
      assert.equal((await outcome).state, 'done');
    }
    assert.equal(workspace.applied.length, 4);
    assert.equal(questions.length, 4);
  });

  it('runs a read that was written as text by the rules for reads', async () => {
    const rules: Record<string, Rule> = {};
    const { start, asked, approvals, questions } = toolsWith(rules);
    assert.equal((await start('read_file', { path: 'a.ts' }, true).outcome).state, 'done');
    assert.equal(questions.length, 0);
    rules['read_file'] = 'ask';
    const { id, outcome } = start('read_file', { path: 'a.ts' }, true);
    await asked(1);
    approvals.answer(id, 'deny');
    assert.equal((await outcome).state, 'denied');
    rules['read_file'] = 'deny';
    assert.equal((await start('read_file', { path: 'a.ts' }, true).outcome).state, 'denied');
    assert.equal(questions.length, 1);
  });

  it('asks for reads if the settings say so, until they are always allowed and again when that is revoked', async () => {
    const { start, asked, approvals, permissions } = toolsWith({ read_file: 'ask' });
    const first = start('read_file', { path: 'a.ts' });
    await asked(1);
    approvals.answer(first.id, 'always');
    assert.match((await first.outcome).content, /1\ta/);
    assert.match((await start('read_file', { path: 'a.ts' }).outcome).content, /1\ta/);
    assert.deepEqual([...permissions.granted.keys()], ['read_file']);
    Object.assign(permissions, { granted: new Map() });
    const third = start('read_file', { path: 'a.ts' });
    await asked(2);
    approvals.answer(third.id, 'deny');
    assert.equal((await third.outcome).state, 'denied');
  });

  it('asks for a read that the settings ask about by what was revoked in another window', async () => {
    const { start, asked, approvals, permissions } = toolsWith({ read_file: 'ask' });
    const refresh = async () => void Object.assign(permissions, { granted: new Map() });
    Object.assign(permissions, { granted: new Map([['read_file', { name: 'read_file' }]]), refresh });
    const { id, outcome } = start('read_file', { path: 'a.ts' });
    await asked(1);
    approvals.answer(id, 'deny');
    assert.equal((await outcome).state, 'denied');
  });

  it('makes an edit only after it was recorded that it runs', async () => {
    const { box, workspace } = toolsWith({ edit_file: 'allow' });
    const call = box.prepare(madeCall('edit_file', edit('a.ts'), 'call'));
    assert.ok(!('problem' in call));
    const outcome = call.run(new AbortController().signal, async (state) => {
      if (state === 'running') throw new Error('The disk is full');
    });
    await assert.rejects(outcome, /The disk is full/);
    assert.deepEqual(workspace.applied, []);
  });
});
