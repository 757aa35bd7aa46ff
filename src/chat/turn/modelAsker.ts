import { SwitchboardError } from '../../base/errors/errors.ts';
import type { Message, ModelEvent, ModelRequest, ToolDefinition } from '../../relay/messages.ts';
import { assumedWindow, type Budget, type Sent } from '../context/contextKnowledge.ts';
import { continueInstruction } from '../conversation/continuation.ts';
import { readContextRefusal } from '../context/contextRefusal.ts';
import type { NoticeKind } from '../store/events.ts';
import type { ChatTurn } from './chatTurn.ts';
import { fitContext, type Fitting } from '../context/fitContext.ts';
import { planCompaction, toSummarise, type Compaction } from '../context/planCompaction.ts';
import { inBrief, PromptDraft } from '../context/promptDraft.ts';
import { sizeOfMessage, sizeOfTool } from '../context/tokenEstimate.ts';
import { summarise, type Summary } from '../context/summarise.ts';
import { toMessages, type ItemMessage } from '../context/toMessages.ts';
import { joinSystemText, type PromptSource } from '../prompt/promptSource.ts';
import { readInstructions } from '../instructions/attachInstructions.ts';
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import { readModelId } from '../../relay/relayModelId.ts';

export type AnswerEvent = Exclude<ModelEvent, ProgressEvent>;

type ProgressEvent = Extract<
  ModelEvent,
  { type: 'requestSent' | 'retryScheduled' | 'budgetAsked' | 'parameterRefused' | 'adapted' }
>;

interface Plan {
  fitting: Fitting;
  budget: Budget;
}

/** Sends as much of the conversation as fits. A context length refusal leads to one corrected attempt per turn. */
export class ModelAsker {
  private hasCorrected = false;
  private closing: readonly Message[] = [];
  private notice: { id: string; results: Set<string> } | undefined;

  constructor(
    private readonly turn: Pick<ChatTurn, 'conversation' | 'deps' | 'options' | 'log'>,
    private readonly model: string,
    private readonly prompt: PromptSource,
  ) {}

  /** @param before text of the answer to continue, which ends the conversation */
  async ask(
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
    onAnswer: (event: AnswerEvent) => Promise<void>,
    before?: string,
  ): Promise<void> {
    const { ask, knowledge, newId } = this.turn.deps;
    const { model } = this;
    this.closing = before === undefined ? [] : [{ role: 'user', content: continueInstruction(before) }];
    for (;;) {
      const { fitting, budget } = await this.fit(tools, signal);
      const { tokens } = fitting;
      const messages = [...fitting.messages, ...this.closing];
      const request = { ...this.toRequest(budget), messages, ...(tools.length > 0 && { tools }) };
      let hasBegun = false;
      try {
        await ask(request, signal, async (event) => {
          if (isProgress(event)) return this.tell(event);
          hasBegun = true;
          if (event.type === 'modelFinished' && event.usage) knowledge.counted(model, tokens, event.usage);
          await onAnswer(event);
        });
        return;
      } catch (error) {
        if (hasBegun || this.hasCorrected || !isTooLong(error)) throw error;
        this.hasCorrected = true;
        const sent = { tokens, answer: budget.answer };
        const window = knowledge.refused(model, readContextRefusal(error.why ?? ''), sent);
        if (window === undefined || !this.isLess(this.plan(tools), sent)) throw error;
        await this.say(newId(), 'context-refused', String(window));
      }
    }
  }

  /** Compacts on request, even if everything fits. A notice explains why nothing could be gained. */
  async compact(tools: readonly ToolDefinition[], signal: AbortSignal): Promise<void> {
    const { conversation, deps } = this.turn;
    const { messages, budget } = this.toPrompt(tools);
    const draft = new PromptDraft(messages, tools);
    draft.shortenAs(conversation.shortened);
    const compaction = planCompaction({ messages, tools, budget: budget.prompt, tokens: draft.tokens });
    if (!compaction) return this.say(deps.newId(), 'nothing-to-compact');
    const summary = await this.summarise(tools, compaction, signal);
    if ('problem' in summary) return this.say(deps.newId(), 'compaction-failed', summary.problem);
    await this.replaceBy(summary, compaction.beforeId);
  }

