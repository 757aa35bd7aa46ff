import { frame } from '../../base/text/frame.ts';
import type { RenderTarget } from '../profile/modelDialect.ts';
import type { AssistantMessage, Message, Picture, ToolCall } from '../messages.ts';
import { renameCalls, usualId } from './callNames.ts';
import {
  ownPartsOnly,
  reasoningForAll,
  reasoningForCalls,
  signatureStandIns,
  withoutReasoning,
} from './ownParts.ts';
import {
  alternate,
  systemFirst,
  systemInFirstQuestion,
  userLast,
  wordAfterResults,
  wordBeforeCalls,
} from './turnOrder.ts';

type StretchTarget = RenderTarget & { isNewest: boolean };

/** A vendor requirement. Without `applies` it is safe for all vendors. */
interface Rule<Rendered> {
  name: string;
  applies?(target: RenderTarget, messages: readonly Message[]): boolean;
  render(rendered: Rendered, target: StretchTarget): Rendered;
}

/**
 * In the order of application. In addition, system text is moved to the start (vLLM, Mistral: "System message must be
 * at the beginning.") or into the first question (o1-mini, Gemma, templates of open models); the user comes last
 * (Mistral, new Claude); calls are renamed (OpenAI: 40 characters; Mistral: nine; Anthropic: unique).
 */
const historyRules: readonly Rule<readonly Message[]>[] = [
  {
    name: 'pictures-in-words',
    applies: ({ dialect }) => dialect.pictures !== 'all',
    render: picturesAsWords,
  },
  // Every vendor: unpaired calls or results.
  { name: 'pairs', render: pairCalls },
  // Anthropic, Bedrock: calls in a request without tools.
  {
    name: 'calls-without-tools',
    applies: ({ hasTools }, messages) => !hasTools && hasCalls(messages),
    render: (messages) => callsAsWords(messages),
  },
  {
    name: 'plain',
    applies: ({ dialect }) => dialect.history === 'plain',
    render: (messages, { model }) => callsAsWords(messages, model),
  },
  // Anthropic, Moonshot, Mistral, Bedrock: empty text. Strict templates: consecutive messages of one role.
  { name: 'alternate', render: alternate },
  // Mistral, strict templates: "Unexpected role 'user' after role 'tool'".
  {
    name: 'word-after-results',
    applies: ({ dialect }) => dialect.wordAfterResults,
    render: wordAfterResults,
  },
];

const answerRules: readonly Rule<AssistantMessage>[] = [
  // Anthropic refuses foreign signatures, most vendors unknown fields.
  { name: 'own-parts', render: ownPartsOnly },
  // DeepSeek R1 and older; the last resort.
  {
    name: 'no-reasoning',
    applies: ({ dialect: { reasoning, history } }) =>
      reasoning === 'none' || (reasoning === 'own' && history === 'plain'),
    render: withoutReasoning,
  },
  // Kimi K2.5 and later.
  {
    name: 'reasoning-of-calls',
    applies: ({ dialect }) => dialect.reasoning === 'calls',
    render: reasoningForCalls,
  },
  // DeepSeek V4.
  {
    name: 'reasoning-of-all',
    applies: ({ dialect }) => dialect.reasoning === 'all',
    render: reasoningForAll,
  },
  // Claude behind One API.
  {
    name: 'word-before-calls',
    applies: ({ dialect }) => dialect.wordBeforeCalls,
    render: wordBeforeCalls,
  },
  { name: 'signatures', applies: ({ dialect }) => dialect.signatures, render: signatureStandIns },
];

const noResult = 'The call was stopped before it had a result.';

/** Several vendors refuse blank results. */
const emptyResult = '(no output)';

/** A pure function. Requests repeat the history, so stretches between two questions are cached. */
export function renderHistory(messages: readonly Message[], target: RenderTarget): readonly Message[] {
  const ordered = target.dialect.systemRole
    ? systemFirst(messages)
    : systemInFirstQuestion(systemFirst(messages));
  const key = JSON.stringify(target);
  const used = new Set<string>();
  const rendered: Message[] = [];
  let start = 0;
  if (ordered[0]?.role === 'system') rendered.push(ordered[start++]!);
  while (start < ordered.length) {
    const end = endOfStretch(ordered, start);
    const stretch =
      end === ordered.length
        ? renderNewest(ordered.slice(start), target, used)
        : (keptStretch(ordered, start, end, used, key) ??
          renderEarlier(ordered.slice(start, end), target, used, key));
    for (const message of stretch) rendered.push(message);
    start = end;
  }
  return rendered;
}

/** Rules don't look across the question after an answer with text and no calls. */
function endOfStretch(messages: readonly Message[], start: number): number {
  for (let at = start + 1; at < messages.length; at++) {
    const before = messages[at - 1]!;
    if (messages[at]!.role !== 'user' || before.role !== 'assistant') continue;
    if (!before.toolCalls?.length && before.content.trim() !== '') return at;
  }
  return messages.length;
}

