import { type ChatRequest, questionIn, textOf } from '../../relay/chatRequest.ts';

export interface Replacement {
  path: string;
  oldText: string;
  newText: string;
}

/** Outcome of a call, judged by its result, as a model would. */
export type Outcome = 'done' | 'failed' | 'denied' | 'refused' | 'stopped';

export interface MadeCall {
  name: string;
  input: { path?: string; command?: string; replacements?: Replacement[] };
  result: string;
  outcome: Outcome;
}

/** Read from the request alone: denied calls, undone edits and new messages change the next step. */
export interface Work {
  asked: string[];
  mode: string;
  instructions: string;
  calls: MadeCall[];
  newCalls: MadeCall[];
  /** Files read, with the edits made since; without those that somebody else changed. */
  texts: Map<string, string>;
  tests: 'unknown' | 'pass' | 'fail';
}

/** @param testCommand its exit code says if the tests pass */
export function readWork({ messages }: ChatRequest, testCommand: string): Work {
  const work: Work = {
    asked: [],
    mode: 'Agent',
    instructions: '',
    calls: [],
    newCalls: [],
    texts: new Map(),
    tests: 'unknown',
  };
  const open = new Map<string, Omit<MadeCall, 'result' | 'outcome'>>();
  for (const message of messages) {
    const text = textOf(message);
    for (const [, , body = ''] of text.matchAll(instructionFrame)) work.instructions += `${body}\n`;
    if (message.role === 'user') hear(work, text);
    for (const { id, function: call } of message.tool_calls ?? [])
      open.set(id, { name: call.name, input: inputOf(call.arguments) });
    const call = message.role === 'tool' && open.get(message.tool_call_id ?? '');
    if (call) take(work, { ...call, result: text, outcome: outcomeOf(call.name, text) }, testCommand);
  }
  return work;
}

const instructionFrame = /<instructions-([0-9a-f]+)(?: [^>]*)?>\n([^]*?)\n<\/instructions-\1>/g;

function hear(work: Work, text: string): void {
  work.asked.push(questionIn(text));
  work.mode = /^\[Mode: ([^.,\]]+)/m.exec(text)?.[1] ?? work.mode;
  work.newCalls = [];
  const [, changed] = /^Changed since the message before, not by your edits: (.+)$/m.exec(text) ?? [];
  for (const path of changed?.split(', ') ?? []) work.texts.delete(path);
  if (changed) work.tests = 'unknown';
}

function take(work: Work, call: MadeCall, testCommand: string): void {
  work.calls.push(call);
  work.newCalls.push(call);
  const { name, input, result, outcome } = call;
  if (name === 'read_file' && input.path && outcome === 'done') work.texts.set(input.path, readText(result));
  if (name === 'edit_file') {
    work.tests = 'unknown';
    for (const { path, oldText, newText } of input.replacements ?? []) {
      const before = work.texts.get(path);
      if (outcome === 'done' && before !== undefined)
        work.texts.set(
          path,
          before.replace(oldText, () => newText),
        );
      else if (outcome === 'failed') work.texts.delete(path);
    }
  }
  if (name === 'run_command' && input.command === testCommand) {
    const [, code] = /^Exit code (\d+)\./.exec(result) ?? [];
    work.tests = code === undefined ? 'unknown' : code === '0' ? 'pass' : 'fail';
  }
}

function readText(result: string): string {
  const lines = [...result.matchAll(/^\d+\t(.*)$/gm)].map(([, line = '']) => line);
  return `${lines.join('\n')}\n`;
}

/** Beginnings of the results of successful calls. */
const success: Readonly<Record<string, RegExp>> = {
  read_file: /^.+, lines \d+ to \d+ of /,
  edit_file: /^(?:Edited|Created) /,
  run_command: /^Exit code \d/,
};

function outcomeOf(name: string, result: string): Outcome {
  if (result.startsWith('The user denied this call')) return 'denied';
  if (/^(?:Stopped by the user|The user stopped)/.test(result)) return 'stopped';
  if (result.startsWith('Not run')) return 'refused';
  return success[name]?.test(result) ? 'done' : 'failed';
}

function inputOf(json: string): MadeCall['input'] {
  try {
    return JSON.parse(json) as MadeCall['input'];
  } catch {
    return {};
  }
}
