import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import type { FinishReason, ModelEvent, ToolCall, ToolDefinition, Usage } from '../relay/messages.ts';
import type { AppChatEvent } from './apps/appEvents.ts';
import type { Call } from './calls/call.ts';
import { readCall } from './calls/readCall.ts';
import type { AnswerEnd, ChatEvent, NoticeKind } from './events.ts';
import { toFailure } from '../base/failure.ts';
import type { GroundingEvent } from './grounding/grounding.ts';
import type { ContextEvent } from './modelAsker.ts';
import { RepeatedCalls } from './calls/repeatedCalls.ts';
import { runCalls, type RunnableCall } from './calls/runCalls.ts';
import type { ToolBox } from './calls/toolBox.ts';
import { Seam } from './continuation.ts';
import { findTextToolCalls } from './calls/textToolCalls.ts';

/** Remembers which models call tools by the protocol. */
export interface ToolCallers {
  has(model: string): boolean;
  add(model: string): void;
}

/** What the user says while a turn runs. */
export interface Steering {
  /** Something waits that the model is to read before anything else is done. */
  isWaiting(): boolean;
  /** Makes what waits a part of the conversation, ready to be sent; false if there is nothing. */
  handIn(): Promise<boolean>;
}

/** What a turn needs. The conversation is the caller's: it records each event before it asks for the next. */
export interface TurnContext {
  model: string;
  /**
   * Asks the model with the conversation as it is now, and says what was done to make it fit.
   * @param before the beginning of the answer that is to be gone on with
   */
  ask(
    tools: readonly ToolDefinition[],
    signal: AbortSignal,
    before?: string,
  ): AsyncIterable<ModelEvent | ContextEvent>;
  /** The newest answer, if that is to be gone on with. */
  continues?: { readonly id: string; readonly text: string } | undefined;
  tools: ToolBox;
  grounding: {
    /** Searches the chosen knowledge bases for the question, if that is to be done before it is sent. */
    searchFirst(tools: readonly ToolDefinition[], signal: AbortSignal): AsyncIterable<GroundingEvent>;
    /** What the user should know of an answer that is not grounded. */
    notices(end: AnswerEnd): Iterable<GroundingEvent>;
  };
  /** Models that refused `tools` before; the turn adds to it. */
  refusesTools: Set<string>;
  /** Models that called tools by the protocol before, so that a call in their text is only shown; the turn adds to it. */
  toolCallers: ToolCallers;
  /** Calls of the newest answer that are to be run before the model is asked again. */
  openCalls: readonly Call[];
  steering: Steering;
  /** How often a model may call tools before the user is asked. */
  maxToolRounds: number;
  newId(): string;
  /** Milliseconds. */
  now(): number;
}

export type TurnEvent =
  | Exclude<
      ChatEvent,
      | AppChatEvent
      | {
          type:
            | 'modelSelected'
            | 'modeSelected'
            | 'parametersChosen'
            | 'approvalsSelected'
            | 'modeTold'
            | 'knowledgeChosen'
            | 'userMessageAdded'
            | 'contextAdded'
            | 'instructionsRead'
            | 'messageQueued'
            | 'queuedMessageRemoved'
            | 'titleWritten'
            | 'itemsRemoved'
            | 'versionStarted'
            | 'branchDeleted'
            | 'versionChosen';
        }
    >
  | GroundingEvent
  | Extract<ModelEvent, { type: 'retryScheduled' | 'budgetAsked' | 'requestSent' }>
  | Extract<ContextEvent, { type: 'summaryStarted' }>
  /** Always last, always once. */
  | { type: 'turnEnded'; end: AnswerEnd };

/**
 * One turn: asks the model, runs the tools it calls, asks again, until it answers, the user stops it, a limit is
 * reached or something fails. What the user says meanwhile is handed in after the results of a round. Whatever happens, every call has one outcome and the turn ends once. Never throws.
 */
