import { Emitter } from '../base/emitter.ts';
import type { ChatStore, SavedEnd } from './chatStore.ts';
import { Conversation } from './conversation.ts';
import type { ChatEvent } from './events.ts';
import type { ChatItem } from './items.ts';

export type HeldChange =
  | ChatEvent
  /** These items, of which the conversation seemed to consist, are its end. */
  | { type: 'earlierLoaded'; shown: readonly ChatItem[] };

/** @param options `isOrdered`: what others have added is in the order in which it is known here, also where it came in between */
export type TakeNews = (options?: { isOrdered?: boolean }) => Promise<void>;

/** So many events are applied in a few milliseconds. */
const eventsAtOnce = 5000;

/**
 * A conversation and its file: what is recorded here goes into both, what other windows record comes from the file, and
 * what is before the end is loaded when it is wanted.
 */
export class HeldConversation {
  private readonly changes = new Emitter<HeldChange>();
  readonly onDidChange = this.changes.event;

  private isLeft = false;
  /** What was recorded since the end of the conversation was loaded. */
  private news: ChatEvent[] = [];
  private loading: Promise<boolean> | undefined;
  /** What reads news, one after the other: two at once would take the same twice. */
  private reading: Promise<void> = Promise.resolve();

  /** @param end what `held` was made of, if that is only its end */
  constructor(
    private held: Conversation,
    private readonly store: Pick<ChatStore, 'append' | 'load' | 'newsOf'>,
    private end?: SavedEnd,
  ) {}

  /** All of it, or its end as long as `hasEarlier`. */
  get conversation(): Conversation {
    return this.held;
  }

  /** There is more of the conversation than is loaded. */
  get hasEarlier(): boolean {
    return this.end?.earlier !== undefined;
  }

  /** Nothing is recorded or taken over any more. */
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

  /** Loads what is before the end of the conversation. False if that is there already; rejects when it cannot be read. */
  loadEarlier(): Promise<boolean> {
    const { earlier, events } = this.end ?? {};
    if (!earlier || !events) return Promise.resolve(false);
    const load = async () => {
      const whole = new Conversation(this.held.id);
      await applySlowly(whole, await earlier());
      await applySlowly(whole, events);
      for (const event of this.news) whole.apply(event);
      if (this.isLeft) return false;
      this.replace(whole);
      return true;
    };
    this.loading ??= load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  /** Takes over what other windows have added. Rejects when that cannot be read, and when they have deleted the conversation. */
  readonly takeNews: TakeNews = (options) => this.inOrder((takeNews) => takeNews(options));

  /** Runs what takes news when all that began before has ended. */
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

/** Lets everything else have its turn in between: there may be hundreds of thousands. */
async function applySlowly(conversation: Conversation, events: readonly ChatEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += eventsAtOnce) {
    for (const event of events.slice(at, at + eventsAtOnce)) conversation.apply(event);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
