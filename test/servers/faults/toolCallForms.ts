import { type ChatRequest, messagesOfTurn } from '../relay/chatRequest.ts';
import { callOrTell } from '../models/callOrTell.ts';
import { createCall, findTool } from '../models/offeredTools.ts';
import { planCalls } from '../models/planCalls.ts';
import {
  event,
  finish,
  type ScriptedCall,
  type ScriptedModel,
  type Step,
  text,
  toolCall,
} from '../script/script.ts';
import { argumentPieces, type CallFragment, usualFragments, type WireForm } from '../script/wireForm.ts';
import { chunk, fault } from './fault.ts';

/** Tool calls in odd forms, as the message asks, or else two file reads, if tools are offered. */
export const toolCallForms: readonly ScriptedModel[] = [
  calling('stop-with-tool-calls', 'Calls tools, but the finish reason is `stop`.', (calls) => [
    ...calls.map(toolCall),
    finish('stop'),
  ]),
  form('sparse-tool-index', "The calls' indexes are 2, 5, 8 …", (call, position) =>
    usualFragments(call, position).map((fragment) => ({ ...fragment, index: 2 + 3 * position })),
  ),
  form('same-index-tool-calls', 'Every call has index 0; a new id begins a new call.', (call) =>
    usualFragments(call, 0),
  ),
  form(
    'tool-calls-without-index',
    'No fragment has an index; a new id begins a new call.',
    (call, position) => usualFragments(call, position).map((fragment) => without(fragment, 'index')),
  ),
  form('tool-calls-without-id', 'The calls have no id at all.', (call, position) =>
    usualFragments(call, position).map((fragment) => without(fragment, 'id')),
  ),
  form('tool-call-whole-object', 'Each call comes whole in one fragment.', (call, index) => [
    { index, id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } },
  ]),
  form('tool-call-arguments-object', '`arguments` is a JSON object instead of text.', (call, index) => [
    {
      index,
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: JSON.parse(call.arguments) },
    },
  ]),
  form('repeated-id-and-name', 'Every fragment repeats the id and the name.', (call, index) =>
    argumentPieces(call.arguments).map((piece) => ({
      index,
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: piece },
    })),
  ),
  form('emptied-id-and-name', 'Later fragments have an empty id and an empty name.', (call, index) =>
    usualFragments(call, index).map((fragment, i) =>
      i === 0 ? fragment : { ...fragment, id: '', function: { name: '', ...fragment.function } },
    ),
  ),
  form('no-arguments', 'The `arguments` of the calls never come: they mean `{}`.', (call, index) => [
    { index, id: call.id, type: 'function', function: { name: call.name } },
  ]),
  calling('empty-arguments', 'The `arguments` of the calls are the empty text: they mean `{}`.', (calls) =>
    calls.map((call) => toolCall({ ...call, arguments: '' })),
  ),
  calling('broken-arguments', 'The `arguments` of the calls are not JSON.', (calls) =>
    calls.map((call) => toolCall({ ...call, arguments: '{path: README.md' })),
  ),
  calling('length-in-tool-call', 'Stops with `length` in the middle of the arguments.', ([call]) => [
    toolCall({ ...call, arguments: call.arguments.slice(0, -5) }),
    finish('length'),
  ]),
  calling(
    'cut-mid-tool-call',
    'Cut in the middle of the arguments, then `[DONE]`: the call must not be run.',
    ([call]) => [toolCall({ ...call, arguments: call.arguments.slice(0, -5) }), finish(null)],
  ),
  calling(
    'done-after-whole-tool-call',
    'A whole call, but no finish reason before `[DONE]`: truncated all the same.',
    ([call]) => [toolCall(call), finish(null)],
  ),
  calling('interleaved-tool-calls', 'The fragments of several calls alternate.', (calls, request) =>
    request.stream
      ? [
          ...interleave(calls.map(usualFragments)).map((fragment) =>
            event(
              chunk(request, {
                choices: [{ index: 0, delta: { tool_calls: [fragment] }, finish_reason: null }],
              }),
            ),
          ),
          finish('tool_calls'),
        ]
      : calls.map(toolCall),
  ),
  calling('text-around-tool-calls', 'Text before and after the calls.', (calls) => [
    text('Before I call. (Scripted.)\n'),
    ...calls.map(toolCall),
    text('\nAfter I called.'),
    finish('tool_calls'),
  ]),
  calling('unknown-tool', 'Calls a tool that nobody offered.', () => [
    toolCall(createCall('make_coffee', { cups: 2 })),
  ]),
  calling('same-id-twice', 'Two calls with the same id at different indexes.', ([call]) => [
    toolCall(call),
    toolCall(call),
  ]),
  fault('calls-tools-forever', 'Calls a tool in every round and never answers.', ({ request }) => {
    const calls = callsToSpoil(request);
    return calls ? calls.map(toolCall) : [text('I am scripted, and no tool was offered to me.')];
  }),
];

type Calls = readonly [ScriptedCall, ...ScriptedCall[]];

/** Calls tools in the first round of a turn, and reports their results in the next. */
function calling(
  name: string,
  describe: string,
  spoil: (calls: Calls, request: ChatRequest) => readonly Step[],
  wire?: WireForm,
): ScriptedModel {
  return fault(
    name,
    describe,
    ({ request }) => {
      const calls = messagesOfTurn(request).length > 0 ? undefined : callsToSpoil(request);
      return calls ? spoil(calls, request) : callOrTell(`fault/${name}`, request, []);
    },
    wire,
  );
}

function form(
  name: string,
  describe: string,
  callFragments: (call: ScriptedCall, position: number) => CallFragment[],
): ScriptedModel {
  return calling(name, describe, (calls) => calls.map(toolCall), { callFragments });
}

function callsToSpoil(request: ChatRequest): Calls | undefined {
  const [first, ...rest] = planCalls(request);
  if (first) return [first, ...rest];
  if (findTool(request, 'read_file')) {
    return [
      createCall('read_file', { path: 'README.md' }),
      createCall('read_file', { path: 'package.json' }),
    ];
  }
  const name = request.tools?.[0]?.function.name;
  return name && findTool(request, name) ? [createCall(name, {})] : undefined;
}

function without(fragment: CallFragment, field: 'index' | 'id'): CallFragment {
  const copy = { ...fragment };
  delete copy[field];
  return copy;
}

function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
