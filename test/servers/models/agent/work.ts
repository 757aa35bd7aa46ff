import { type ChatRequest, questionIn, textOf } from '../../relay/chatRequest.ts';

export interface Replacement {
  path: string;
  oldText: string;
  newText: string;
}

/** How a call came out, as far as a model can tell from what it is given of it. */
export type Outcome = 'done' | 'failed' | 'denied' | 'refused' | 'stopped';

export interface MadeCall {
  name: string;
  input: { path?: string; command?: string; replacements?: Replacement[] };
  result: string;
  outcome: Outcome;
}

/**
 * What an agent knows of its work. All of it stands in the request: a call that was denied or stopped, an edit that was
 * undone and what the user says between two calls change what it does next.
 */
export interface Work {
  /** What the user said, oldest first. */
  asked: string[];
  /** The newest that was told; `Agent` where none was. */
  mode: string;
  /** The project's instruction files. */
  instructions: string;
  /** Of the whole conversation. */
  calls: MadeCall[];
  /** Those since the user's newest message. */
  newCalls: MadeCall[];
  /** Files as they were read, with the edits made since; without those that somebody else changed since. */
  texts: Map<string, string>;
  /** What the tests said of the files as they are now. */
  tests: 'unknown' | 'pass' | 'fail';
}

/** @param testCommand the command whose exit code says whether the tests pass */
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
      // It is not what it was taken for.
      else if (outcome === 'failed') work.texts.delete(path);
    }
  }
  if (name === 'run_command' && input.command === testCommand) {
    const [, code] = /^Exit code (\d+)\./.exec(result) ?? [];
    work.tests = code === undefined ? 'unknown' : code === '0' ? 'pass' : 'fail';
  }
}

/** Without the line that names the file, and without numbers. */
function readText(result: string): string {
  const lines = [...result.matchAll(/^\d+\t(.*)$/gm)].map(([, line = '']) => line);
  return `${lines.join('\n')}\n`;
}

/** How the results of calls that did what they were to do begin. */
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
