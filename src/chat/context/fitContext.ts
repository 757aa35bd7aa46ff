import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { briefTokens, noticeOnly, PromptDraft } from './promptDraft.ts';
import { shareRoom } from './shortenText.ts';
import { planCompaction, type Compaction } from './planCompaction.ts';
import type { ItemMessage } from './toMessages.ts';

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
  | ({ type: 'compact' } & Compaction)
  /** @property isMessage not even the newest message of the user fits; else compacting would free too little */
  | { type: 'too-long'; tokens: number; isMessage: boolean };

/**
 * Vendors charge less for a beginning they know, and each step changes it. So a step is large and steps are rare: as
 * much of the budget is in use after results were shortened, if that can be reached, and half of it at most; and they
 * become whole again only where all of them would leave half of it free.
 */
const afterShortening = 0.4;
const comfortable = 0.5;

/**
 * Decides how a conversation is made to fit; nothing else does. What fits is sent as it was sent before. Else the
 * oldest results are shortened, to head and tail or to a notice, if that frees half of the budget: it costs nothing
 * and can be read again. Else the conversation is compacted. The results that the model is about to read stay whole
 * unless they alone are too long. The system text, what the user wants now and every call with its result always stay.
 */
export function fitContext({ messages, tools, budget, shortened }: FitRequest): Fitting {
  const draft = new PromptDraft(messages, tools);
  if (draft.tokens <= budget * comfortable) return fits(draft);
  draft.shortenAs(shortened);
  const { tokens } = draft;
  if (tokens <= budget) return fits(draft);

  for (const most of [briefTokens, noticeOnly]) {
    for (const at of draft.olderResults) {
      if (draft.tokens <= budget * afterShortening) return fits(draft);
      draft.shorten(at, most);
    }
  }
  const rest = draft.tokens - draft.newestResultTokens;
  if (rest > budget * comfortable) {
    const compaction = planCompaction({ messages, tools, budget, tokens });
    if (compaction) return { type: 'compact', ...compaction };
  }
  if (draft.tokens > budget) cutNewest(draft, budget - rest);
  return draft.tokens <= budget ? fits(draft) : tooLong(draft, budget);
}

function fits({ messages, tokens, shortened }: PromptDraft): Fitting {
  return { type: 'fits', messages, tokens, shortened };
}

function tooLong(draft: PromptDraft, budget: number): Fitting {
  const newest = draft.leastTokensFrom(draft.turnStarts.at(-1) ?? 0);
  const isMessage = draft.messages.at(-1)?.role === 'user' && newest > budget;
  return { type: 'too-long', tokens: isMessage ? newest : draft.tokens, isMessage };
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
