import { randomUUID } from 'node:crypto';
import { notFound } from '../platformErrors.ts';
import type {
  StoredAnnotation,
  StoredConversation,
  StoredMessage,
  StoredRun,
  UploadedAppFile,
} from './appRecords.ts';
import type { ScriptedApp } from './scriptedApp.ts';

/** Requests and answers of apps. Everything belongs to one user of one app. */
export class AppStore {
  readonly files: UploadedAppFile[] = [];
  readonly conversations: StoredConversation[] = [];
  readonly messages: StoredMessage[] = [];
  readonly runs: StoredRun[] = [];
  readonly annotations: StoredAnnotation[] = [];
  readonly #now: () => number;
  #order = 0;

  /** @param now in ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds since the epoch. */
  seconds(): number {
    return Math.floor(this.#now() / 1000);
  }

  addConversation(
    app: ScriptedApp,
    user: string,
    name: string,
    inputs: Readonly<Record<string, unknown>>,
  ): StoredConversation {
    const createdAt = this.seconds();
    const order = ++this.#order;
    const conversation: StoredConversation = {
      id: randomUUID(),
      app: app.key,
      user,
      name,
      inputs,
      createdAt,
      updatedAt: createdAt,
      createdOrder: order,
      updatedOrder: order,
      messages: [],
      variables: (app.variables ?? []).map((spec) => ({ ...spec, id: randomUUID(), updatedAt: createdAt })),
    };
    this.conversations.push(conversation);
    return conversation;
  }

  touch(conversation: StoredConversation): void {
    conversation.updatedAt = this.seconds();
    conversation.updatedOrder = ++this.#order;
  }

  removeConversation(conversation: StoredConversation): void {
    this.conversations.splice(this.conversations.indexOf(conversation), 1);
  }

  conversation(app: ScriptedApp, user: string, id: string): StoredConversation {
    const found = this.conversations.find((one) => owns(one, app, user) && one.id === id.toLowerCase());
    if (!found) throw notFound('Conversation Not Exists.');
    return found;
  }

  message(app: ScriptedApp, user: string, id: string): StoredMessage {
    const found = this.messages.find((one) => owns(one, app, user) && one.id === id.toLowerCase());
    if (!found) throw notFound('Message Not Exists.');
    return found;
  }

  /** The annotation of a question. The real server compares by meaning, the sandbox by words. */
  annotationFor({ key, repliesByAnnotation }: ScriptedApp, query: string): StoredAnnotation | undefined {
    const asked = wordsOf(query);
    return repliesByAnnotation
      ? this.annotations.findLast(({ app, question }) => app === key && wordsOf(question) === asked)
      : undefined;
  }

  file(app: ScriptedApp, user: string, id: unknown): UploadedAppFile | undefined {
    return this.files.find((one) => owns(one, app, user) && one.id === id);
  }
}

function owns(record: { app: string; user: string }, app: ScriptedApp, user: string): boolean {
  return record.app === app.key && record.user === user;
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
