import { SwitchboardError } from '../base/errors.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { conversationGoneMessage } from '../platform/platformMessages.ts';
import type { AppEvent, AppMessage, AppParameters, FileReference, Rating } from './app.ts';
import { type FormAnswers, toInputs } from './appForm.ts';
import type { AppService } from './appService.ts';
import type { AppClient } from './client/appClient.ts';
import { formChanged } from './client/appFailures.ts';
import { firstMissing, toSentInputs } from './client/sentInputs.ts';
import type { LocalChoice } from './fileChoice.ts';
import { type FileWork, type LocalFiles, toReference } from './fileReferences.ts';

/**
 * An app as a conversation uses it: its client, and what the platform leaves to the caller, which is to upload
 * files first and to send the inputs of the form with every message. Every method throws a `SwitchboardError`.
 */
export interface ChatApp {
  /** What the platform says of it; asked once, unless that failed. */
  parameters(signal: AbortSignal): Promise<AppParameters>;
  /** One question. Aborting also ends the run on the platform. */
  ask(question: AppQuestion, signal: AbortSignal): AsyncIterable<AppEvent>;
  /** Goes on with the answer of a run that waited, from where the platform is by now. Aborting ends the run there, too. */
  followRun(run: ChatRun, signal: AbortSignal): AsyncIterable<AppEvent>;
  /** Questions to go on with; empty where the app has none. */
  suggestedQuestions(messageId: string, signal: AbortSignal): Promise<string[]>;
  /** Undefined takes the rating back. */
  rate(messageId: string, rating: Rating | undefined, signal: AbortSignal): Promise<void>;
  /** One page of what the platform keeps, oldest first; `before` is the id of the first message of the page after it. */
  messages(
    conversationId: string,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<{ messages: AppMessage[]; hasMore: boolean }>;
}

/** What the platform knows an answer by. */
export interface ChatRun {
  runId: string;
  conversationId: string | undefined;
  messageId: string | undefined;
}

export interface AppQuestion {
  query: string;
  /** Uploaded before the question is sent. */
  files: readonly LocalChoice[];
  /** Goes on with a conversation; absent begins one. */
  conversationId?: string | undefined;
  /** What the form was filled in with, for a conversation that begins. */
  answers?: FormAnswers | undefined;
  /** What a conversation that goes on has sent with each message; absent while that is not known here. */
  inputs?: Readonly<Record<string, unknown>> | undefined;
  /** Called with what is to be sent with every message from now on, before it is sent the first time. */
  keepInputs(inputs: Readonly<Record<string, unknown>>): void;
  /** A file is being sent to the platform. */
  onUploading(name: string): void;
}

export interface ChatAppDependencies {
  apps: Pick<AppService, 'find' | 'client'>;
  files(): Promise<LocalFiles>;
  /** Whether answers come as they are written. */
  streams(): boolean;
}

export function createChatApp(appId: string, { apps, files, streams }: ChatAppDependencies): ChatApp {
  let known: { client: AppClient; parameters: Promise<AppParameters> } | undefined;

  /** Asked once of each client, unless that failed. */
  const parametersOf = (client: AppClient, signal: AbortSignal): Promise<AppParameters> => {
    if (known?.client !== client) {
      // The first caller may be stopped while others still wait.
      const asked = { client, parameters: client.parameters(new AbortController().signal) };
      known = asked;
      asked.parameters.catch(() => {
        if (known === asked) known = undefined;
      });
    }
    return untilAborted(known.parameters, signal);
  };

  /** The platform checks the inputs of every message, and uses the form's defaults for what is missing in them. */
  const inputsFor = async (question: AppQuestion, work: FileWork): Promise<Record<string, unknown>> => {
    const { conversationId, answers, keepInputs } = question;
    const { client, signal } = work;
    if (conversationId === undefined && !answers) return {};
    const { form } = await parametersOf(client, signal);
    if (conversationId === undefined) {
      const inputs = await toInputs(form, answers ?? {}, (file, accepted) =>
        toReference(file, accepted, work),
      );
      keepInputs(inputs);
      return inputs;
    }
    if (form.length === 0) return {};
    const inputs = question.inputs ?? (await inputsOnPlatform(client, conversationId, signal));
    if (!question.inputs) keepInputs(inputs);
    const missing = firstMissing(form, inputs);
    if (missing) throw formChanged(missing);
    return toSentInputs(inputs);
  };

  return {
    parameters: async (signal) => parametersOf(await apps.client(appId), signal),

    async *ask(question, signal) {
      const { query, conversationId } = question;
      const client = await apps.client(appId);
      const work = { client, files, signal, onUpload: (name: string) => question.onUploading(name) };
      try {
        const inputs = await inputsFor(question, work);
        const references: FileReference[] = [];
        for (const file of question.files) {
          const { files: rules } = await parametersOf(client, signal);
          references.push(await toReference(file, rules, work));
        }
        const isFlow = apps.find(appId)?.kind === 'chatflow';
        yield* client.chat(
          { query, conversationId, inputs, files: references, stream: streams(), isFlow },
          signal,
        );
      } catch (error) {
        // What the platform refused may be due to a form that was read long ago.
        if (error instanceof SwitchboardError && error.code === 'conversation-over') known = undefined;
        throw error;
      }
    },

    async *followRun(run, signal) {
      const client = await apps.client(appId);
      let isPaused = false;
      for await (const event of client.followRun(run.runId, signal, 'chat')) {
        if (event.type === 'paused') isPaused = true;
        if (event.type === 'resumed') isPaused = false;
        if (event.type === 'ended' && !isPaused) yield* keptAnswer(client, run, signal);
        yield event;
      }
    },

    async suggestedQuestions(messageId, signal) {
      const client = await apps.client(appId);
      const { suggestsAfterAnswer } = await parametersOf(client, signal);
      return suggestsAfterAnswer ? client.suggestedQuestions(messageId, signal) : [];
    },

    async rate(messageId, rating, signal) {
      await (await apps.client(appId)).rate(messageId, rating, undefined, signal);
    },

    messages: async (conversationId, before, signal) =>
      (await apps.client(appId)).messages(conversationId, before, signal),
  };
}

/** What was written while nobody listened is in the platform's own record alone; without that, what came counts. */
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

/** So many pages of conversations are looked through for one. */
const maxPages = 20;

/** Of a conversation that was begun elsewhere. Throws `conversation-over` when the platform does not list it. */
async function inputsOnPlatform(
  client: AppClient,
  conversationId: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  let after: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { conversations, hasMore } = await client.conversations(after, signal);
    const found = conversations.find(({ id }) => id === conversationId);
    if (found) return found.inputs;
    after = conversations.at(-1)?.id;
    if (!hasMore) throw new SwitchboardError('conversation-over', conversationGoneMessage());
  }
  // It may be further back; the platform will say what is missing.
  return {};
}
