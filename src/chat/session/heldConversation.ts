import { Emitter } from '../../base/emitter.ts';
import type { ChatStore, SavedEnd } from '../store/chatStore.ts';
import { Conversation } from '../conversation/conversation.ts';
import type { ChatEvent } from '../store/events.ts';
import type { ChatItem } from '../conversation/items.ts';
import { withoutRepeats } from '../conversation/withoutRepeats.ts';

export type HeldChange =
  | ChatEvent
  /** `shown` is the loaded end before the earlier part was added. */
  | { type: 'earlierLoaded'; shown: readonly ChatItem[] };

/** @param options `isOrdered`: other windows' events are applied after ours, even those written in between */
export type TakeNews = (options?: { isOrdered?: boolean }) => Promise<void>;

const eventsAtOnce = 5000;

export class HeldConversation {
  private readonly changes = new Emitter<HeldChange>();
  readonly onDidChange = this.changes.event;

  private isLeft = false;
  private news: ChatEvent[] = [];
  private loading: Promise<boolean> | undefined;
  /** Serializes reads: concurrent ones would apply the same news twice. */
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private held: Conversation,
    private readonly store: Pick<ChatStore, 'append' | 'load' | 'newsOf'>,
    private end?: SavedEnd,
  ) {}

  get conversation(): Conversation {
    return this.held;
  }

  get hasEarlier(): boolean {
    return this.end?.earlier !== undefined;
  }

  get isDisposed(): boolean {
    return this.isLeft;
  }

  dispose(): void {
    this.isLeft = true;
  }

  record(event: ChatEvent): void {
    if (this.isLeft) return;
    this.store.append(this.held.id, event);
    this.take(event);
  }

  /** Loads the earlier part. False if it is already loaded; rejects when the file can't be read. */
  loadEarlier(): Promise<boolean> {
    const { earlier, events } = this.end ?? {};
    if (!earlier || !events) return Promise.resolve(false);
    const load = async () => {
      const whole = new Conversation(this.held.id);
      await applySlowly(whole, withoutRepeats([...(await earlier()), ...events]));
      for (const event of this.news) whole.apply(event);
      if (this.isLeft) return false;
      this.replace(whole);
      return true;
    };
    this.loading ??= load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Applies other windows' events. Rejects if the file can't be read or another window deleted the conversation. */
  readonly takeNews: TakeNews = (options) => this.inOrder((takeNews) => takeNews(options));

  inOrder(read: (takeNews: TakeNews) => Promise<void>): Promise<void> {
    const done = this.reading.then(() => read(this.readNews));
    this.reading = done.catch(() => undefined);
    return done;
  }

  private readonly readNews: TakeNews = async ({ isOrdered = false } = {}) => {
    const { id } = this.held;
    const { events, isMixed } = await this.store.newsOf(id);
    if (this.isLeft) return;
    if (isOrdered || !isMixed) {
      for (const event of events) this.take(event);
      return;
    }
    this.replace(new Conversation(id, (await this.store.load(id)) ?? []));
    // Approval choices revoke grants in this window, too, regardless of their order.
    for (const event of events) if (event.type === 'approvalsSelected') this.changes.fire(event);
  };

  private take(event: ChatEvent): void {
    this.held.apply(event);
    if (this.end) this.news.push(event);
    this.changes.fire(event);
  }

  private replace(whole: Conversation): void {
    const shown = this.held.all;
    this.held = whole;
    this.end = undefined;
    this.news = [];
    this.changes.fire({ type: 'earlierLoaded', shown });
  }
}

/** Yields between batches, since there may be hundreds of thousands of events. */
async function applySlowly(conversation: Conversation, events: readonly ChatEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += eventsAtOnce) {
    for (const event of events.slice(at, at + eventsAtOnce)) conversation.apply(event);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
