import assert from 'node:assert/strict';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { newestChecklist, shownChecklist } from '../../../../src/chat/conversation/checklist.ts';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { modeRefusal } from '../../../../src/chat/calls/toolBox.ts';
import { builtInMode } from '../../../../src/chat/modes/mode.ts';
import { toToolEntry } from '../../../../src/panel/present/presentTool.ts';
import { ShownPlan } from '../../../../src/panel/present/shownPlan.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import type { ToPage } from '../../../../src/shared/protocol.ts';
import type { Plan } from '../../../../src/shared/tools.ts';
import { planSteps, type PlanState } from '../../../../src/tools/plan/planSteps.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { updatePlanTool } from '../../../../src/tools/plan/updatePlanTool.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';

const steps = (...states: PlanState[]) => states.map((state, n) => ({ step: `Step ${n + 1}`, state }));

let ids = 0;
function tell(chat: Conversation, told: unknown, state: 'done' | 'denied' = 'done'): void {
  const id = `a${++ids}`;
  const call = { id: `${id}.0`, callId: `${id}.c`, name: 'update_plan', input: { steps: told } };
  chat.apply({ type: 'answerStarted', id, model: 'm' });
  chat.apply({ type: 'toolsCalled', id, calls: [call] });
  chat.apply({ type: 'answerEnded', id, end: { reason: 'called' } });
  chat.apply({ type: 'toolFinished', id: call.id, outcome: { state, content: 'ok', durationMs: 0 } });
}
const say = (chat: Conversation) => chat.apply({ type: 'userMessageAdded', id: `u${++ids}`, text: 'Go' });