export async function* runTurn(context: TurnContext, signal: AbortSignal): AsyncIterable<TurnEvent> {
  const { openCalls, continues, steering } = context;
  let repeated = new RepeatedCalls();
  let outcome =
    openCalls.length > 0 ? reopen(context, openCalls) : yield* askForAnswer(context, continues, signal);
  for (let round = 1; ; round++) {
    const { end, calls } = outcome;
    if (end.reason !== 'called') {
      yield* context.grounding.notices(end);
      yield { type: 'turnEnded', end };
      return;
    }
    let isStuck = false;
    const conditions = { signal, isSteered: () => steering.isWaiting(), now: () => context.now() };
    for await (const event of runCalls(calls, conditions)) {
      yield event;
      if (event.type !== 'toolFinished') continue;
      const { call } = calls.find((each) => each.call.id === event.id) ?? {};
      if (call && repeated.add(round, call, event.outcome.content)) isStuck = true;
    }
    if (signal.aborted) {
      yield { type: 'turnEnded', end: { reason: 'stopped' } };
      return;
    }
    if (await steering.handIn()) {
      // Whom the limits would ask has just said how to go on.
      repeated = new RepeatedCalls();
      round = 0;
    } else if (isStuck || round >= context.maxToolRounds) {
      yield notice(context, isStuck ? 'same-call' : 'round-limit', String(round));
      yield { type: 'turnEnded', end };
      return;
    }
    outcome = yield* askForAnswer(context, undefined, signal);
  }
}

interface AnswerOutcome {
  end: AnswerEnd;
  calls: RunnableCall[];
}

/** Calls that were asked for already, as if their answer had just ended. */
function reopen(context: TurnContext, openCalls: readonly Call[]): AnswerOutcome {
  return { end: { reason: 'called' }, calls: openCalls.map((call) => prepare(context, call)) };
}

/** @param continued the answer that is gone on with, in place of a new one */
async function* askForAnswer(
  context: TurnContext,
  continued: TurnContext['continues'],
  signal: AbortSignal,
): AsyncGenerator<TurnEvent, AnswerOutcome> {
  const id = continued?.id ?? context.newId();
  if (continued) yield { type: 'answerContinued', id };
  else yield { type: 'answerStarted', id, model: context.model };
  const outcome = yield* answer(context, id, signal, continued?.text);
  yield { type: 'answerEnded', id, end: outcome.end };
  return outcome;
}

/** One request and what came of it, with the calls looked up and recorded. */
async function* answer(
  context: TurnContext,
  id: string,
  signal: AbortSignal,
  before: string | undefined,
): AsyncGenerator<TurnEvent, AnswerOutcome> {
  for (;;) {
    const tools = context.refusesTools.has(context.model) ? [] : context.tools.definitions();
    try {
      if (before === undefined) {
        yield* context.grounding.searchFirst(tools, signal);
        return yield* listen(context, id, tools, context.ask(tools, signal));
      }
      const rest = joined(context.ask(tools, signal, before), new Seam(before));
      return yield* listen(context, id, tools, rest, before);
    } catch (error) {
      // Only its end had not come: there was no more to say.
      if (before !== undefined && isEmptyReply(error)) return { end: { reason: 'answered' }, calls: [] };
      if (tools.length === 0 || !refusesTools(error)) return { end: toFailure(error), calls: [] };
      context.refusesTools.add(context.model);
      yield notice(context, 'tools-refused', context.model);
    }
  }
}

/** The rest of an answer, without what it repeats of its beginning. */
async function* joined(
  events: AsyncIterable<ModelEvent | ContextEvent>,
  seam: Seam,
): AsyncGenerator<ModelEvent | ContextEvent, void> {
  const rest = (text: string): ModelEvent[] => (text ? [{ type: 'textAdded', text }] : []);
  try {
    for await (const event of events) {
      if (event.type === 'textAdded') yield* rest(seam.push(event.text));
      else {
        if (event.type === 'toolCallsCompleted' || event.type === 'modelFinished') yield* rest(seam.finish());
        yield event;
      }
    }
  } catch (error) {
    yield* rest(seam.finish());
    throw error;
  }
}

