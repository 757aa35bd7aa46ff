import { createHash } from 'node:crypto';
import { callOrTell } from '../models/callOrTell.ts';
import { findTool } from '../models/offeredTools.ts';
import { planCalls } from '../models/planCalls.ts';
import { type ChatRequest, messagesOfTurn, questionOf } from '../relay/chatRequest.ts';
import {
  event,
  reasoning,
  type ScriptedCall,
  type ScriptedModel,
  type Step,
  text,
  toolCall,
} from '../script/script.ts';
import { thoughtSignature } from './gemini.ts';
import { vendorChecks, type VendorKind, vendorKinds } from './vendorKinds.ts';

/** Differences of a vendor's answers from a plain one's. */
interface Habits {
  describe: string;
  ownedBy: string;
  /** @param unique a text that no other call has */
  idOf(call: ScriptedCall, position: number, unique: string, request: ChatRequest): string;
  reasons?: (request: ChatRequest) => boolean;
  extraOf?: (call: ScriptedCall, position: number) => ScriptedCall['extra'];
  /** Arguments are objects at the vendor, and never broken JSON. */
  neverBreaks?: true;
  preamble?: readonly Step[];
}

const openaiHabits: Omit<Habits, 'describe'> = {
  ownedBy: 'openai',
  idOf: (_call, _position, unique) => `call_${unique.slice(0, 24)}`,
};
const claudeHabits: Omit<Habits, 'describe'> = {
  ownedBy: 'claude',
  idOf: (_call, _position, unique) => `toolu_01${unique.slice(0, 22)}`,
};
const always = () => true;

const habits: Readonly<Record<VendorKind, Habits>> = {
  'openai-chat': {
    ...openaiHabits,
    describe: 'Refuses as OpenAI: ids over 40 characters, made-up names, too many tools, long descriptions.',
  },
  'openai-responses': {
    ...openaiHabits,
    describe: 'As GPT-5.6: refuses tools by chat completions, unless the effort is `none`.',
    reasons: ({ reasoning_effort: effort }) => effort !== 'none',
  },
  'o-series': {
    ...openaiHabits,
    describe: 'As OpenAI’s o models: also refuses `max_tokens` and a temperature.',
  },
  azure: {
    ...openaiHabits,
    describe: 'As OpenAI behind Azure: the first chunk has no choices, only what filters found.',
    ownedBy: 'azure',
    preamble: [event({ id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [] })],
  },
  claude: {
    ...claudeHabits,
    describe: 'Refuses as Claude: repeated or odd ids, blank texts, calls without results or tools, prefill.',
  },
  'claude-thinking': {
    ...claudeHabits,
    describe: 'As Claude, and thinks when it is asked to: signatures have to come back unchanged.',
    reasons: ({ thinking }) => /enabled|adaptive/.test(JSON.stringify(thinking ?? '')),
  },
  bedrock: {
    describe: 'Refuses as Bedrock: roles that don’t alternate, calls without results or tools, blank texts.',
    ownedBy: 'aws',
    idOf: (_call, _position, unique) => `tooluse_${unique.slice(0, 11)}-${unique.slice(11, 21)}`,
  },
  'gemini-3': {
    describe: 'Refuses as Gemini 3: calls without their thought signature, words that its schemas lack.',
    ownedBy: 'gemini',
    // Its chat completions repeat the name, as there is no id.
    idOf: ({ name }) => name,
    extraOf: (call, position) =>
      position === 0
        ? { extra_content: { google: { thought_signature: thoughtSignature(call) } } }
        : undefined,
    neverBreaks: true,
  },
  'deepseek-v4': {
    describe:
      'Refuses as DeepSeek V4: answers without their `reasoning_content` when tools are offered; pictures.',
    ownedBy: 'deepseek',
    idOf: (_call, position, unique) => `call_0${position}_${unique.slice(0, 24)}`,
    reasons: always,
  },
  'deepseek-r1': {
    describe:
      'Refuses as DeepSeek R1: any `reasoning_content`, pictures. Its ids are `call_0` again and again.',
    ownedBy: 'deepseek',
    idOf: (_call, position) => `call_${position}`,
    reasons: always,
  },
  'kimi-k2.5': {
    describe: 'Refuses as Kimi K2.5: calls without `reasoning_content`. Its ids are `functions.read_file:0`.',
    ownedBy: 'moonshot',
    idOf: ({ name }, position, _unique, request) => `functions.${name}:${callsBefore(request) + position}`,
    reasons: always,
  },
  mistral: {
    describe: 'Refuses as Mistral: ids of another form than nine letters and digits, roles out of order.',
    ownedBy: 'mistral',
    idOf: (_call, _position, unique) => unique.slice(0, 9),
  },
  'vllm-strict': {
    describe: 'Refuses as a strict chat template behind vLLM: roles that don’t alternate. Its ids are long.',
    ownedBy: 'vllm',
    idOf: (_call, _position, unique) => `chatcmpl-tool-${unique.slice(0, 32)}`,
  },
  'no-tools': {
    describe: 'Refuses tools, and every message of a tool exchange.',
    ownedBy: 'ollama',
    idOf: (_call, position) => `call_${position}`,
  },
  'no-vision': {
    describe: 'Refuses pictures. Its ids are `call_0` again and again.',
    ownedBy: 'sglang',
    idOf: (_call, position) => `call_${position}`,
  },
};

