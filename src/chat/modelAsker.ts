import { SwitchboardError } from '../base/errors.ts';
import type { ReasoningEffort } from '../relay/parameters.ts';
import type { Message, ModelEvent, ModelRequest, StreamModel, ToolDefinition } from '../relay/messages.ts';
import { assumedWindow, type Budget, type ContextKnowledge, type Sent } from './context/contextKnowledge.ts';
import { continueInstruction } from './continuation.ts';
import { contextTooLong } from './context/contextTooLong.ts';
import type { Conversation } from './conversation.ts';
import type { ChatEvent, NoticeKind } from './events.ts';
import { fitContext, type Fitting } from './context/fitContext.ts';
import type { SearchMode } from './grounding/grounding.ts';
import { planCompaction, toSummarise, type Compaction } from './context/planCompaction.ts';
import { inBrief, PromptDraft } from './context/promptDraft.ts';
import { sizeOfMessage, sizeOfTool } from './context/promptSize.ts';
import { summarise, type Summary, type SummaryEvent } from './context/summarise.ts';
import { toMessages, type ItemMessage } from './context/toMessages.ts';
import { joinSystemText, type PromptSource } from './prompt/promptSource.ts';

/** What happens beside the answer while the conversation is made to fit. */
export type ContextEvent =
  | Extract<ChatEvent, { type: 'noticed' | 'resultsShortened' | 'turnsSummarised' }>
  | SummaryEvent;

/** The settings of a request. */
export interface RequestOptions {
  instructions: string;
  /** When the chosen knowledge bases are searched. */
  knowledgeSearch: SearchMode;
  stream: boolean;
  temperature?: number;
  maxTokens?: number;
  reasoningEffort?: ReasoningEffort;
}

export interface AskerDependencies {
  model: string;
  conversation: Conversation;
  relay(): Promise<StreamModel>;
  /** Read again for every request. */
  options(): RequestOptions;
  knowledge: ContextKnowledge;
  prompt: PromptSource;
  newId(): string;
}

/** What is to be sent, or the step that has to come before. */
interface Plan {
  fitting: Fitting;
  budget: Budget;
}

/**
 * Asks a model for one turn, with as much of the conversation as fits. Nothing is left out silently: what was
 * shortened or compacted is said by an event. A refusal for the context's length leads to one corrected try a turn.
 * The caller records each event before it asks for the next.
 */
export class ModelAsker {
  private hasCorrected = false;
  /** What is sent after the conversation and is no part of it. */
  private closing: readonly Message[] = [];
  private notice: { id: string; results: Set<string> } | undefined;

  constructor(private readonly deps: AskerDependencies) {}

  /** @param before the beginning of an answer, which is the conversation's end and is to be gone on with */
  async *ask(
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
    before?: string,
  ): AsyncGenerator<ModelEvent | ContextEvent, void> {
    const { knowledge, model } = this.deps;
    const streamModel = await this.deps.relay();
    this.closing = before === undefined ? [] : [{ role: 'user', content: continueInstruction(before) }];
    for (;;) {
      const { fitting, budget } = yield* this.fit(streamModel, tools, signal);
      const { tokens } = fitting;
      const messages = [...fitting.messages, ...this.closing];
      const request = { ...this.toRequest(budget), messages, ...(tools.length > 0 && { tools }) };
      let hasBegun = false;
      try {
        for await (const event of streamModel(request, signal)) {
          hasBegun ||= !beforeAnswer.has(event.type);
          if (event.type === 'modelFinished' && event.usage) knowledge.counted(model, tokens, event.usage);
          yield event;
        }
        return;
      } catch (error) {
        if (hasBegun || this.hasCorrected || !isTooLong(error)) throw error;
        this.hasCorrected = true;
        const sent = { tokens, answer: budget.answer };
        const window = knowledge.refused(model, error.why ?? '', sent);
        if (window === undefined || !this.isLess(this.plan(tools), sent)) throw error;
        yield toNotice(this.deps.newId(), 'context-refused', window);
      }
    }
  }

  /**
   * Compacts the conversation because the user wants it, whether it fits or not. Where that would free too little, or
   * there is no summary, nothing changes and a notice says why.
   */
  async *compact(tools: readonly ToolDefinition[], signal: AbortSignal): AsyncGenerator<ContextEvent, void> {
    const { conversation, newId } = this.deps;
    const { messages, budget } = this.prompt(tools);
    const draft = new PromptDraft(messages, tools);
    draft.shortenAs(conversation.shortened);
    const compaction = planCompaction({ messages, tools, budget: budget.prompt, tokens: draft.tokens });
    if (!compaction) {
      yield { type: 'noticed', id: newId(), kind: 'nothing-to-compact' };
      return;
    }
    const summary = yield* this.summarise(await this.deps.relay(), tools, compaction, signal);
    if ('problem' in summary) {
      yield { type: 'noticed', id: newId(), kind: 'compaction-failed', detail: summary.problem };
      return;
    }
    yield { type: 'turnsSummarised', id: newId(), beforeId: compaction.beforeId, ...summary };
  }

