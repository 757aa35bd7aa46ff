import { SwitchboardError } from '../base/errors/errors.ts';
import { untilAborted } from '../base/async/promises.ts';
import { isMissingOnServer } from '../platform/platformErrors.ts';
import { conversationGoneMessage } from '../platform/platformMessages.ts';
import type { AppEvent, AppMessage, AppParameters, FileReference, Rating } from './app.ts';
import { type FormAnswers, toInputs } from './appForm.ts';
import type { AppRecord } from './appRegistry.ts';
import type { AppClient } from './client/appClient.ts';
import { formChanged } from './client/appFailures.ts';
import { firstMissing, toSentInputs } from './client/sentInputs.ts';
import type { LocalChoice } from './fileChoice.ts';
import { type FileWork, type LocalFiles, toReference } from './fileReferences.ts';

/** Every method throws a `SwitchboardError`. */
export interface ChatApp {
  parameters(signal: AbortSignal): Promise<AppParameters>;
  /** Aborting also stops the run on the platform. */
  ask(question: AppQuestion, signal: AbortSignal): AsyncIterable<AppEvent>;
  /** Continues the answer of a paused run from the platform's current state. Aborting stops the run. */
  followRun(run: ChatRun, signal: AbortSignal): AsyncIterable<AppEvent>;
  suggestedQuestions(messageId: string, signal: AbortSignal): Promise<string[]>;
  rate(messageId: string, rating: Rating | undefined, signal: AbortSignal): Promise<void>;
  annotate(question: string, answer: string, signal: AbortSignal): Promise<void>;
  /** One page of stored messages, oldest first; `before` is the first message id of the following page. */
  messages(
    conversationId: string,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<{ messages: AppMessage[]; hasMore: boolean }>;
}

export interface ChatRun {
  runId: string;
  conversationId: string | undefined;
  messageId: string | undefined;
}

export interface AppQuestion {
  query: string;
  files: readonly LocalChoice[];
  conversationId?: string | undefined;
  answers?: FormAnswers | undefined;
  inputs?: Readonly<Record<string, unknown>> | undefined;
  /** Called with the inputs of all further messages, before they are first sent. */
  keepInputs(inputs: Readonly<Record<string, unknown>>): void;
  onUploading(name: string): void;
}

export interface ChatAppDependencies {
  apps: { find(appId: string): AppRecord | undefined; client(appId: string): Promise<AppClient> };
  files(): Promise<LocalFiles>;
  streams(): boolean;
}

export class PlatformChatApp implements ChatApp {
  private known: { client: AppClient; parameters: Promise<AppParameters> } | undefined;

  constructor(
    private readonly appId: string,
    private readonly deps: ChatAppDependencies,
  ) {}

  async parameters(signal: AbortSignal): Promise<AppParameters> {
    return this.parametersOf(await this.client(), signal);
  }

  async *ask(question: AppQuestion, signal: AbortSignal): AsyncGenerator<AppEvent, void> {
    const { query, conversationId } = question;
    const { apps, files, streams } = this.deps;
    const client = await this.client();
    const work = { client, files, signal, onUpload: (name: string) => question.onUploading(name) };
    try {
      const inputs = await this.inputsFor(question, work);
      const references: FileReference[] = [];
      for (const file of question.files) {
        const { files: rules } = await this.parametersOf(client, signal);
        references.push(await toReference(file, rules, work));
      }
      const isFlow = apps.find(this.appId)?.kind === 'chatflow';
      yield* client.chat(
        { query, conversationId, inputs, files: references, stream: streams(), isFlow },
        signal,
      );
    } catch (error) {
      // A refusal may be due to an outdated form.
      const codes: unknown[] = ['conversation-over', 'inputs'];
      if (error instanceof SwitchboardError && codes.includes(error.code)) this.known = undefined;
      throw error;
    }
  }

