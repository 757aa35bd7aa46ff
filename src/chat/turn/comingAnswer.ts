import type { FilePicture } from '../../base/files/pictureFiles.ts';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { FinishReason, ToolCall, ToolDefinition, Usage, PictureOmission } from '../../relay/messages.ts';
import { readCall } from '../calls/readCall.ts';
import { prepare } from '../calls/runCalls.ts';
import { findTextToolCalls } from '../calls/textToolCalls.ts';
import type { ReadyCall, ToolBox } from '../calls/toolBox.ts';
import { Seam } from '../conversation/continuation.ts';
import type { AnswerEnd, AnswerPicture, ChatEvent } from '../store/events.ts';
import type { AnswerEvent } from './modelAsker.ts';
import type { ModelSet } from '../chatDependencies.ts';
import type { TurnLog } from './turnLog.ts';

interface AnswerContext {
  tools: ToolBox;
  toolCallers: ModelSet;
  keepPicture(picture: FilePicture): Promise<AnswerPicture>;
  log: TurnLog;
  newId(): string;
  now(): number;
}

interface Asked {
  id: string;
  model: string;
  tools: readonly ToolDefinition[];
  before: string | undefined;
}

const endsReasoning = new Set<AnswerEvent['type']>(['textAdded', 'pictureAdded']);

export class ComingAnswer {
  private text: string;
  private called: readonly ToolCall[] = [];
  private reasonsSince: number | undefined;
  private readonly seam: Seam | undefined;
  private readonly pictures: AnswerPictureEvents;
  private ended: { end: AnswerEnd; calls: ReadyCall[] } | undefined;
  hasBegun = false;

  constructor(
    private readonly context: AnswerContext,
    private readonly asked: Asked,
  ) {
    const { id, before } = asked;
    this.text = before ?? '';
    this.seam = before === undefined ? undefined : new Seam(before);
    this.pictures = new AnswerPictureEvents(context, id);
  }

  /** Throws `truncated` until the answer has ended. */
  get outcome(): { end: AnswerEnd; calls: ReadyCall[] } {
    if (this.ended) return this.ended;
    throw new SwitchboardError('truncated', l10n.t('The answer was cut off before the model finished it.'));
  }

  async add(event: AnswerEvent): Promise<void> {
    const { log, toolCallers } = this.context;
    const { id, model } = this.asked;
    if (endsReasoning.has(event.type)) await this.endReasoning();
    this.hasBegun ||= event.type !== 'pictureOmitted' && event.type !== 'reasoningSigned';
    switch (event.type) {
      case 'pictureAdded':
        return log.record(await this.pictures.add(event.picture));
      case 'pictureOmitted':
        return log.record(this.pictures.omit(event.reason));
      case 'textAdded':
        return this.seam ? this.addRest(this.seam.push(event.text)) : this.addText(event.text);
      case 'reasoningAdded':
        this.reasonsSince ??= this.context.now();
        return log.record({ type: 'reasoningAdded', id, text: event.text });
      case 'reasoningSigned':
        if (event.blocks.length > 0)
          await log.record({ type: 'reasoningSigned', id, blocks: [...event.blocks] });
        return;
      case 'toolCallsCompleted':
        await this.flush();
        this.called = event.calls;
        toolCallers.add(model);
        return;
      case 'modelFinished':
        await this.flush();
        return this.finish(event.reason, event.usage);
    }
  }

  async flush(): Promise<void> {
    await this.endReasoning();
    if (this.seam) await this.addRest(this.seam.finish());
  }

  private async endReasoning(): Promise<void> {
    const { reasonsSince } = this;
    if (reasonsSince === undefined) return;
    this.reasonsSince = undefined;
    const { log, now } = this.context;
    await log.record({ type: 'reasoningEnded', id: this.asked.id, durationMs: now() - reasonsSince });
  }

  private async addRest(text: string): Promise<void> {
    if (text !== '') await this.addText(text);
  }

  private async addText(text: string): Promise<void> {
    this.text += text;
    await this.context.log.record({ type: 'textAdded', id: this.asked.id, text });
  }

  private async finish(reason: FinishReason, usage: Usage | undefined): Promise<void> {
    const { tools, log, newId } = this.context;
    const end = endOf(reason, usage);
    const isText = this.called.length === 0;
    const called = isText ? this.callsInText() : this.called;
    if (called.length === 0) {
      this.ended = { end, calls: [] };
      return;
    }
    const read = await Promise.all(called.map((call) => readCall(call, reason === 'length', newId)));
    const calls = read.map((call) => prepare(tools, { ...call, ...(isText && { isText }) }));
    await log.record({ type: 'toolsCalled', id: this.asked.id, calls: calls.map(({ call }) => call) });
    this.ended = { end: { ...end, reason: 'called' }, calls };
  }

  private callsInText(): ToolCall[] {
    const { toolCallers, newId } = this.context;
    const { tools, model } = this.asked;
    if (tools.length === 0 || toolCallers.has(model)) return [];
    const { calls = [] } = findTextToolCalls(this.text) ?? {};
    const names = new Set(tools.map(({ name }) => name));
    return calls.every(({ name }) => names.has(name)) ? calls.map((call) => ({ id: newId(), ...call })) : [];
  }
}

function endOf(reason: FinishReason, usage: Usage | undefined): AnswerEnd {
  const named = reason === 'length' ? 'length' : reason === 'content_filter' ? 'filtered' : 'answered';
  return usage ? { reason: named, usage } : { reason: named };
}

/** Reason for a missing picture; `storage`: its file couldn't be written. */
type OmittedPicture = PictureOmission | 'storage';

class AnswerPictureEvents {
  private readonly reasons: OmittedPicture[] = [];

  constructor(
    private readonly context: { keepPicture(picture: FilePicture): Promise<AnswerPicture> },
    private readonly answerId: string,
  ) {}

  async add(picture: FilePicture): Promise<PictureChatEvent> {
    try {
      const kept = await this.context.keepPicture(picture);
      return { type: 'pictureAdded', id: this.answerId, picture: kept };
    } catch {
      return this.omit('storage');
    }
  }

  omit(reason: OmittedPicture): PictureChatEvent {
    if (!this.reasons.includes(reason)) this.reasons.push(reason);
    const detail = this.reasons.join(',');
    return { type: 'noticed', id: `pictures:${this.answerId}`, kind: 'pictures-omitted', detail };
  }
}

type PictureChatEvent = Extract<ChatEvent, { type: 'pictureAdded' | 'noticed' }>;