function renderNewest(stretch: readonly Message[], target: RenderTarget, used: Set<string>): Message[] {
  return renameCalls(userLast(renderStretch(stretch, { ...target, isNewest: true })), used);
}

interface KeptStretch {
  key: string;
  source: readonly Message[];
  rendered: readonly Message[];
  ids: readonly string[];
}

const kept = new WeakMap<Message, KeptStretch>();

/** Undefined unless rendered before for the same model, with its ids still free. */
function keptStretch(
  messages: readonly Message[],
  start: number,
  end: number,
  used: Set<string>,
  key: string,
): readonly Message[] | undefined {
  const known = kept.get(messages[start]!);
  if (known?.key !== key || known.source.length !== end - start) return undefined;
  if (!known.source.every((message, at) => message === messages[start + at])) return undefined;
  if (known.ids.some((id) => used.has(id))) return undefined;
  for (const id of known.ids) used.add(id);
  return known.rendered;
}

function renderEarlier(
  source: readonly Message[],
  target: RenderTarget,
  used: Set<string>,
  key: string,
): readonly Message[] {
  const ordered = renderStretch(source, { ...target, isNewest: false });
  const rendered = renameCalls(ordered, used);
  const [usual, ids] = [idsOf(ordered).map(usualId), idsOf(rendered)];
  if (usual.every((id, at) => id === ids[at])) kept.set(source[0]!, { key, source, rendered, ids });
  return rendered;
}

function idsOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
}

function renderStretch(stretch: readonly Message[], target: StretchTarget): readonly Message[] {
  const ordered = historyRules.reduce(
    (rendered, rule) =>
      rule.applies?.(target, rendered) === false ? rendered : rule.render(rendered, target),
    stretch,
  );
  const rules = answerRules.filter((rule) => rule.applies?.(target, ordered) !== false);
  return ordered.map((message) =>
    message.role === 'assistant'
      ? rules.reduce((answer, rule) => rule.render(answer, target), message)
      : message,
  );
}

type Result = Message & { role: 'tool' };

/** Puts exactly one result per call, in order, right after the calling message. Results without a call are dropped. */
function pairCalls(messages: readonly Message[]): readonly Message[] {
  const paired: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    if (message.role === 'tool') continue;
    paired.push(message);
    if (message.role !== 'assistant' || !message.toolCalls?.length) continue;
    const results: Result[] = [];
    for (let next = at + 1; next < messages.length; next++) {
      const result = messages[next]!;
      if (result.role !== 'tool') break;
      results.push(result);
    }
    for (const call of message.toolCalls) {
      const result = results.find(({ toolCallId }) => toolCallId === call.id);
      paired.push(resultOf(call, result));
    }
  }
  return paired;
}

function resultOf({ id }: ToolCall, result: Result | undefined): Result {
  if (!result) return { role: 'tool', toolCallId: id, content: noResult };
  return result.content.trim() === '' ? { ...result, content: emptyResult } : result;
}

function hasCalls(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === 'assistant' && message.toolCalls?.length);
}

/** Calls and results must be paired; `own` keeps this model's. */
function callsAsWords(messages: readonly Message[], own?: string): readonly Message[] {
  const told: Message[] = [];
  let names = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const name = names.get(message.toolCallId);
      told.push(
        name === undefined ? message : { role: 'user', content: resultInWords(name, message.content) },
      );
    } else if (message.role === 'assistant' && message.toolCalls?.length && message.model !== own) {
      const { toolCalls, content, ...rest } = message;
      names = new Map(toolCalls.map(({ id, name }) => [id, name]));
      const calls = toolCalls.map(({ name, arguments: args }) => `[Called ${name} with ${args}]`);
      told.push({ ...rest, content: [content, ...calls].filter(Boolean).join('\n\n') });
    } else {
      if (message.role === 'assistant') names = new Map();
      told.push(message);
    }
  }
  return told;
}

/** Framed, since a result may read like the user's words. */
function resultInWords(name: string, content: string): string {
  return frame({ kind: 'result', facts: { tool: name }, body: content });
}

/** Replaces pictures by text, except those of the newest user message unless the model is known to lack vision. */
function picturesAsWords(
  messages: readonly Message[],
  { dialect, isNewest }: RenderTarget & { isNewest: boolean },
): readonly Message[] {
  const newest =
    isNewest && dialect.pictures !== 'none' ? messages.findLastIndex(({ role }) => role === 'user') : -1;
  return messages.map((message, index) => {
    if (message.role !== 'user' || !message.images?.length || index === newest) return message;
    const { images, content } = message;
    return { role: 'user', content: [content, ...images.map(pictureInWords)].filter(Boolean).join('\n\n') };
  });
}

function pictureInWords({ mimeType }: Picture): string {
  return `[A picture (${mimeType}) was attached here. You can't see it.]`;
}
