import * as l10n from '@vscode/l10n';
import type { AppEvent, AppFile, AppThought, AppUsage } from '../../apps/app.ts';
import { toOutputFiles } from '../../apps/client/appFiles.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { toFailure } from '../../base/failure.ts';
import { readShownInput } from '../calls/readCall.ts';
import type { AnswerEnd, ChatEvent, ToolOutcome } from '../events.ts';
import { boundStep, toSources } from './appBounds.ts';

/** What happens in a turn with an app, as it is recorded, and beside that what is known only while it runs. */
export type AppTurnEvent =
  | Extract<AppEvent, { type: 'requestSent' | 'retryScheduled' | 'stalled' }>
  /** How the platform names this turn: to go on with it, to rate it, to ask for suggestions. */
  | { type: 'runStarted'; conversationId?: string; messageId?: string; runId?: string }
  | Extract<
      ChatEvent,
      {
        type:
          | 'answerStarted'
          | 'answerContinued'
          | 'textAdded'
          | 'reasoningAdded'
          | 'textReplaced'
          | 'toolsCalled'
          | 'toolStateChanged'
          | 'toolFinished'
          | 'stepChanged'
          | 'segmentsFound'
          | 'fileOutput'
          | 'answerEnded';
      }
    >
  /** The run goes on when somebody has done something; the turn ends with it, unless that happens at once. */
  | { type: 'inputRequired'; reasons: readonly string[]; hasForm: boolean }
  | { type: 'inputProvided' }
  /** The run is over, whatever came of it. */
  | { type: 'runFinished' }
  /** Always last, always once. */
  | { type: 'turnEnded'; end: AnswerEnd };

export interface AppTurnContext {
  /** What stands for the app where a model's id does. */
  model: string;
  /** The answer that is gone on with instead of a new one. */
  continues?: string | undefined;
  /** Asks the app the question of this turn. */
  ask(signal: AbortSignal): AsyncIterable<AppEvent>;
  newId(): string;
  /** Milliseconds. */
  now(): number;
}

/**
 * One turn with an app. A tool that an agent uses ends one answer, and what it says next is another, as in a chat with
 * a model. Whatever happens, every call has one outcome and the turn ends once. Never throws.
 */
export async function* runAppTurn(
  context: AppTurnContext,
  signal: AbortSignal,
): AsyncGenerator<AppTurnEvent, void> {
  const turn = new Turn(context);
  yield* turn.begin();
  let end: AnswerEnd = { reason: 'answered' };
  try {
    for await (const event of context.ask(signal)) {
      if (event.type === 'ended') end = { ...end, ...usageOf(event.usage) };
      yield* turn.apply(event);
    }
    if (turn.isEmpty) throw emptyReply();
  } catch (error) {
    end = { ...toFailure(error), ...(end.usage && { usage: end.usage }) };
  }
  yield* turn.finish(end);
}

class Turn {
  /** The answers of this turn; the last one is open, unless tools were called after it. */
  private readonly answers: string[] = [];
  private isOpen = false;
  private hasShown: boolean;
  private readonly files = new Set<string>();
  private readonly calls = new Map<string, { id: string; startedMs: number; isDone: boolean }>();

  constructor(private readonly context: AppTurnContext) {
    this.hasShown = context.continues !== undefined;
  }

  /** Nothing came that a user could see. */
  get isEmpty(): boolean {
    return !this.hasShown;
  }

  *begin(): Generator<AppTurnEvent, void> {
    if (this.isOpen) return;
    this.isOpen = true;
    const { continues } = this.context;
    if (continues !== undefined && this.answers.length === 0) {
      this.answers.push(continues);
      yield { type: 'answerContinued', id: continues };
      return;
    }
    this.answers.push(this.context.newId());
    yield { type: 'answerStarted', id: this.id, model: this.context.model };
  }