  private async fit(
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
  ): Promise<Plan & { fitting: { type: 'fits' } }> {
    for (let isCompacted = false; ; isCompacted = true) {
      // A closing window records nothing any more, so the conversation would never get shorter.
      signal.throwIfAborted();
      const { fitting, budget } = this.plan(tools);
      switch (fitting.type) {
        case 'fits':
          await this.recordShortened(fitting.shortened);
          return { fitting, budget };
        case 'compact':
          if (isCompacted) throw this.tooLong({ tokens: budget.prompt, isMessage: false });
          await this.replaceBy(await this.summarise(tools, fitting, signal), fitting.beforeId);
          break;
        case 'too-long':
          throw this.tooLong(fitting);
      }
    }
  }

  /** Rereads the project's instructions, since the prompt's cached beginning changes anyway. */
  private async replaceBy(summary: Summary, beforeId: string): Promise<void> {
    const { conversation, deps, log } = this.turn;
    await log.record({ type: 'turnsSummarised', id: deps.newId(), beforeId, ...summary });
    const read = await readInstructions(conversation, this.prompt.instructions);
    if (read) await log.record(read);
  }

  private plan(tools: readonly ToolDefinition[]): Plan {
    const { messages, budget } = this.toPrompt(tools);
    const { shortened } = this.turn.conversation;
    return { fitting: fitContext({ messages, tools, budget: budget.prompt, shortened }), budget };
  }

  private toPrompt(tools: readonly ToolDefinition[]): { messages: ItemMessage[]; budget: Budget } {
    const { conversation, deps, options } = this.turn;
    const { instructions, maxTokens } = options();
    const own = this.prompt.systemText(tools.map(({ name }) => name));
    const system = joinSystemText(own, instructions, conversation.instructions);
    const messages = toMessages(conversation.all, system);
    const estimate = () => sum(messages.map(({ message }) => sizeOfMessage(message)));
    const { prompt: room, ...rest } = deps.knowledge.budget(this.model, maxTokens, estimate);
    return {
      messages,
      budget: { ...rest, prompt: room - sum(this.closing.map(sizeOfMessage)) },
    };
  }

  private toRequest({ answer }: Budget): Omit<ModelRequest, 'messages'> {
    const { stream, temperature, reasoningEffort } = this.turn.options();
    return {
      model: this.model,
      stream,
      // Random, and constant within a conversation.
      cacheKey: this.turn.conversation.id,
      ...(temperature !== undefined && { temperature }),
      ...(reasoningEffort !== undefined && { reasoningEffort }),
      ...(answer !== undefined && { maxTokens: answer }),
    };
  }

  private async summarise(
    tools: readonly ToolDefinition[],
    { beforeId, room }: Compaction,
    signal: AbortSignal,
  ): Promise<Summary> {
    const { conversation, deps, log } = this.turn;
    const { messages, budget } = this.toPrompt(tools);
    const draft = new PromptDraft(messages, tools);
    draft.shortenAs(conversation.shortened);
    const before = messages.slice(
      0,
      messages.findIndex(({ itemId }) => itemId === beforeId),
    );
    log.show({ type: 'summaryStarted' });
    return summarise({
      ask: (asked, withTools, onAnswer) => {
        const request = { ...this.toRequest(budget), messages: asked };
        const asking = { ...request, ...(withTools && tools.length > 0 && { tools }) };
        return deps.ask(asking, signal, (event) => {
          // A summary request is shown as part of summarizing.
          if (event.type === 'requestSent') return log.show({ type: 'summaryStarted' });
          return isProgress(event) ? this.tell(event) : onAnswer(event);
        });
      },
      sent: (left) => toSummarise(messages, draft.messages, beforeId, left - sum(tools.map(sizeOfTool))),
      messages: before.map(inBrief),
      budget: this.summaryBudget(budget, room),
      room,
    });
  }