  /** Compacts the conversation if it has to, once, and says what was shortened. */
  private async *fit(
    streamModel: StreamModel,
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
  ): AsyncGenerator<ContextEvent, Plan & { fitting: { type: 'fits' } }> {
    for (let isCompacted = false; ; isCompacted = true) {
      // A caller that is going away records nothing any more, so nothing would get shorter.
      signal.throwIfAborted();
      const { fitting, budget } = this.plan(tools);
      switch (fitting.type) {
        case 'fits':
          yield* this.sayShortened(fitting.shortened);
          return { fitting, budget };
        case 'compact': {
          if (isCompacted) throw this.tooLong({ tokens: budget.prompt, isMessage: false });
          const summary = yield* this.summarise(streamModel, tools, fitting, signal);
          yield {
            ...{ type: 'turnsSummarised', id: this.deps.newId(), beforeId: fitting.beforeId },
            ...summary,
          };
          break;
        }
        case 'too-long':
          throw this.tooLong(fitting);
      }
    }
  }

  private plan(tools: readonly ToolDefinition[]): Plan {
    const { messages, budget } = this.prompt(tools);
    const { shortened } = this.deps.conversation;
    return { fitting: fitContext({ messages, tools, budget: budget.prompt, shortened }), budget };
  }

  /** All that could be sent, and what the model has room for beside what closes it. */
  private prompt(tools: readonly ToolDefinition[]): { messages: ItemMessage[]; budget: Budget } {
    const { conversation, knowledge, model, options, prompt } = this.deps;
    const { instructions, maxTokens } = options();
    const own = prompt.systemText(tools.map(({ name }) => name));
    const system = joinSystemText(own, instructions, conversation.instructions);
    const messages = toMessages(conversation.all, system);
    const estimate = () => sum(messages.map(({ message }) => sizeOfMessage(message)));
    const { prompt: room, ...rest } = knowledge.budget(model, maxTokens, estimate);
    return {
      messages,
      budget: { ...rest, prompt: room - sum(this.closing.map(sizeOfMessage)) },
    };
  }

  private toRequest({ answer }: Budget): Omit<ModelRequest, 'messages'> {
    const { stream, temperature, reasoningEffort } = this.deps.options();
    return {
      model: this.deps.model,
      stream,
      ...(temperature !== undefined && { temperature }),
      ...(reasoningEffort !== undefined && { reasoningEffort }),
      ...(answer !== undefined && { maxTokens: answer }),
    };
  }

  private async *summarise(
    streamModel: StreamModel,
    tools: readonly ToolDefinition[],
    { beforeId, room }: Compaction,
    signal: AbortSignal,
  ): AsyncGenerator<ContextEvent, Summary> {
    const { messages, budget } = this.prompt(tools);
    const draft = new PromptDraft(messages, tools);
    draft.shortenAs(this.deps.conversation.shortened);
    const before = messages.slice(
      0,
      messages.findIndex(({ itemId }) => itemId === beforeId),
    );
    yield { type: 'summaryStarted' };
    return yield* summarise({
      ask: (asked, withTools) =>
        streamModel(
          { ...this.toRequest(budget), messages: asked, ...(withTools && tools.length > 0 && { tools }) },
          signal,
        ),
      sent: (left) => toSummarise(messages, draft.messages, beforeId, left - sum(tools.map(sizeOfTool))),
      messages: before.map(inBrief),
      budget: this.summaryBudget(budget, room),
      room,
    });
  }

  /** A summary needs less room than an answer, unless a length is asked for, which servers count in advance. */
  private summaryBudget({ prompt, answer }: Budget, room: number): number {
    const { knowledge, model } = this.deps;
    if (answer !== undefined || knowledge.window(model) === undefined) return prompt;
    return Math.max(prompt, knowledge.budget(model, room * 4).prompt);
  }

  /** Recorded, so that the next request has them as this one, also after a reload; said once a turn, with a number that grows. */
  private *sayShortened(now: ReadonlyMap<string, number>): Generator<ContextEvent> {
    const { conversation, newId } = this.deps;
    const before = conversation.shortened;
    const fresh = [...now.keys()].filter((id) => !before.has(id));
    const changed = [...now].filter(([id, tokens]) => before.get(id) !== tokens);
    const whole = conversation.all.filter(({ id }) => before.has(id) && !now.has(id));
    if (changed.length + whole.length > 0) {
      const results = Object.fromEntries([...changed, ...whole.map(({ id }) => [id, null] as const)]);
      yield { type: 'resultsShortened', results };
    }
    if (fresh.length === 0) return;
    this.notice ??= { id: newId(), results: new Set() };
    const { id, results } = this.notice;
    for (const result of fresh) results.add(result);
    yield toNotice(id, 'results-shortened', results.size);
  }

  /** Whether a plan sends less than what was refused. */
  private isLess({ fitting, budget }: Plan, { tokens, answer = 0 }: Sent): boolean {
    if (fitting.type !== 'fits') return fitting.type === 'compact';
    return fitting.tokens < tokens || (budget.answer ?? 0) < answer;
  }

  private tooLong({ tokens, isMessage }: Omit<Fitting & { type: 'too-long' }, 'type'>): SwitchboardError {
    const { knowledge, model } = this.deps;
    return contextTooLong({
      needed: knowledge.inTokens(model, tokens),
      model,
      window: knowledge.window(model) ?? assumedWindow,
      isMessage,
    });
  }
}

/** They come before anything of an answer does. */
const beforeAnswer: ReadonlySet<ModelEvent['type']> = new Set([
  'requestSent',
  'retryScheduled',
  'budgetAsked',
  'parameterRefused',
]);

function toNotice(id: string, kind: NoticeKind, detail: number): ContextEvent {
  return { type: 'noticed', id, kind, detail: String(detail) };
}

function isTooLong(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.code === 'context-too-long';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
