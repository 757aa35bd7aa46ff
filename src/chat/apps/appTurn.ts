import * as l10n from '@vscode/l10n';
import type { AppEvent, AppFile, AppThought, AppUsage } from '../../apps/app.ts';
import { toOutputFiles } from '../../apps/client/appFiles.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { toFailure } from '../../base/errors/failureRecord.ts';
import { readShownInput } from '../calls/readCall.ts';
import type { AnswerEnd, ChatEvent, ToolOutcome } from '../store/events.ts';
import { boundStep, toSources } from './appBounds.ts';

export type AppTurnEvent =
  | Extract<AppEvent, { type: 'requestSent' | 'retryScheduled' | 'stalled' }>
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
          | 'answerAnnotated'
          | 'fileOutput'
          | 'answerEnded';
      }
    >
  /** The run waits for human input. The turn ends with it unless the run resumes at once. */
  | { type: 'inputRequired'; reasons: readonly string[]; hasForm: boolean }
  | { type: 'inputProvided' }
  | { type: 'runFinished' };

export interface AppTurnContext {
  model: string;
  continues?: string | undefined;
  ask(signal: AbortSignal): AsyncIterable<AppEvent>;
  onEvent(event: AppTurnEvent): Promise<void>;
  newId(): string;
  now(): number;
}

/** A tool call ends an answer; later text starts a new one. Every call gets one outcome. Failures are a turn end. */
export async function runAppTurn(context: AppTurnContext, signal: AbortSignal): Promise<AnswerEnd> {
  const turn = new AppTurn(context);
  await turn.begin();
  let end: AnswerEnd = { reason: 'answered' };
  try {
    for await (const event of context.ask(signal)) {
      if (event.type === 'ended') end = { ...end, ...usageOf(event.usage) };
      await turn.apply(event);
    }
    if (turn.isEmpty) throw emptyReply();
  } catch (error) {
    end = { ...toFailure(error), ...(end.usage && { usage: end.usage }) };
  }
  await turn.finish(end);
  return end;
}

class AppTurn {
  private readonly answers: string[] = [];
  private isOpen = false;
  private hasShown: boolean;
  private readonly files = new Set<string>();
  private readonly calls = new Map<string, { id: string; startedMs: number; isDone: boolean }>();

  constructor(private readonly context: AppTurnContext) {
    this.hasShown = context.continues !== undefined;
  }

  get isEmpty(): boolean {
    return !this.hasShown;
  }

  async begin(): Promise<void> {
    if (this.isOpen) return;
    this.isOpen = true;
    const { continues } = this.context;
    if (continues !== undefined && this.answers.length === 0) {
      this.answers.push(continues);
      return this.emit({ type: 'answerContinued', id: continues });
    }
    this.answers.push(this.context.newId());
    await this.emit({ type: 'answerStarted', id: this.id, model: this.context.model });
  }

  async apply(event: AppEvent): Promise<void> {
    switch (event.type) {
      case 'requestSent':
      case 'retryScheduled':
      case 'stalled':
        return this.emit(event);
      case 'started': {
        const { conversationId, messageId, runId } = event;
        return this.emit({ type: 'runStarted', conversationId, messageId, runId });
      }
      case 'textAdded':
      case 'reasoningAdded':
        await this.begin();
        this.hasShown ||= event.type === 'textAdded' && event.text.trim() !== '';
        return this.emit({ type: event.type, id: this.id, text: event.text });
      case 'textReplaced':
        return this.replaceText(event.text);
      case 'thoughtChanged':
        return this.applyThought(event.thought);
      case 'stepChanged':
        return this.emit({ type: 'stepChanged', id: this.id, step: boundStep(event.step) });
      case 'fileAdded':
        return this.addFile(event.file);
      case 'sourcesFound':
        await this.begin();
        return this.emit({ type: 'segmentsFound', id: this.id, sources: toSources(event.sources) });
      case 'annotationUsed':
        await this.begin();
        return this.emit({ type: 'answerAnnotated', id: this.id, annotation: 'used' });
      case 'paused':
        this.hasShown = true;
        return this.emit({
          type: 'inputRequired',
          reasons: event.reasons,
          hasForm: event.forms !== undefined,
        });
      case 'resumed':
        return this.emit({ type: 'inputProvided' });
      case 'runFinished':
        return this.emit({ type: 'runFinished' });
      case 'ended':
        for (const file of event.files) await this.addFile(file);
    }
  }

  async finish(end: AnswerEnd): Promise<void> {
    for (const [callId] of this.calls)
      await this.finishCall(callId, '', end.reason === 'answered' ? 'done' : 'stopped');
    await this.begin();
    await this.emit({ type: 'answerEnded', id: this.id, end });
  }

  private emit(event: AppTurnEvent): Promise<void> {
    return this.context.onEvent(event);
  }

  private get id(): string {
    return this.answers.at(-1) ?? '';
  }

  private async replaceText(text: string): Promise<void> {
    await this.begin();
    // The replacement text covers all answers of the turn.
    for (const id of this.answers.slice(0, -1)) await this.emit({ type: 'textReplaced', id, text: '' });
    this.hasShown ||= text.trim() !== '';
    await this.emit({ type: 'textReplaced', id: this.id, text });
  }

  private async applyThought({ id, tool, toolLabel, toolInput, observation }: AppThought): Promise<void> {
    if (!tool) return;
    if (!this.calls.has(id)) {
      this.hasShown = true;
      await this.begin();
      await this.emit({ type: 'answerEnded', id: this.id, end: { reason: 'called' } });
      this.isOpen = false;
      const call = { id: this.context.newId(), startedMs: this.context.now(), isDone: false };
      this.calls.set(id, call);
      const name = toolLabel ?? tool;
      await this.emit({
        type: 'toolsCalled',
        id: this.id,
        calls: [{ id: call.id, callId: id, name, ...readShownInput(toolInput ?? ''), title: name }],
      });
      await this.emit({ type: 'toolStateChanged', id: call.id, state: 'running' });
    }
    if (observation !== undefined) await this.finishCall(id, observation, 'done');
  }

  private async finishCall(callId: string, content: string, state: ToolOutcome['state']): Promise<void> {
    const call = this.calls.get(callId);
    if (!call || call.isDone) return;
    call.isDone = true;
    const durationMs = this.context.now() - call.startedMs;
    await this.emit({ type: 'toolFinished', id: call.id, outcome: { state, content, durationMs } });
  }

  private async addFile(file: AppFile): Promise<void> {
    // The end event repeats files that were already reported.
    const known = file.id ?? file.address ?? '';
    if (this.files.has(known)) return;
    this.files.add(known);
    await this.begin();
    this.hasShown = true;
    for (const output of toOutputFiles([file]))
      await this.emit({ type: 'fileOutput', id: this.id, file: output });
  }
}

function usageOf(usage: AppUsage | undefined): Pick<AnswerEnd, 'usage'> {
  if (!usage) return {};
  const { promptTokens, completionTokens, totalTokens, price, currency } = usage;
  const amount = Number(price);
  // Platforms report a cost of 0 for models without a known price.
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