describe('the checklist', () => {
  const run = async (told: unknown) => {
    const call = new ToolSet([updatePlanTool()]).prepare({ name: 'update_plan', input: { steps: told } });
    return 'problem' in call
      ? call.problem
      : (await call.run({ signal: new AbortController().signal })).content;
  };

  it('is told whole, has at most 12 steps, and answers in a sentence', async () => {
    assert.equal(await run(steps('done', 'doing', 'open')), 'The user sees it: 1 of 3 done.');
    assert.equal(await run(JSON.stringify(steps('done'))), 'The user sees it: 1 of 1 done.');
    assert.match(
      await run(Array.from({ length: 13 }, () => ({ step: 'x', state: 'open' }))),
      /do not fit: "steps"/,
    );
    assert.match(await run([{ step: 'x', state: 'later' }]), /do not fit: "steps\.0\.state"/);
  });

  it('reads only what is a checklist', () => {
    assert.deepEqual(planSteps({ steps: steps('done') }), steps('done'));
    assert.deepEqual(planSteps({ steps: JSON.stringify(steps('open')) }), steps('open'));
    assert.deepEqual(
      planSteps({ steps: [null, 1, { step: ' ', state: 'done' }, { step: 'a', state: 'x' }] }),
      [],
    );
    assert.deepEqual(planSteps({ steps: 'no' }), []);
    assert.deepEqual(planSteps({}), []);
  });

  it('is the one that was told last and ran; an empty one takes it away', () => {
    const chat = new Conversation('c');
    say(chat);
    assert.equal(newestChecklist(chat.all), undefined);
    tell(chat, steps('doing', 'open'));
    tell(chat, steps('done', 'done'), 'denied');
    assert.deepEqual(newestChecklist(chat.all), steps('doing', 'open'));
    tell(chat, []);
    assert.equal(newestChecklist(chat.all), undefined);
  });

  it('is shown until it is done, and for one message longer when it is not', () => {
    const chat = new Conversation('c');
    say(chat);
    tell(chat, steps('doing', 'open'));
    say(chat);
    assert.ok(shownChecklist(chat.all));
    say(chat);
    assert.equal(shownChecklist(chat.all), undefined);
    tell(chat, steps('done', 'doing'));
    assert.ok(shownChecklist(chat.all));
    tell(chat, steps('done', 'done'));
    assert.equal(shownChecklist(chat.all), undefined);
  });

  it('has a line in the transcript when it is done or an update failed, and none for other updates', () => {
    const chat = new Conversation('c');
    const updates = () =>
      chat.all.flatMap((item) => {
        if (item.type !== 'tool') return [];
        const { isHidden = false, message } = toToolEntry(item, undefined);
        return [[isHidden, message]];
      });
    tell(chat, steps('doing', 'open'));
    tell(chat, []);
    tell(chat, steps('done', 'open'), 'denied');
    tell(chat, steps('done', 'done'));
    assert.deepEqual(
      updates().map(([isHidden]) => isHidden),
      [true, true, false, false],
    );
    assert.equal(updates().at(-1)?.[1], 'Plan done: 2 of 2');
    chat.apply({
      type: 'toolsCalled',
      id: chat.all.at(-1)!.id.replace('.0', ''),
      calls: [{ id: 'x', callId: 'x', name: 'update_plan', input: { steps: steps('doing') } }],
    });
    assert.deepEqual(updates().at(-1)?.[0], true, 'while it runs');
  });

  it('needs no approval, and is refused in Ask alone', () => {
    const { name, risk } = updatePlanTool();
    assert.equal(risk, 'read');
    assert.match(modeRefusal(builtInMode('ask'), { name, risk }) ?? '', /mode "Ask" nothing is carried out/);
    for (const mode of ['plan', 'agent'] as const)
      assert.equal(modeRefusal(builtInMode(mode), { name, risk }), undefined);
  });

  it('stands behind the summary of a compaction as long as it is open, and stays as it was then', () => {
    const chat = new Conversation('c');
    say(chat);
    tell(chat, steps('done', 'doing', 'open'));
    tell(chat, steps('done', 'done', 'doing'));
    const first = chat.all.findLast(({ type }) => type === 'answer')!;
    chat.apply({ type: 'turnsSummarised', id: 's', beforeId: first.id, text: 'Words.' });
    const content = () => toMessages(chat.all, '')[0]!.message.content;
    const before = content();
    assert.match(
      before,
      /Words\.\n<\/summary-\w+>\n\n\[Your checklist then:\]\n- done: Step 1\n- doing: Step 2\n- open: Step 3\n\n\[You are working/,
    );
    tell(chat, steps('done', 'done', 'done'));
    assert.equal(content(), before);
    say(chat);
    const last = chat.all.at(-1)!;
    chat.apply({ type: 'turnsSummarised', id: 't', beforeId: last.id, text: 'More.' });
    assert.doesNotMatch(content(), /checklist/);
  });

  it('is posted to the page as it changes, on one line with its steps', async () => {
    const told = [steps('doing', 'open'), steps('done', 'doing'), steps('done', 'done')];
    let calls = 0;
    const streamModel = async function* (): AsyncGenerator<ModelEvent> {
      const next = told[calls++];
      if (next) {
        const call = { id: `c${calls}`, name: 'update_plan', arguments: JSON.stringify({ steps: next }) };
        yield { type: 'toolCallsCompleted', calls: [call] };
      } else yield { type: 'textAdded', text: 'Done.' };
      yield { type: 'modelFinished', reason: next ? 'tool_calls' : 'stop' };
    };
    const chat = new ChatController(
      chatDependencies({ streamModel, tools: { update_plan: { run: () => 'ok' } } }),
    );
    const heard: ToPage[] = [];
    const plan = new ShownPlan(chat, (message) => heard.push(message));
    chat.onDidChange((change) => plan.onChange(change));
    plan.begin();
    await chat.shown.submit('Work');
    await chat.shown.submit('Thanks');
    const plans = heard.map((message) => (message.type === 'planChanged' ? message.plan : undefined));
    assert.deepEqual(
      plans.map((each: Plan | undefined) => each?.line),
      [undefined, '1 of 2: Step 1', '2 of 2: Step 2', undefined],
    );
    assert.deepEqual(plans[2]?.steps, [
      { text: 'Step 1', state: 'done' },
      { text: 'Step 2', state: 'doing' },
    ]);
  });
});
