import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { briefTokens, noticeOnly, PromptDraft } from './promptDraft.ts';
import { shareRoom } from './shortenText.ts';
import { summaryMessage, type ItemMessage } from './toMessages.ts';
import { estimateTokens } from './tokenEstimate.ts';

export interface FitRequest {
  messages: readonly ItemMessage[];
  tools: readonly ToolDefinition[];
  /** What messages and tools may take, in tokens as `estimateTokens` counts; Infinity when nobody knows. */
  budget: number;
  /** By item id, the results that the request before had shortened, and to how many tokens. */
  shortened: ReadonlyMap<string, number>;
}

/** What is to be done so that a conversation fits. */
export type Fitting =
  | {
      type: 'fits';
      messages: readonly Message[];
      tokens: number;
      shortened: ReadonlyMap<string, number>;
    }
  /** All before this message has to be replaced by a summary of at most so many tokens, framing included. */
  | { type: 'summarise'; beforeId: string; room: number }
  /** Not even the running turn fits. */
  | { type: 'too-long'; tokens: number };

/**
 * Vendors charge less for a beginning they know, and each step changes it. So a step is large and steps are rare: half
 * of the budget is free after one, and results become whole again only where all of them would leave half of it free.
 */
const comfortable = 0.5;
/** A summary leaves this much of the budget in use, so that it is not soon followed by another. */
const afterSummary = 0.6;
/** The longest summary, by itself and as a share of the budget. */
const longestSummary = 1500;
const summaryShare = 0.2;

/**
 * Makes a conversation fit, the oldest first: tool results become head and tail, then a notice; then turns have to be
 * summarised. The results that the model is about to read stay whole unless they could not in any case. The system
 * text, the newest message of the user and what followed it always stay, and every call keeps its result.
 */
export function fitContext({ messages, tools, budget, shortened }: FitRequest): Fitting {
  const draft = new PromptDraft(messages, tools);
  if (draft.tokens <= budget * comfortable) return fits(draft);
  draft.shortenAs(shortened);
  if (draft.tokens <= budget) return fits(draft);

  for (const tokens of [briefTokens, noticeOnly]) {
    for (const at of draft.olderResults) {
      if (draft.tokens <= budget * comfortable) break;
      draft.shorten(at, tokens);
    }
    if (draft.tokens <= budget) return fits(draft);
  }

  const { turnStarts } = draft;
  const newestTurn = turnStarts.at(-1) ?? 0;
  const canSummarise = turnStarts.length > 1;
  const withoutNewest = draft.tokens - draft.newestResultTokens;
  const told = canSummarise ? leftOutTokens : 0;
  const mustCut = draft.tokensFrom(newestTurn) + told > budget;
  if (!canSummarise || (mustCut && withoutNewest <= budget / 2)) {
    cutNewest(draft, budget - withoutNewest);
    if (draft.tokens <= budget) return fits(draft);
    if (!canSummarise) return { type: 'too-long', tokens: draft.tokens };
  }
  const least = draft.leastTokensFrom(newestTurn);
  if (least + told > budget) return { type: 'too-long', tokens: least };
  const room = Math.min(longestSummary, budget * summaryShare);
  const start =
    turnStarts.slice(1).find((at) => draft.tokensFrom(at) + room <= budget * afterSummary) ?? newestTurn;
  return {
    type: 'summarise',
    beforeId: messages[start]?.itemId ?? '',
    room: Math.max(told, Math.min(room, budget - draft.leastTokensFrom(start))),
  };
}

/** What the shortest stand-in for left out turns takes, with the blank line after it. */
const leftOutTokens = estimateTokens(summaryMessage({})) + 2;

function fits({ messages, tokens, shortened }: PromptDraft): Fitting {
  return { type: 'fits', messages, tokens, shortened };
}

/** The results the model is about to read share the room that is left; small ones stay whole. */
function cutNewest(draft: PromptDraft, room: number): void {
  const newest = draft.newestResults;
  const shares = shareRoom(
    newest.map((at) => draft.sizeAt(at)),
    room,
  );
  newest.forEach((at, index) => draft.cutTo(at, shares[index] ?? 0));
}
