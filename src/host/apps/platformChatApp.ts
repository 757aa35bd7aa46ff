import { toInputs } from '../../apps/appForm.ts';
import { runAppTurn, toSegment } from '../../apps/appTurn.ts';
import type { AppQuestion, AppTurnEvent, ChatApp, KeptMessage } from '../../chat/apps/chatApp.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { LocalFiles } from '../../apps/fileReferences.ts';
import type { AppClient } from '../../apps/client/appClient.ts';
import type { AppEvent, AppMessage, AppParameters, FileReference } from '../../apps/app.ts';
import { toOutputFiles } from '../../apps/client/appFiles.ts';
import { formChanged } from '../../apps/client/appFailures.ts';
import { firstMissing, toSentInputs } from '../../apps/client/sentInputs.ts';
import { conversationGoneSentence } from '../../platform/platformSentences.ts';
import { type FileWork, toReference } from '../../apps/fileReferences.ts';
import type { AppService } from '../../apps/appService.ts';

export interface PlatformChatAppDependencies {
  appId: string;
  apps: Pick<AppService, 'find' | 'client'>;
  files(): Promise<LocalFiles>;
  /** Whether answers come as they are written. */
  streams(): boolean;
}

/** An app of the platform as conversations use it. */
export class PlatformChatApp implements ChatApp {
  private known: { client: AppClient; parameters: Promise<AppParameters> } | undefined;

  constructor(private readonly deps: PlatformChatAppDependencies) {}

  async parameters(signal: AbortSignal): Promise<AppParameters> {
    return this.parametersOf(await this.client(), signal);
  }

  async *ask(question: AppQuestion, signal: AbortSignal): AsyncGenerator<AppTurnEvent, void> {
    const { model, newId, now } = question;
    const context = { app: model, ask: (stop: AbortSignal) => this.send(question, stop), newId, now };
    for await (const event of runAppTurn(context, signal)) {
      switch (event.type) {
        case 'fileGiven': {
          const [file] = toOutputFiles([event.file]);
          if (file) yield { type: 'fileGiven', id: event.id, file };
          break;
        }
        case 'turnEnded':
          // What the platform refused may be due to a form that was read long ago.
          if (event.end.failure?.code === 'conversation-over') this.known = undefined;
          yield event;
          break;
        default:
          yield event;
      }
    }
  }

  async suggestions(messageId: string, signal: AbortSignal): Promise<string[]> {
    const client = await this.client();
    const { suggestsAfterAnswer } = await this.parametersOf(client, signal);
    return suggestsAfterAnswer ? client.suggestedQuestions(messageId, signal) : [];
  }

  async rate(...[messageId, rating, signal]: Parameters<ChatApp['rate']>): Promise<void> {
    await (await this.client()).rate(messageId, rating, undefined, signal);
  }

  async messages(
    ...[conversationId, before, signal]: Parameters<ChatApp['messages']>
  ): ReturnType<ChatApp['messages']> {
    const { messages, hasMore } = await (await this.client()).messages(conversationId, before, signal);
    return { messages: messages.map(toKept), hasMore };
  }

  private client(): Promise<AppClient> {
    return this.deps.apps.client(this.deps.appId);
  }

  /** Asked once of each client, unless that failed. */
  private parametersOf(client: AppClient, signal: AbortSignal): Promise<AppParameters> {
    if (this.known?.client === client) return untilAborted(this.known.parameters, signal);
    // The first caller may be stopped while others still wait.
    const known = { client, parameters: client.parameters(new AbortController().signal) };
    this.known = known;
    known.parameters.catch(() => {
      if (this.known === known) this.known = undefined;
    });
    return untilAborted(known.parameters, signal);
  }

  /** The platform checks the inputs of every message, and takes the form's defaults for what is missing in them. */
  private async inputsFor(question: AppQuestion, work: FileWork): Promise<Record<string, unknown>> {
    const { conversationId, answers, inputs: known, keepInputs } = question;
    const { client, signal } = work;
    if (conversationId === undefined) {
      if (!answers) return {};
      const { form } = await this.parametersOf(client, signal);
      const inputs = await toInputs(form, answers, (file, accepted) => toReference(file, accepted, work));
      keepInputs(inputs);
      return inputs;
    }
    const { form } = await this.parametersOf(client, signal);
    if (form.length === 0) return {};
    const inputs = known ?? (await inputsOnPlatform(client, conversationId, signal));
    if (!known) keepInputs(inputs);
    const missing = firstMissing(form, inputs);
    if (missing) throw formChanged(missing);
    return toSentInputs(inputs);
  }

  /** Uploads what goes along, then asks. */
  private async *send(question: AppQuestion, signal: AbortSignal): AsyncGenerator<AppEvent, void> {
    const { query, conversationId, files, onUploading } = question;
    const client = await this.client();
    const work = { client, files: () => this.deps.files(), signal, onUpload: onUploading };
    const inputs = await this.inputsFor(question, work);
    const references: FileReference[] = [];
    for (const file of files) {
      const { files: rules } = await this.parametersOf(client, signal);
      references.push(await toReference(file, rules, work));
    }
    const stream = this.deps.streams();
    const isFlow = this.deps.apps.find(this.deps.appId)?.kind === 'chatflow';
    yield* client.chat(
      { query, inputs, stream, files: references, isFlow, ...(conversationId && { conversationId }) },
      signal,
    );
  }
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
    if (!hasMore) {
      throw new SwitchboardError('conversation-over', conversationGoneSentence());
    }
  }
  // It may be further back; the platform will say what is missing.
  return {};
}

function toKept(message: AppMessage): KeptMessage {
  const { id, query, answer, reasoning, rating, sources, thoughts, attached, files, error } = message;
  return {
    ...{ id, query, answer, reasoning },
    ...(rating && { rating }),
    segments: sources.map(toSegment),
    calls: thoughts.flatMap(({ tool, toolLabel, toolInput = '', observation = '' }) =>
      tool ? [{ name: toolLabel ?? tool, arguments: toolInput, observation }] : [],
    ),
    attached: attached.map(({ name, size }) => ({
      name,
      ...(size !== undefined && { bytes: size }),
    })),
    files: toOutputFiles(files),
    ...(error && { error }),
  };
}
