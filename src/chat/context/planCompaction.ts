import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { PromptDraft } from './promptDraft.ts';
import { estimateTokens, sizeOfMessage } from './tokenEstimate.ts';
import { checklistNote, goOnNote, handedInNote, summaryMessage, type ItemMessage } from './toMessages.ts';
import { updatePlanName } from '../../tools/plan/planSteps.ts';

export interface Compaction {
  beforeId: string;
  /** Limit of the summary in estimated tokens, framing included. */
  room: number;
}

export interface CompactionRequest {
  messages: readonly ItemMessage[];
  tools: readonly ToolDefinition[];
  budget: number;
  tokens: number;
}

export const keptTokens = 20_000;
/** Maximum share of the budget in use afterwards, to delay the next compaction. */
const afterCompaction = 0.6;
const longestSummary = 2000;
const summaryShare = 0.2;
/** Minimum share to free: every compaction loses information. */
const leastGain = 0.2;

/** Cuts at a user message or between rounds. Undefined if that frees too little or the rest doesn't fit. */
export function planCompaction({
  messages,
  tools,
  budget,
  tokens,
}: CompactionRequest): Compaction | undefined {
  // Shortened results are whole again after a compaction.
  const draft = new PromptDraft(messages, tools);
  const fixed = draft.tokensFrom(messages.length);
  const room = Math.min(longestSummary, budget * summaryShare);
  const kept = Math.min(keptTokens, budget * afterCompaction - fixed - room);
  const starts = cutPositions(messages);
  const isKept = (at: number) => {
    const tail = draft.tokensFrom(at) - fixed;
    return tail <= kept && tail + sizeOfRepeated(messages, at) <= kept;
  };
  const start = starts[starts.findLastIndex((at) => !isKept(at)) + 1] ?? starts.at(-1);
  const beforeId = messages[start ?? 0]?.itemId;
  if (start === undefined || beforeId === undefined) return undefined;
  const repeated = sizeOfRepeated(messages, start);
  const summary = Math.min(room, budget - draft.leastTokensFrom(start) - repeated);
  if (summary < leftOutTokens) return undefined;
  const after = Math.min(budget, draft.tokensFrom(start) + repeated + summary);
  return tokens - after >= tokens * leastGain ? { beforeId, room: summary } : undefined;
}

/** The cut part as sent and cached; undefined if not even its first messages fit. `room`: estimated tokens. */
export function toSummarise(
  messages: readonly ItemMessage[],
  sent: readonly Message[],
  beforeId: string,
  room: number,
): readonly Message[] | undefined {
  const cut = messages.findIndex(({ itemId }) => itemId === beforeId);
  const last = sent.at(-1)?.role;
  // The summary request follows; some templates reject two user messages in a row.
  const ends = [...cutPositions(messages), ...(last === 'user' ? [] : [messages.length])].filter(
    (end) => end >= cut && sent[end - 1]?.role !== 'user',
  );
  const end = ends.findLast(
    (at) => sent.slice(0, at).reduce((sum, message) => sum + sizeOfMessage(message), 0) <= room,
  );
  return end === undefined ? undefined : sent.slice(0, end);
}

/** Positions that separate no call from its result and no question from the start of its answer. */
function cutPositions(messages: readonly ItemMessage[]): number[] {
  const first = messages.findIndex(({ message }) => message.role !== 'system');
  return messages.flatMap(({ itemId, message }, at) => {
    if (at <= first || itemId === undefined) return [];
    const isRound = message.role === 'assistant' && messages[at - 1]?.message.role !== 'user';
    return message.role === 'user' || isRound ? [at] : [];
  });
}

function sizeOfRepeated(messages: readonly ItemMessage[], at: number): number {
  const before = messages.slice(0, at).map(({ message }) => message);
  const calls = before.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const checklist = calls.findLast(({ name }) => name === updatePlanName)?.arguments;
  const noted = checklist === undefined ? 0 : estimateTokens(checklistNote(checklist));
  const isWithin = messages[at]?.message.role === 'assistant';
  return before.length > 0 && (isWithin || isHandedIn(before, at)) ? noted + sizeOfAsked(before) : noted;
}

function sizeOfAsked(messages: readonly Message[]): number {
  let size = 0;
  let at = messages.length;
  do {
    at = messages.findLastIndex(({ role }, index) => index < at && role === 'user');
    size += at < 0 ? 0 : sizeOfMessage(messages[at]!) + joinTokens;
  } while (at > 0 && isHandedIn(messages, at));
  return size;
}

function isHandedIn(messages: readonly Message[], at: number): boolean {
  const before = messages[at - 1]?.role;
  return before === 'tool' || before === 'user';
}

const joinTokens = estimateTokens(handedInNote) + 4;

const leftOutTokens = estimateTokens(summaryMessage({})) + estimateTokens(goOnNote) + 4;
