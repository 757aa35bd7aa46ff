import { toFailure } from '../../base/errors/failureRecord.ts';
import { splitFirstSentence, type ErrorCode, SwitchboardError } from '../../base/errors/errors.ts';
import type { FilePicture } from '../../base/files/pictureFiles.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import { refusesTools } from '../../relay/profile/lessons.ts';
import type { Call } from '../calls/call.ts';
import type { AnswerEnd, AnswerPicture, NoticeKind } from '../store/events.ts';
import type { Grounding } from '../grounding/grounding.ts';
import { RepeatedCalls } from '../calls/repeatedCalls.ts';
import { prepare, runCalls } from '../calls/runCalls.ts';
import type { ReadyCall, ToolBox } from '../calls/toolBox.ts';
import type { ModelSet } from '../chatDependencies.ts';
import { ComingAnswer } from './comingAnswer.ts';
import type { ModelAsker } from './modelAsker.ts';
import type { TurnLog } from './turnLog.ts';

export interface Steering {
  isWaiting(): boolean;
  handIn(): Promise<boolean>;
}

export interface TurnContext {
  model: string;
  fallbacks: readonly string[];
  askerFor(model: string): Pick<ModelAsker, 'ask'>;
  continues?: { readonly id: string; readonly text: string } | undefined;
  tools: ToolBox;
  grounding: Pick<Grounding, 'searchFirst' | 'notices'>;
  /** Models that rejected `tools`; the turn adds to the set. */
  refusesTools: ModelSet;
  /** Models known to call tools by the protocol: calls in their text are only shown. The turn adds to the set. */
  toolCallers: ModelSet;
  openCalls: readonly Call[];
  steering: Steering;
  keepPicture(picture: FilePicture): Promise<AnswerPicture>;
  maxToolRounds: number;
  log: TurnLog;
  newId(): string;
  now(): number;
}

interface AnswerOutcome {
  end: AnswerEnd;
  calls: ReadyCall[];
}

/** Relay or vendor failures that another model may avoid; not the user's own key, budget or request. */
const fallbackCodes: ReadonlySet<ErrorCode> = new Set([
  'transient',
  'rate-limit',
  'model',
  'vendor-key',
  'vendor-balance',
  'vendor-not-permitted',
  'timeout-first-token',
  'timeout-idle',
  'truncated',
  'empty-reply',
]);

/** Runs one turn. Every call gets exactly one outcome, and each step is recorded before the next one starts. */
export class Turn {
  private model: string;
  private asker: Pick<ModelAsker, 'ask'>;
  private repeated = new RepeatedCalls();

  constructor(
    private readonly context: TurnContext,
    private readonly signal: AbortSignal,
  ) {
    this.model = context.model;
    this.asker = context.askerFor(context.model);
  }

  async run(): Promise<AnswerEnd> {
    const { openCalls, continues, steering, grounding, maxToolRounds, log } = this.context;
    let outcome = openCalls.length > 0 ? this.reopen(openCalls) : await this.askForAnswer(continues);
    for (let round = 1; ; round++) {
      const { end, calls } = outcome;
      if (end.reason !== 'called') {
        for (const notice of grounding.notices(end)) await log.record(notice);
        return end;
      }
      const isStuck = await this.runCalls(calls, round);
      if (this.signal.aborted) return { reason: 'stopped' };
      if (await steering.handIn()) {
        // New directions from the user reset the loop detection.
        this.repeated = new RepeatedCalls();
        round = 0;
      } else if (isStuck || round >= maxToolRounds) {
        await this.notice(isStuck ? 'same-call' : 'round-limit', String(round));
        return end;
      }
      outcome = await this.askForAnswer();
    }
  }

  private async runCalls(calls: readonly ReadyCall[], round: number): Promise<boolean> {
    const { steering, log, now } = this.context;
    let isStuck = false;
    const conditions = {
      ...{ signal: this.signal, isSteered: () => steering.isWaiting(), now },
      onOutput: (id: string, lines: string) => log.show({ type: 'outputAdded', id, lines }),
    };
    await runCalls(calls, conditions, async (event) => {
      await log.record(event);
      if (event.type !== 'toolFinished') return;
      const { call } = calls.find((each) => each.call.id === event.id) ?? {};
      if (call && this.repeated.add(round, call, event.outcome.content)) isStuck = true;
    });
    return isStuck;
  }

  private reopen(openCalls: readonly Call[]): AnswerOutcome {
    return { end: { reason: 'called' }, calls: openCalls.map((call) => prepare(this.context.tools, call)) };
  }

  private async askForAnswer(continued?: TurnContext['continues']): Promise<AnswerOutcome> {
    const { log, newId } = this.context;
    const id = continued?.id ?? newId();
    if (continued) await log.record({ type: 'answerContinued', id });
    else await log.record({ type: 'answerStarted', id, model: this.model });
    const outcome = await this.answer(id, continued?.text);
    await log.record({ type: 'answerEnded', id, end: outcome.end });
    return outcome;
  }

  /** Tries without tools if the model rejects them, and with fallbacks if it fails. */
  private async answer(id: string, before: string | undefined): Promise<AnswerOutcome> {
    const { refusesTools: refusers, grounding, log } = this.context;
    let hasBegun = false;
    for (;;) {
      const tools = refusers.has(this.model) ? [] : this.context.tools.definitions();
      const answer = new ComingAnswer(this.context, { id, model: this.model, tools, before });
      try {
        if (before === undefined) await grounding.searchFirst(tools, this.signal, log);
        await this.asker.ask(tools, this.signal, (event) => answer.add(event), before);
        return answer.outcome;
      } catch (error) {
        await answer.flush();
        hasBegun ||= answer.hasBegun;
        // An empty continuation only lacked the end.
        if (before !== undefined && isEmptyReply(error)) return { end: { reason: 'answered' }, calls: [] };
        if (tools.length > 0 && error instanceof SwitchboardError && refusesTools(error)) {
          refusers.add(this.model);
          await this.notice('tools-refused', this.model);
          continue;
        }
        const next = before === undefined && !hasBegun ? this.fallbackAfter(error) : undefined;
        if (next === undefined) return { end: toFailure(error), calls: [] };
        await this.notice('fallback', `${this.model}\n${reasonOf(error)}`);
        this.model = next;
        this.asker = this.context.askerFor(next);
        await log.record({ type: 'answerStarted', id, model: next });
      }
    }
  }

  private fallbackAfter(error: unknown): string | undefined {
    const { fallbacks } = this.context;
    if (!(error instanceof SwitchboardError) || !fallbackCodes.has(error.code)) return undefined;
    return fallbacks[fallbacks.indexOf(this.model) + 1];
  }

  private notice(kind: NoticeKind, detail: string): Promise<void> {
    const { log, newId } = this.context;
    return log.record({ type: 'noticed', id: newId(), kind, detail });
  }
}

function reasonOf(error: unknown): string {
  return splitFirstSentence(toSwitchboardError(error).message).first;
}

function isEmptyReply(error: unknown): boolean {
  return error instanceof SwitchboardError && error.code === 'empty-reply';
}
