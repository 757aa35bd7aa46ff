import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { type FailedEnd, toFailure } from '../base/failure.ts';
import type { AppEvent, AppFile, AppStep, AppSource, AppThought, AppUsage } from './app.ts';

/**
 * What happens in a turn with an app. The first part has the shape of the chat's own turn events, so that a
 * conversation can record them as they are; what only apps have comes with the id of the answer it belongs to.
 */
export type AppTurnEvent =
  | { type: 'requestSent' }
  | { type: 'retryScheduled'; delayMs: number; why: string }
  | Extract<AppEvent, { type: 'quiet' }>
  | { type: 'answerStarted'; id: string; model: string }
  | { type: 'textAdded' | 'reasoningAdded' | 'textReplaced'; id: string; text: string }
  | { type: 'toolsCalled'; id: string; calls: AppToolCall[] }
  | { type: 'toolStateChanged'; id: string; state: 'running' }
  | { type: 'toolFinished'; id: string; outcome: AppToolOutcome }
  | { type: 'answerEnded'; id: string; end: AppAnswerEnd }
  /** Always last, always once. */
  | { type: 'turnEnded'; end: AppAnswerEnd }
  | AppOnlyEvent;

export type AppOnlyEvent =
  /** How the platform names this turn: to go on with it, to rate it, to ask for suggestions. */
  | { type: 'platformNamed'; id: string; conversationId?: string; messageId?: string; runId?: string }
  /** The same `step.id` comes again as it goes on. */
  | { type: 'stepChanged'; id: string; step: AppStep }
  | { type: 'segmentsFound'; id: string; segments: AppSegment[] }
  | { type: 'fileGiven'; id: string; file: AppFile }
  /** The run goes on when a person has done something on the platform; the turn ends with it. */
  | { type: 'personNeeded'; id: string; reasons: readonly string[] };

/** A tool that an agent used by itself, on the platform. */
export interface AppToolCall {
  /** Ours. */
  id: string;
  /** The platform's id of the thought. */
  callId: string;
  name: string;
  /** JSON text, possibly empty. */
  arguments: string;
  /** The name, since it is no tool of ours. */
  title: string;
}

export interface AppToolOutcome {
  state: 'done' | 'stopped';
  content: string;
  durationMs: number;
}

export interface AppAnswerEnd {
  reason: 'answered' | 'called' | 'stopped' | 'failed';
  failure?: FailedEnd['failure'];
  usage?: { promptTokens?: number; completionTokens?: number; totalTokens?: number };
}

/** A segment that grounded an answer; the conversation gives it its number. */
export interface AppSegment {
  datasetId: string;
  datasetName: string;
  documentId: string;
  documentName: string;
  segmentId: string;
  score?: number;
  content: string;
}

export interface AppTurnContext {
  /** Stands where a model's id does. */
  app: string;
  /** Asks the app: `AppClient.chat` or `complete` with the request of this turn. */
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
  let end: AppAnswerEnd = { reason: 'answered' };
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
  private hasShown = false;
  private readonly given = new Set<string>();
  private readonly calls = new Map<string, { id: string; startedMs: number; isDone: boolean }>();

  constructor(private readonly context: AppTurnContext) {}

  /** Nothing came that a person could see. */
  get isEmpty(): boolean {
    return !this.hasShown;
  }

  *begin(): Generator<AppTurnEvent, void> {
    if (this.isOpen) return;
    this.isOpen = true;
    this.answers.push(this.context.newId());
    yield { type: 'answerStarted', id: this.id, model: this.context.app };
  }

  *apply(event: AppEvent): Generator<AppTurnEvent, void> {
    switch (event.type) {
      case 'requestSent':
      case 'retryScheduled':
      case 'quiet':
        yield event;
        return;
      case 'started': {
        const { conversationId, messageId, runId } = event;
        yield { type: 'platformNamed', id: this.id, conversationId, messageId, runId };
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
        yield { type: 'stepChanged', id: this.id, step: event.step };
        return;
      case 'fileAdded':
        yield* this.give(event.file);
        return;
      case 'sourcesFound':
        yield* this.begin();
        yield { type: 'segmentsFound', id: this.id, segments: event.sources.map(toSegment) };
        return;
      case 'paused':
        this.hasShown = true;
        yield { type: 'personNeeded', id: this.id, reasons: event.reasons };
        return;
      case 'runFinished':
        return;
      case 'ended':
        for (const file of event.files) yield* this.give(file);
    }
  }

  *finish(end: AppAnswerEnd): Generator<AppTurnEvent, void> {
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
        calls: [{ id: call.id, callId: id, name, arguments: toolInput ?? '', title: name }],
      };
      yield { type: 'toolStateChanged', id: call.id, state: 'running' };
    }
    if (observation !== undefined) yield* this.finishCall(id, observation, 'done');
  }

  private *finishCall(
    callId: string,
    content: string,
    state: AppToolOutcome['state'],
  ): Generator<AppTurnEvent, void> {
    const call = this.calls.get(callId);
    if (!call || call.isDone) return;
    call.isDone = true;
    const durationMs = this.context.now() - call.startedMs;
    yield { type: 'toolFinished', id: call.id, outcome: { state, content, durationMs } };
  }

  private *give(file: AppFile): Generator<AppTurnEvent, void> {
    // The end names files again that were given before.
    const known = file.id ?? file.address ?? '';
    if (this.given.has(known)) return;
    this.given.add(known);
    yield* this.begin();
    this.hasShown = true;
    yield { type: 'fileGiven', id: this.id, file };
  }
}

/** A source of an answer, with nothing left out. */
export function toSegment(source: AppSource): AppSegment {
  return {
    datasetId: source.datasetId ?? '',
    datasetName: source.datasetName ?? '',
    documentId: source.documentId ?? '',
    documentName: source.documentName ?? '',
    segmentId: source.segmentId ?? '',
    ...(source.score !== undefined && { score: source.score }),
    content: source.content ?? '',
  };
}

function usageOf(usage: AppUsage | undefined): Pick<AppAnswerEnd, 'usage'> {
  if (!usage) return {};
  const { promptTokens, completionTokens, totalTokens } = usage;
  return { usage: { promptTokens, completionTokens, totalTokens } };
}

function emptyReply(): SwitchboardError {
  return new SwitchboardError(
    'empty-reply',
    l10n.t('The app finished without an answer. Try again, or check its log on the platform.'),
  );
}