  /** Summaries need less room than answers unless a length is set, which servers reserve in advance. */
  private summaryBudget({ prompt, answer }: Budget, room: number): number {
    const { model } = this;
    const { knowledge } = this.turn.deps;
    if (answer !== undefined || knowledge.window(model) === undefined) return prompt;
    return Math.max(prompt, knowledge.budget(model, room * 4).prompt);
  }

  /** Keeps results shortened in later requests, even after a reload. One notice per turn shows the growing count. */
  private async recordShortened(now: ReadonlyMap<string, number>): Promise<void> {
    const { conversation, log, deps } = this.turn;
    const before = conversation.shortened;
    const fresh = [...now.keys()].filter((id) => !before.has(id));
    const changed = [...now].filter(([id, tokens]) => before.get(id) !== tokens);
    const whole = conversation.all.filter(({ id }) => before.has(id) && !now.has(id));
    if (changed.length + whole.length > 0) {
      const results = Object.fromEntries([...changed, ...whole.map(({ id }) => [id, null] as const)]);
      await log.record({ type: 'resultsShortened', results });
    }
    if (fresh.length === 0) return;
    this.notice ??= { id: deps.newId(), results: new Set() };
    const { id, results } = this.notice;
    for (const result of fresh) results.add(result);
    await this.say(id, 'results-shortened', String(results.size));
  }

  private async tell(event: ProgressEvent): Promise<void> {
    const { log, deps } = this.turn;
    switch (event.type) {
      case 'adapted':
        return this.say(deps.newId(), event.to, this.model);
      case 'parameterRefused':
        return this.say(deps.newId(), 'parameter-refused', event.refused);
      default:
        log.show(event);
    }
  }

  private say(id: string, kind: NoticeKind, detail?: string): Promise<void> {
    return this.turn.log.record({ type: 'noticed', id, kind, ...(detail !== undefined && { detail }) });
  }

  private isLess({ fitting, budget }: Plan, { tokens, answer = 0 }: Sent): boolean {
    if (fitting.type !== 'fits') return fitting.type === 'compact';
    return fitting.tokens < tokens || (budget.answer ?? 0) < answer;
  }

  private tooLong({ tokens, isMessage }: Omit<Fitting & { type: 'too-long' }, 'type'>): SwitchboardError {
    const { model } = this;
    const { knowledge } = this.turn.deps;
    return contextTooLong({
      needed: knowledge.inTokens(model, tokens),
      model,
      window: knowledge.window(model) ?? assumedWindow,
      isMessage,
    });
  }
}

const progress: ReadonlySet<ModelEvent['type']> = new Set<ProgressEvent['type']>([
  'requestSent',
  'retryScheduled',
  'budgetAsked',
  'parameterRefused',
  'adapted',
]);

function isProgress(event: ModelEvent): event is ProgressEvent {
  return progress.has(event.type);
}

function isTooLong(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.code === 'context-too-long';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

interface Excess {
  needed: number;
  model: string;
  window: number;
  /** The newest message alone doesn't fit; otherwise compacting would free too little. */
  isMessage: boolean;
}

function contextTooLong({ needed, model, window, isMessage }: Excess): SwitchboardError {
  const facts = [formatNumber(needed), readModelId(model).id, formatNumber(window)] as const;
  const message = isMessage
    ? l10n.t(
        "The message wasn't sent: it needs about {0} tokens, and the context window of {1} has {2}, including the answer. Shorten the message, remove attachments, or choose a model with a larger context window.",
        ...facts,
      )
    : l10n.t(
        'The conversation needs about {0} tokens, and the context window of {1} has {2}, including the answer. Compacting it would free less than 20 %. Choose a model with a larger context window.',
        ...facts,
      );
  return new SwitchboardError('context-too-long', message);
}