/** Each validates a history as its vendor does and calls tools like `scripted-tools`. */
export const vendorModels: readonly ScriptedModel[] = vendorKinds.map(vendorModel);

function vendorModel(kind: VendorKind): ScriptedModel {
  const { describe, ownedBy, idOf, reasons, extraOf, neverBreaks, preamble = [] } = habits[kind];
  const id = `vendor/${kind}`;
  return {
    ...{ id, ownedBy, describe, contextWindow: 128_000, maxTokens: 16_384 },
    check: (body, protocol) => vendorChecks[kind](body, { protocol }),
    *answer(request) {
      yield* preamble;
      const planned = madeUpCalls(request, neverBreaks) ?? planCalls(request);
      const calls = planned.map((each, position) => {
        const call = { ...each, id: idOf(each, position, nextUnique(), request) };
        const extra = extraOf?.(call, position);
        return extra ? { ...call, extra } : call;
      });
      if (reasons?.(request)) yield reasoning(thoughtOf(request, calls));
      const shown = shownCall(request);
      if (shown !== undefined) yield text(shown);
      else if (calls.length > 0) yield* calls.map(toolCall);
      else yield* callOrTell(id, request, []);
    },
  };
}

let made = 0;

function nextUnique(): string {
  made += 1;
  return createHash('sha256').update(`${made}`).digest('hex');
}

function callsBefore({ messages }: ChatRequest): number {
  return messages.flatMap(({ tool_calls: calls = [] }) => calls).length;
}

function thoughtOf({ messages }: ChatRequest, calls: readonly ScriptedCall[]): string {
  const next = calls.length > 0 ? calls.map(({ arguments: json }) => json).join(', ') : 'the answer';
  return `I am scripted. After ${messages.length} messages comes ${next}.`;
}

/** Invalid calls at the message's request, in the first round: an unknown name, broken JSON. */
function madeUpCalls(request: ChatRequest, neverBreaks = false): ScriptedCall[] | undefined {
  if (!findTool(request, 'read_file') || messagesOfTurn(request).some(({ role }) => role === 'tool')) {
    return undefined;
  }
  const question = questionOf(request);
  const [, name] = /\bcall `?(functions\.\w+|multi_tool_use\.parallel)/.exec(question) ?? [];
  if (name !== undefined) return [{ id: '', name, arguments: JSON.stringify({ path: question.slice(-40) }) }];
  if (!/\bcall read_file with broken arguments\b/.test(question)) return undefined;
  return [{ id: '', name: 'read_file', arguments: neverBreaks ? '{"path":""}' : '{path: README.md' }];
}

/** A call written into the answer, as models do that were never taught to call. */
function shownCall(request: ChatRequest): string | undefined {
  const [, path] = /\bwrite the call that reads (\S+)/.exec(questionOf(request)) ?? [];
  if (path === undefined || messagesOfTurn(request).length > 0) return undefined;
  const call = { name: 'read_file', arguments: { path } };
  return `I write it down. (Scripted.)\n\n<tool_call>${JSON.stringify(call)}</tool_call>`;
}
