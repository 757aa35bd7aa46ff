import type { ChatRequest } from '../../relay/chatRequest.ts';
import { type ScriptedModel, type Step, text, toolCall } from '../../script/script.ts';
import { callOrTell } from '../callOrTell.ts';
import { createCall, findTool } from '../offeredTools.ts';
import { asksForCalls } from '../planCalls.ts';
import { attempts, extras, task } from './task.ts';
import { type MadeCall, readWork, type Replacement, type Work } from './work.ts';

export const agentModel: ScriptedModel = {
  id: 'scripted-agent',
  ownedBy: 'claude',
  describe:
    'Works like an agent in the sample workspace: "Fix the failing test" makes it read, run the tests, edit, run them again, mend what it got wrong and sum up. It decides by what it is given: it plans in Plan, only explains in Ask, follows AGENTS.md if that was sent, stops at what is denied, leaves alone what was undone ("do it again"), and does what is said meanwhile ("also update the changelog"). Otherwise as scripted-tools.',
  contextWindow: 200_000,
  maxTokens: 64_000,
  *answer(request) {
    const work = readWork(request, task.testCommand);
    const isAsked = (said: string) => task.asked.test(said);
    const isAtWork = work.asked.some(isAsked) && !asksForCalls(request);
    if (isAtWork || work.asked.slice(-1).some(isAsked)) yield* nextSteps(work, request);
    else yield* callOrTell(agentModel.id, request);
  },
};

function* nextSteps(work: Work, request: ChatRequest): Generator<Step> {
  const { texts, newCalls, tests, mode } = work;
  const call = (say: string, ...calls: [string, object][]): Step[] => [
    text(`${say}\n`),
    ...calls.map(([name, input]) => toolCall(createCall(name, input))),
  ];
  const can = (name: string) => findTool(request, name) !== undefined;
  const change = (say: string, edits: readonly Replacement[]) =>
    call(say, ['edit_file', { path: edits[0]!.path, replacements: withHeaders(work, edits) }]);

  if (newCalls.some(({ outcome }) => outcome === 'denied' || outcome === 'refused' || outcome === 'stopped'))
    return yield text(summary(work));
  const wishes = extras.filter(({ asked }) => work.asked.some((said) => asked.test(said)));
  const wanted = mode === 'Agent' ? wishes.map(({ edit: { path } }) => path) : [];
  const unread = [...task.files, ...wanted].filter((path) => !texts.has(path));
  const isLost = newCalls.some(({ name, outcome }) => name === 'read_file' && outcome === 'failed');
  if (unread.length > 0 && can('read_file') && !isLost) {
    const say =
      work.calls.length === 0
        ? 'I am a scripted model. First I look at the test and what it is about.'
        : `I look at ${unread.map((path) => `\`${path}\``).join(', ')}.`;
    return yield* call(say, ...unread.map((path): [string, object] => ['read_file', { path }]));
  }
  if (mode === 'Plan') return yield text(planText());
  if (mode !== 'Agent' || !can('edit_file')) return yield text(`${task.cause} (A scripted model.)\n`);

  const wish = wishes.find(({ edit }) => needs(work, edit));
  if (wish) return yield* change(wish.say, [wish.edit]);
  if (tests === 'unknown' && can('run_command')) {
    const reason = work.calls.some(({ name }) => name === 'run_command')
      ? 'To see whether the change is right'
      : 'To see which test fails, and how';
    return yield* call('I run the tests.', ['run_command', { command: task.testCommand, reason }]);
  }
  if (tests === 'fail') {
    for (const { say, edits } of attempts) {
      const left = edits.filter((each) => needs(work, each));
      if (left.length > 0) return yield* change(say, left);
    }
  }
  yield text(summary(work));
}

/** True if the edit fits and the user didn't revert it. */
function needs(work: Work, { path, oldText, newText }: Replacement): boolean {
  const before = work.texts.get(path);
  return !!before?.includes(oldText) && !before.includes(newText) && !isUndone(work, path, oldText);
}

function isUndone({ asked, calls, newCalls }: Work, path: string, oldText: string): boolean {
  const counted = /\bagain\b|\bredo\b/i.test(asked.at(-1) ?? '') ? newCalls : calls;
  return madeEdits(counted).some((each) => each.path === path && each.oldText === oldText);
}

function madeEdits(calls: readonly MadeCall[]): Replacement[] {
  return calls
    .filter(({ name, outcome }) => name === 'edit_file' && outcome === 'done')
    .flatMap(({ input }) => input.replacements ?? []);
}

const headerRule = /\bbegin each source file\b[^`\n]*`([^`]+)`/i;

function withHeaders(work: Work, edits: readonly Replacement[]): Replacement[] {
  const [, header] = headerRule.exec(work.instructions) ?? [];
  const paths = [...new Set(edits.map(({ path }) => path))].filter((path) => path.startsWith('src/'));
  const headers = paths.flatMap((path) => {
    const [first = ''] = work.texts.get(path)?.split('\n') ?? [];
    if (header === undefined || first === header || isUndone(work, path, first)) return [];
    return [{ path, oldText: first, newText: `${header}\n${first}` }];
  });
  return [...headers, ...edits];
}

function planText(): string {
  const steps = task.plan.map((step, at) => `${at + 1}. ${step}`);
  return `I read the failing test and what it is about. (A scripted model.)\n\n## Plan\n\n${steps.join('\n')}\n`;
}

function summary(work: Work): string {
  const { calls, newCalls, tests } = work;
  const changed = [...new Set(madeEdits(calls).map(({ path }) => path))];
  const undone = attempts.flatMap(({ edits }) =>
    edits.filter(({ path, oldText }) => {
      return !!work.texts.get(path)?.includes(oldText) && isUndone(work, path, oldText);
    }),
  );
  const blocked = newCalls.filter(({ outcome }) => outcome !== 'done' && outcome !== 'failed');
  const lines = [
    ...(changed.length > 0 ? [`Changed: ${changed.map((path) => `\`${path}\``).join(', ')}.`] : []),
    ...undone.map(({ path }) => `You took back a change of \`${path}\`, so I left that as it is.`),
    ...blocked.map(({ name, outcome, result }) => `\`${name}\` was ${outcome}: ${result.split('\n', 1)[0]}`),
    {
      pass: `\`${task.testCommand}\` passes.`,
      fail: `\`${task.testCommand}\` still fails.`,
      unknown: 'The tests were not run on this.',
    }[tests],
  ];
  return `${blocked.length > 0 ? 'I stop here.' : 'That is it.'}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n(A scripted model of the sandbox.)\n`;
}