async function* listen(
  context: TurnContext,
  id: string,
  tools: readonly ToolDefinition[],
  events: AsyncIterable<ModelEvent | ContextEvent>,
  before = '',
): AsyncGenerator<TurnEvent, AnswerOutcome> {
  let text = before;
  let called: readonly ToolCall[] = [];
  for await (const event of events) {
    switch (event.type) {
      case 'textAdded':
        text += event.text;
        yield { type: 'textAdded', id, text: event.text };
        break;
      case 'reasoningAdded':
        yield { type: 'reasoningAdded', id, text: event.text };
        break;
      case 'reasoningSigned':
        if (event.blocks.length > 0) yield { type: 'reasoningSigned', id, blocks: [...event.blocks] };
        break;
      case 'toolCallsCompleted':
        called = event.calls;
        context.toolCallers.add(context.model);
        break;
      case 'modelFinished': {
        const end = endOf(event.reason, event.usage);
        const isText = called.length === 0;
        if (isText) called = callsInText(context, text, tools);
        if (called.length === 0) return { end, calls: [] };
        const read = await Promise.all(
          called.map((call) => readCall(call, event.reason === 'length', () => context.newId())),
        );
        const calls = read.map((call) => prepare(context, { ...call, ...(isText && { isText }) }));
        yield { type: 'toolsCalled', id, calls: calls.map(({ call }) => call) };
        return { end: { ...end, reason: 'called' }, calls };
      }
      case 'parameterRefused':
        yield notice(context, 'parameter-refused', event.refused);
        break;
      default:
        yield event;
    }
  }
  throw new SwitchboardError('truncated', l10n.t('The answer was cut off before the model finished it.'));
}

/** What a model that never called a tool wrote in place of calls, if that is what ends its answer. */
function callsInText(
  { model, toolCallers, newId }: TurnContext,
  text: string,
  offered: readonly ToolDefinition[],
): ToolCall[] {
  if (offered.length === 0 || toolCallers.has(model)) return [];
  const { calls = [] } = findTextToolCalls(text) ?? {};
  const names = new Set(offered.map(({ name }) => name));
  return calls.every(({ name }) => names.has(name)) ? calls.map((call) => ({ id: newId(), ...call })) : [];
}

/** Looks its tool up; people's name for that is a part of the call. */
function prepare({ tools }: TurnContext, call: Call): RunnableCall {
  if (call.problem !== undefined) return { call, work: { problem: call.problem } };
  const work = tools.prepare(call);
  const title = 'run' in work ? work.title : undefined;
  return { call: { ...call, ...(title !== undefined && { title }) }, work };
}

function notice({ newId }: TurnContext, kind: NoticeKind, detail: string): TurnEvent {
  return { type: 'noticed', id: newId(), kind, detail };
}

function isEmptyReply(error: unknown): boolean {
  return error instanceof SwitchboardError && error.code === 'empty-reply';
}

/** Vendors without tools refuse the field itself, before anything was said. */
function refusesTools(error: unknown): boolean {
  return (
    error instanceof SwitchboardError &&
    error.code === 'request' &&
    (/^(tools|tool_choice|functions)\b/.test(error.parameter ?? '') ||
      /\b(tools?|function calling)\b.*\b(not|n't|un)[ -]?(support|allow|available)|does not support.*\b(tools?|function)/i.test(
        error.why ?? '',
      ))
  );
}

function endOf(reason: FinishReason, usage: Usage | undefined): AnswerEnd {
  const named = reason === 'length' ? 'length' : reason === 'content_filter' ? 'filtered' : 'answered';
  return usage ? { reason: named, usage } : { reason: named };
}