  *apply(event: AppEvent): Generator<AppTurnEvent, void> {
    switch (event.type) {
      case 'requestSent':
      case 'retryScheduled':
      case 'stalled':
        yield event;
        return;
      case 'started': {
        const { conversationId, messageId, runId } = event;
        yield { type: 'runStarted', conversationId, messageId, runId };
        return;
      }
      case 'textAdded':
      case 'reasoningAdded':
        yield* this.begin();
        this.hasShown ||= event.type === 'textAdded' && event.text.trim() !== '';
        yield { type: event.type, id: this.id, text: event.text };
        return;
      case 'textReplaced':
        yield* this.replaceText(event.text);
        return;
      case 'thoughtChanged':
        yield* this.applyThought(event.thought);
        return;
      case 'stepChanged':
        yield { type: 'stepChanged', id: this.id, step: boundStep(event.step) };
        return;
      case 'fileAdded':
        yield* this.addFile(event.file);
        return;
      case 'sourcesFound':
        yield* this.begin();
        yield { type: 'segmentsFound', id: this.id, sources: toSources(event.sources) };
        return;
      case 'paused':
        this.hasShown = true;
        yield { type: 'inputRequired', reasons: event.reasons, hasForm: event.forms !== undefined };
        return;
      case 'resumed':
        yield { type: 'inputProvided' };
        return;
      case 'runFinished':
        yield { type: 'runFinished' };
        return;
      case 'ended':
        for (const file of event.files) yield* this.addFile(file);
    }
  }

  *finish(end: AnswerEnd): Generator<AppTurnEvent, void> {
    for (const [callId] of this.calls)
      yield* this.finishCall(callId, '', end.reason === 'answered' ? 'done' : 'stopped');
    yield* this.begin();
    yield { type: 'answerEnded', id: this.id, end };
    yield { type: 'turnEnded', end };
  }

  private get id(): string {
    return this.answers.at(-1) ?? '';
  }

  private *replaceText(text: string): Generator<AppTurnEvent, void> {
    yield* this.begin();
    // What is replaced was said in all answers of the turn.
    for (const id of this.answers.slice(0, -1)) yield { type: 'textReplaced', id, text: '' };
    this.hasShown ||= text.trim() !== '';
    yield { type: 'textReplaced', id: this.id, text };
  }

  private *applyThought({
    id,
    tool,
    toolLabel,
    toolInput,
    observation,
  }: AppThought): Generator<AppTurnEvent, void> {
    if (!tool) return;
    if (!this.calls.has(id)) {
      this.hasShown = true;
      yield* this.begin();
      yield { type: 'answerEnded', id: this.id, end: { reason: 'called' } };
      this.isOpen = false;
      const call = { id: this.context.newId(), startedMs: this.context.now(), isDone: false };
      this.calls.set(id, call);
      const name = toolLabel ?? tool;
      yield {
        type: 'toolsCalled',
        id: this.id,
        calls: [{ id: call.id, callId: id, name, ...readShownInput(toolInput ?? ''), title: name }],
      };
      yield { type: 'toolStateChanged', id: call.id, state: 'running' };
    }
    if (observation !== undefined) yield* this.finishCall(id, observation, 'done');
  }

  private *finishCall(
    callId: string,
    content: string,
    state: ToolOutcome['state'],
  ): Generator<AppTurnEvent, void> {
    const call = this.calls.get(callId);
    if (!call || call.isDone) return;
    call.isDone = true;
    const durationMs = this.context.now() - call.startedMs;
    yield { type: 'toolFinished', id: call.id, outcome: { state, content, durationMs } };
  }

  private *addFile(file: AppFile): Generator<AppTurnEvent, void> {
    // The end names files again that came before.
    const known = file.id ?? file.address ?? '';
    if (this.files.has(known)) return;
    this.files.add(known);
    yield* this.begin();
    this.hasShown = true;
    for (const output of toOutputFiles([file])) yield { type: 'fileOutput', id: this.id, file: output };
  }
}

function usageOf(usage: AppUsage | undefined): Pick<AnswerEnd, 'usage'> {
  if (!usage) return {};
  const { promptTokens, completionTokens, totalTokens, price, currency } = usage;
  const amount = Number(price);
  // Of a model that it has no price of, a platform says 0.
  const cost =
    amount > 0 && Number.isFinite(amount) && currency
      ? { amount, currency, kind: 'estimate' as const }
      : undefined;
  return { usage: { promptTokens, completionTokens, totalTokens, ...(cost && { cost }) } };
}

function emptyReply(): SwitchboardError {
  return new SwitchboardError(
    'empty-reply',
    l10n.t('The app finished without an answer. Try again, or check its log on the platform.'),
  );
}