  async *followRun(run: ChatRun, signal: AbortSignal): AsyncGenerator<AppEvent, void> {
    const client = await this.client();
    let isPaused = false;
    for await (const event of client.followRun(run.runId, signal, 'chat')) {
      if (event.type === 'paused') isPaused = true;
      if (event.type === 'resumed') isPaused = false;
      if (event.type === 'ended' && !isPaused) yield* keptAnswer(client, run, signal);
      yield event;
    }
  }

  async suggestedQuestions(messageId: string, signal: AbortSignal): Promise<string[]> {
    const client = await this.client();
    const { suggestsAfterAnswer } = await this.parametersOf(client, signal);
    return suggestsAfterAnswer ? client.suggestedQuestions(messageId, signal) : [];
  }

  async rate(messageId: string, rating: Rating | undefined, signal: AbortSignal): Promise<void> {
    await (await this.client()).rate(messageId, rating, undefined, signal);
  }

  async annotate(question: string, answer: string, signal: AbortSignal): Promise<void> {
    await (await this.client()).annotate(question, answer, signal);
  }

  async messages(conversationId: string, before: string | undefined, signal: AbortSignal) {
    return (await this.client()).messages(conversationId, before, signal);
  }

  private client(): Promise<AppClient> {
    return this.deps.apps.client(this.appId);
  }

  private parametersOf(client: AppClient, signal: AbortSignal): Promise<AppParameters> {
    if (this.known?.client !== client) {
      // The first caller may be stopped while others still wait.
      const asked = { client, parameters: client.parameters(new AbortController().signal) };
      this.known = asked;
      asked.parameters.catch(() => {
        if (this.known === asked) this.known = undefined;
      });
    }
    return untilAborted(this.known.parameters, signal);
  }

  /** The platform checks the inputs of every message and fills in the form's defaults. */
  private async inputsFor(question: AppQuestion, work: FileWork): Promise<Record<string, unknown>> {
    const { conversationId, answers, keepInputs } = question;
    const { client, signal } = work;
    if (conversationId === undefined && !answers) return {};
    const { form } = await this.parametersOf(client, signal);
    if (answers) {
      const inputs = await toInputs(form, answers, (file, accepted) => toReference(file, accepted, work));
      keepInputs(inputs);
      return inputs;
    }
    if (conversationId === undefined || form.length === 0) return {};
    const inputs = question.inputs ?? (await inputsOnPlatform(client, conversationId, signal));
    if (!question.inputs) keepInputs(inputs);
    const missing = firstMissing(form, inputs);
    if (missing) throw formChanged(missing);
    const hidden = await toInputs(
      form.filter(({ isHidden }) => isHidden),
      {},
      (file, accepted) => toReference(file, accepted, work),
    );
    return { ...hidden, ...toSentInputs(inputs) };
  }
}

/** Text written unobserved is only in the platform's record; without one, the received text counts. */
async function* keptAnswer(
  client: AppClient,
  { conversationId, messageId }: ChatRun,
  signal: AbortSignal,
): AsyncGenerator<AppEvent, void> {
  if (conversationId === undefined) return;
  const page = await client.messages(conversationId, undefined, signal).catch(() => undefined);
  const kept = page?.messages.find(({ id }) => id === messageId);
  if (kept?.answer) yield { type: 'textReplaced', text: kept.answer };
  if (kept && kept.sources.length > 0) yield { type: 'sourcesFound', sources: kept.sources };
}

const maxPages = 20;

/** Inputs of a conversation begun elsewhere. Throws `conversation-over` if the platform does not list it. */
async function inputsOnPlatform(
  client: AppClient,
  conversationId: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  let after: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const listed = await client.conversations(after, signal).catch((error: unknown) => {
      // An app of a sign-in lists none; the platform checks the inputs.
      if (isMissingOnServer(error)) return undefined;
      throw error;
    });
    if (!listed) return {};
    const { conversations, hasMore } = listed;
    const found = conversations.find(({ id }) => id === conversationId);
    if (found) return found.inputs;
    after = conversations.at(-1)?.id;
    if (!hasMore) throw new SwitchboardError('conversation-over', conversationGoneMessage());
  }
  // The conversation may be older than the searched pages; the platform will report missing inputs.
  return {};
}
