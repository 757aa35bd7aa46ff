import { SwitchboardError } from '../base/errors.ts';
import type { Message, ModelEvent, ModelRequest, StreamModel, ToolDefinition } from '../relay/messages.ts';
import type { Budget, ContextKnowledge, Sent } from './context/contextKnowledge.ts';
import { continueInstruction } from './continuation.ts';
import { contextTooLong } from './context/contextTooLong.ts';
import type { Conversation } from './conversation.ts';
import type { ChatEvent, NoticeKind } from './events.ts';
import { fitContext, type Fitting } from './context/fitContext.ts';
import type { SearchMode } from './grounding/grounding.ts';
import { inBrief } from './context/promptDraft.ts';
import { sizeOfMessage } from './context/promptSize.ts';
import { summarise, type SummaryEvent } from './context/summarise.ts';
import { toMessages } from './context/toMessages.ts';
import { joinSystemText, type PromptSource } from './prompt/promptSource.ts';

/** What happens beside the answer while the conversation is made to fit. */
export type ContextEvent =
  Extract<ChatEvent, { type: 'noticed' | 'resultsShortened' | 'turnsSummarised' }> | SummaryEvent;

/** The settings of a request. */
export interface RequestOptions {
  instructions: string;
  /** When the chosen knowledge bases are searched. */
  knowledgeSearch: SearchMode;
  stream: boolean;
  temperature?: number;
  maxTokens?: number;
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
 * shortened or summarised is said by an event. A refusal for the context's length leads to one corrected try a turn.
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
          hasBegun ||= event.type !== 'requestSent' && event.type !== 'retryScheduled';
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

  /** Summarises until the rest fits, and says what was shortened. */
  private async *fit(
    streamModel: StreamModel,
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
  ): AsyncGenerator<ContextEvent, Plan & { fitting: { type: 'fits' } }> {
    for (;;) {
      // A caller that is going away records nothing any more, so nothing would get shorter.
      signal.throwIfAborted();
      const { fitting, budget } = this.plan(tools);
      switch (fitting.type) {
        case 'fits':
          yield* this.sayShortened(fitting.shortened);
          return { fitting, budget };
        case 'summarise':
          yield* this.summarise(streamModel, fitting, budget, signal);
          break;
        case 'too-long':
          throw this.tooLong(fitting.tokens);
      }
    }
  }

  private plan(tools: readonly ToolDefinition[]): Plan {
    const { conversation, knowledge, model, options, prompt } = this.deps;
    const { instructions, maxTokens } = options();
    const budget = knowledge.budget(model, maxTokens);
    const own = prompt.systemText(tools.map(({ name }) => name));
    const messages = toMessages(
      conversation.all,
      joinSystemText(own, instructions, conversation.instructions),
    );
    const room = budget.prompt - this.closing.reduce((sum, message) => sum + sizeOfMessage(message), 0);
    return {
      fitting: fitContext({ messages, tools, budget: room, shortened: conversation.shortened }),
      budget,
    };
  }

  private toRequest({ answer }: Budget): Omit<ModelRequest, 'messages'> {
    const { stream, temperature } = this.deps.options();
    return {
      model: this.deps.model,
      stream,
      ...(temperature !== undefined && { temperature }),
      ...(answer !== undefined && { maxTokens: answer }),
    };
  }

  private async *summarise(
    streamModel: StreamModel,
    { beforeId, room }: Fitting & { type: 'summarise' },
    budget: Budget,
    signal: AbortSignal,
  ): AsyncGenerator<ContextEvent> {
    const all = toMessages(this.deps.conversation.all, '');
    const before = all.slice(
      0,
      all.findIndex(({ itemId }) => itemId === beforeId),
    );
    yield { type: 'summaryStarted' };
    const summary = yield* summarise(
      (content) => streamModel({ ...this.toRequest(budget), messages: [{ role: 'user', content }] }, signal),
      before.map(inBrief),
      budget.prompt,
      room,
    );
    yield { type: 'turnsSummarised', id: this.deps.newId(), beforeId, ...summary };
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
    if (fitting.type !== 'fits') return fitting.type === 'summarise';
    return fitting.tokens < tokens || (budget.answer ?? 0) < answer;
  }

  private tooLong(estimated: number): SwitchboardError {
    const { conversation, knowledge, model } = this.deps;
    const newest = conversation.all.findLast(({ type }) => type === 'user' || type === 'tool');
    return contextTooLong({
      needed: knowledge.inTokens(model, estimated),
      model,
      window: knowledge.window(model) ?? 0,
      isWorking: newest?.type === 'tool',
    });
  }
}

function toNotice(id: string, kind: NoticeKind, detail: number): ContextEvent {
  return { type: 'noticed', id, kind, detail: String(detail) };
}

function isTooLong(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.code === 'context-too-long';
}
