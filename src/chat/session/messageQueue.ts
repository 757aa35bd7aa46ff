import { appIdOf } from '../../apps/appModelId.ts';
import type { Attachment, AttachmentSource } from '../attachments/attachment.ts';
import type { OutgoingMessage, QueuedMessage } from '../conversation/items.ts';
import type { TurnLock } from '../store/chatStore.ts';
import type { AnswerEnd } from '../store/events.ts';
import type { Choices } from './choices.ts';
import type { OtherWindows } from './otherWindows.ts';
import type { SessionState } from './sessionState.ts';
import type { TurnRunner } from './turnRunner.ts';

export class MessageQueue {
  private forTurn = new Set<string>();
  private readonly forOtherWindow = new Set<string>();

  constructor(
    private readonly state: SessionState,
    private readonly choices: Choices,
    private readonly windows: OtherWindows,
    private readonly turns: () => TurnRunner,
  ) {}

  /** False if the message needn't wait. Steering messages are added between rounds, others sent after good turns. */
  add({ attachments = [], sources = [], steers, tools, ...message }: OutgoingMessage): boolean {
    const { turn, isBusy, conversation, context } = this.state;
    const waits = isBusy || conversation.queue.length > 0;
    if (!waits || isEmpty(message.text, attachments)) return false;
    const id = context.newId();
    // Apps answer in a single request.
    const isForTurn = steers && turn && appIdOf(turn.model) === undefined;
    if (isForTurn) this.forTurn.add(id);
    this.state.record({
      type: 'messageQueued',
      id,
      ...message,
      ...(tools && { tools: [...tools] }),
      ...(attachments.length > 0 && { attachments: [...attachments], sources: [...sources] }),
      ...(isForTurn && { steers }),
    });
    if (this.state.isElsewhere) {
      this.forOtherWindow.add(id);
      this.sendIfFree(id);
    }
    return true;
  }

  get steering(): readonly QueuedMessage[] {
    return this.state.conversation.queue.filter(({ id }) => this.forTurn.has(id));
  }

  async send(id: string): Promise<AnswerEnd | undefined> {
    const { steering } = this;
    await this.turns().stop();
    const { model } = this.choices;
    const message = this.find(id);
    if (!message || this.state.turn || !model) return undefined;
    const lock = this.windows.takeLockOrThrow();
    const modelOf = ({ modelId = model }: QueuedMessage) => modelId;
    const to = modelOf(message);
    const along = appIdOf(to) === undefined ? steering.filter((each) => modelOf(each) === to) : [];
    const ids = new Set([message, ...along].map((each) => each.id));
    return this.sayUnder(
      lock,
      this.state.conversation.queue.filter((each) => ids.has(each.id)),
    );
  }

  remove(id: string): QueuedMessage | undefined {
    const message = this.find(id);
    if (message) this.state.record({ type: 'queuedMessageRemoved', id });
    return message;
  }

  addAll(messages: readonly QueuedMessage[]): void {
    const { model } = this.choices;
    // Pins the default model, so that later changes of the setting don't affect this conversation.
    if (this.state.conversation.model === undefined && model !== undefined) this.choices.selectModel(model);
    this.choices.repeat();
    for (const message of messages) this.say(message);
  }

  /** A message for another model waits until the turn ends. */
  isSteered(): boolean {
    const { steering, state, choices } = this;
    return (
      steering.length > 0 && steering.every(({ modelId = choices.model }) => modelId === state.turn?.model)
    );
  }

  addSteering(): boolean {
    if (!this.isSteered() || this.state.held.isDisposed) return false;
    const asked = this.state.conversation.all.findLast((item) => item.type === 'user');
    for (const message of this.steering)
      this.say({ ...(asked?.tools && { tools: asked.tools }), ...message });
    return true;
  }

  onTurnEnd(): (end: AnswerEnd) => boolean {
    const { steering } = this;
    this.forTurn = new Set();
    return (end) => {
      const next = steering.length > 0 ? steering : this.state.conversation.queue.slice(0, 1);
      return isWell(end) && this.sendAll(next);
    };
  }

  /** Sends messages queued here after another window's answer, as that window would have. */
  onTurnEndElsewhere(): void {
    const { queue, newestAnswer } = this.state.conversation;
    const next = queue.find(({ id }) => this.forOtherWindow.has(id));
    if (next && isWell(newestAnswer?.end)) this.sendAll([next]);
  }

  /** The other window may have been closed before recording the turn's end; a turn that it stopped is the user's to go on from. */
  private sendIfFree(id: string): void {
    const { newestAnswer: known } = this.state.conversation;
    const knownEnd = known?.end && known.id;
    const send = () => {
      const { newestAnswer: answer } = this.state.conversation;
      const message = this.find(id);
      const end = answer?.id === knownEnd ? undefined : answer?.end;
      if (message && !this.state.isBusy && (!end || isWell(end) || end.reason === 'interrupted'))
        this.sendAll([message]);
    };
    // Continuing the conversation reports why it can't be read.
    this.windows.update().then(send, () => undefined);
  }

  private find(id: string): QueuedMessage | undefined {
    return this.state.conversation.queue.find((each) => each.id === id);
  }

  private sendAll(messages: readonly QueuedMessage[]): boolean {
    if (messages.length === 0 || this.state.held.isDisposed || !this.choices.model) return false;
    const lock = this.windows.takeLock();
    // If other windows' events can't be read, the messages stay queued, and continuing reports the error.
    if (lock) this.sayUnder(lock, messages).catch(() => undefined);
    return lock !== undefined;
  }

  /** Sends queued messages, except those that other windows sent or removed before the lock was taken. */
  private sayUnder(lock: TurnLock, messages: readonly QueuedMessage[]): Promise<AnswerEnd | undefined> {
    const { choices } = this;
    const turns = this.turns();
    const model = messages.findLast(({ modelId }) => modelId !== undefined)?.modelId ?? choices.model ?? '';
    return turns.run(lock, model, async (signal) => {
      await this.state.held.takeNews();
      const { queue } = this.state.conversation;
      const still = messages.filter(({ id }) => queue.some((each) => each.id === id));
      if (still.length === 0) return undefined;
      this.addAll(still);
      return turns.answer(choices.model ?? '', {}, signal);
    });
  }

  private say({ id, text, attachments = [], sources = [], tools, modeId, modelId }: QueuedMessage): void {
    if (modeId !== undefined) this.choices.selectMode(modeId);
    if (modelId !== undefined) this.choices.selectModel(modelId);
    this.state.record({
      type: 'userMessageAdded',
      id,
      text,
      ...(attachments.length > 0 && { attachments: [...attachments] }),
      ...(sources.length > 0 && { sources: sources.map(withoutContent) }),
      ...(tools && { tools: [...tools] }),
    });
  }
}

function withoutContent(source: AttachmentSource): AttachmentSource {
  return source.type === 'text' ? { ...source, text: '' } : source;
}

/** Attachments alone are a message, unless all were refused. */
export function isEmpty(text: string, attachments: readonly Attachment[] = []): boolean {
  return text.trim() === '' && attachments.every(({ refusal }) => refusal);
}

/** After any other end the user decides before more is sent. */
function isWell(end: AnswerEnd | undefined): boolean {
  return end?.reason === 'answered' || end?.reason === 'filtered';
}
