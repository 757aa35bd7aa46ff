import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { PromptDraft } from './promptDraft.ts';
import { sizeOfMessage } from './promptSize.ts';
import { checklistNote, goOnNote, handedInNote, summaryMessage, type ItemMessage } from './toMessages.ts';
import { updatePlanName } from '../../tools/planSteps.ts';
import { estimateTokens } from './tokenEstimate.ts';

/** A compaction: all before a message is replaced by a summary. */
export interface Compaction {
  beforeId: string;
  /** What the summary may take, framing included, in estimated tokens. */
  room: number;
}

export interface CompactionRequest {
  messages: readonly ItemMessage[];
  tools: readonly ToolDefinition[];
  /** As for `fitContext`. */
  budget: number;
  /** What messages and tools take as they are sent now. */
  tokens: number;
}

/** The newest messages stay word for word, up to so many tokens. */
export const keptTokens = 20_000;
/** Less of the budget is in use afterwards, so that a compaction is not soon followed by another. */
const afterCompaction = 0.6;
/** The longest summary, by itself and as a share of the budget. */
const longestSummary = 2000;
const summaryShare = 0.2;
/** Compacting that frees less would soon be needed again, and each time something is lost. */
const leastGain = 0.2;

/**
 * Where a conversation is cut for a compaction: at a message of the user, or within a turn between two rounds, so that
 * every call keeps its result. Undefined where it would free too little, or the rest would not fit.
 */
export function planCompaction({
  messages,
  tools,
  budget,
  tokens,
}: CompactionRequest): Compaction | undefined {
  // A result that was shortened is whole again afterwards.
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

/**
 * The messages that a model is asked to summarise, as they were sent before, so that the vendor knows them already:
 * all up to a cut, and as many of those that stay as there is room for. Undefined where not even the first fit.
 * @param sent each as it was sent, in the places of `messages`
 * @param room what they may take, in estimated tokens, tools not included
 */
export function toSummarise(
  messages: readonly ItemMessage[],
  sent: readonly Message[],
  beforeId: string,
  room: number,
): readonly Message[] | undefined {
  const cut = messages.findIndex(({ itemId }) => itemId === beforeId);
  const last = sent.at(-1)?.role;
  // The request for the summary follows, and templates refuse two messages of the user in a row.
  const ends = [...cutPositions(messages), ...(last === 'user' ? [] : [messages.length])].filter(
    (end) => end >= cut && sent[end - 1]?.role !== 'user',
  );
  const end = ends.findLast(
    (at) => sent.slice(0, at).reduce((sum, message) => sum + sizeOfMessage(message), 0) <= room,
  );
  return end === undefined ? undefined : sent.slice(0, end);
}

/** Places between messages where no call is parted from its result, nor a question from the first answer to it. */
function cutPositions(messages: readonly ItemMessage[]): number[] {
  const first = messages.findIndex(({ message }) => message.role !== 'system');
  return messages.flatMap(({ itemId, message }, at) => {
    if (at <= first || itemId === undefined) return [];
    const isRound = message.role === 'assistant' && messages[at - 1]?.message.role !== 'user';
    return message.role === 'user' || isRound ? [at] : [];
  });
}

/**
 * What stands behind the summary once more: the checklist and, within a turn, what the user asked for in it. The
 * checklist's call is longer than what is told of it.
 */
function sizeOfRepeated(messages: readonly ItemMessage[], at: number): number {
  const before = messages.slice(0, at).map(({ message }) => message);
  const calls = before.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const checklist = calls.findLast(({ name }) => name === updatePlanName)?.arguments;
  const noted = checklist === undefined ? 0 : estimateTokens(checklistNote(checklist));
  const isWithin = messages[at]?.message.role === 'assistant';
  return before.length > 0 && (isWithin || isHandedIn(before, at)) ? noted + sizeOfAsked(before) : noted;
}

/** The message that began the newest turn, and those that were handed in since. */
function sizeOfAsked(messages: readonly Message[]): number {
  let size = 0;
  let at = messages.length;
  do {
    at = messages.findLastIndex(({ role }, index) => index < at && role === 'user');
    size += at < 0 ? 0 : sizeOfMessage(messages[at]!) + joinTokens;
  } while (at > 0 && isHandedIn(messages, at));
  return size;
}

/** A message of the user that was said within a turn. */
function isHandedIn(messages: readonly Message[], at: number): boolean {
  const before = messages[at - 1]?.role;
  return before === 'tool' || before === 'user';
}

/** What joins a repeated message to the one behind it. */
const joinTokens = estimateTokens(handedInNote) + 4;

/** What the shortest stand-in for messages that are left out takes, with what joins it to the message behind it. */
const leftOutTokens = estimateTokens(summaryMessage({})) + estimateTokens(goOnNote) + 4;
