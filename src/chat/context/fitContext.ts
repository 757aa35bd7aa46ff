import type { Message, ToolDefinition } from '../../relay/messages.ts';
import { briefTokens, noticeOnly, PromptDraft } from './promptDraft.ts';
import { shareRoom } from './shortenText.ts';
import { planCompaction, type Compaction } from './planCompaction.ts';
import type { ItemMessage } from './toMessages.ts';

export interface FitRequest {
  messages: readonly ItemMessage[];
  tools: readonly ToolDefinition[];
  /** For messages and tools, in tokens as `estimateTokens` counts; Infinity if unknown. */
  budget: number;
  /** Results shortened in the previous request: token limits by item id. */
  shortened: ReadonlyMap<string, number>;
}

export type Fitting =
  | {
      type: 'fits';
      messages: readonly Message[];
      tokens: number;
      shortened: ReadonlyMap<string, number>;
    }
  | ({ type: 'compact' } & Compaction)
  | { type: 'too-long'; tokens: number; isMessage: boolean };

/** Share of the budget in use after shortening. Steps are large and rare, as each invalidates the prompt cache. */
const afterShortening = 0.4;
const comfortable = 0.5;

/** Shortens the oldest results before it compacts. System text, current request and every call with its result stay. */
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

function cutNewest(draft: PromptDraft, room: number): void {
  const newest = draft.newestResults;
  const shares = shareRoom(
    newest.map((at) => draft.sizeAt(at)),
    room,
  );
  newest.forEach((at, index) => draft.cutTo(at, shares[index] ?? 0));
}
