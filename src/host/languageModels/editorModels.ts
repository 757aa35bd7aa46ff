import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasConversations } from '../../apps/appKinds.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import type { AppService } from '../../apps/appService.ts';
import { causeText, isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import { readCall } from '../../chat/calls/readCall.ts';
import { estimateTokens, sizeOfMessage } from '../../chat/context/tokenEstimate.ts';
import { AppTalks } from '../../chat/editorRequests/appTalks.ts';
import {
  toRelayMessages,
  errorKind,
  type EditorMessage,
  type EditorPart,
} from '../../chat/editorRequests/editorMessages.ts';
import { describeChatApp, describeModel } from '../../chat/editorRequests/describeModel.ts';
import { RecentCalls } from '../../chat/editorRequests/recentCalls.ts';
import type { ModelCatalog } from '../../chat/models/modelCatalog.ts';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import type { RelayConnections } from '../../connections/relayConnections.ts';
import { placeOf } from '../../relay/relayModelId.ts';
import {
  isForChat,
  type Message,
  type ModelRequest,
  type Picture,
  type SignedReasoning,
  type ToolCall,
} from '../../relay/messages.ts';
import { toAbortSignal } from '../ui/cancellation.ts';
import { commandId } from '../ids.ts';

export interface EditorModelsDependencies {
  relays: RelayConnections;
  models: Pick<RelayModels, 'catalog' | 'windows' | 'ask'>;
  apps: AppService;
  log: Log;
}

type Progress = vscode.Progress<vscode.LanguageModelResponsePart>;
type Options = vscode.ProvideLanguageModelChatResponseOptions;

export class EditorModels {
  private readonly recentCalls = new RecentCalls();
  private readonly talks = new AppTalks();

  constructor(private readonly deps: EditorModelsDependencies) {}

  async list(isSilent: boolean): Promise<vscode.LanguageModelChatInformation[]> {
    const { relays, apps } = this.deps;
    const { catalog, windows } = this.deps.models;
    await Promise.all([relays.ready, apps.ready]);
    if (relays.all.length === 0 && !isSilent) await vscode.commands.executeCommand(commandId('connectRelay'));
    const chatApps = await this.chatApps();
    if (relays.all.length === 0) return chatApps;
    await catalog.ensure();
    if (catalog.state.error && !isSilent) await catalog.load();
    const { error, models, state } = catalog.state;
    // Models of other relays are listed.
    if (error && state === 'failed' && !isSilent) throw toEditorError(error);
    return [
      ...models.filter(isForChat).map((model) => {
        const { id: family, access } = placeOf(relays, model.id);
        const window = windows.get(model.id) ?? model.contextWindow;
        return describeModel(model, window, { family, relay: access?.name ?? '' });
      }),
      ...chatApps,
    ];
  }

  private async chatApps(): Promise<vscode.LanguageModelChatInformation[]> {
    const { apps } = this.deps;
    return (await apps.keyed(apps.listed.filter(hasConversations))).map(describeChatApp);
  }

  /** Returns normally when cancelled, as the caller's loop ends with it. */
  async answer(
    { id: model }: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: Options,
    progress: Progress,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const signal = toAbortSignal(token);
    try {
      const sent = toRelayMessages(messages.map(readMessage), model, this.recentCalls.recallFor(model));
      const appId = appIdOf(model);
      if (appId !== undefined) await this.answerByApp(appId, sent, progress, signal);
      else await this.answerByModel({ model, messages: sent, ...toRequest(options) }, progress, signal);
    } catch (thrown) {
      if (signal.aborted || isCancelled(thrown)) return;
      const error = toSwitchboardError(thrown);
      this.deps.log.info(`${model}, asked by the editor: ${error.code}`);
      throw toEditorError(error);
    }
  }

  countTokens(text: string | vscode.LanguageModelChatRequestMessage): number {
    if (typeof text === 'string') return estimateTokens(text);
    return toRelayMessages([readMessage(text)], '', () => ({})).reduce(
      (sum, message) => sum + sizeOfMessage(message),
      0,
    );
  }

  private async answerByModel(request: ModelRequest, progress: Progress, signal: AbortSignal): Promise<void> {
    const { catalog, ask } = this.deps.models;
    const { model } = request;
    refuseUnsupported(request, catalog);
    let reasoning = '';
    let signedReasoning: readonly SignedReasoning[] = [];
    let calls: readonly ToolCall[] = [];
    await ask(request, signal, async (event) => {
      switch (event.type) {
        case 'textAdded':
          progress.report(new vscode.LanguageModelTextPart(event.text));
          break;
        case 'pictureAdded':
          progress.report(vscode.LanguageModelDataPart.image(event.picture.bytes, event.picture.type));
          break;
        case 'reasoningAdded':
          reasoning += event.text;
          break;
        case 'reasoningSigned':
          signedReasoning = event.blocks;
          break;
        case 'toolCallsCompleted':
          ({ calls } = event);
          break;
        case 'modelFinished': {
          const read = await this.reportCalls(calls, event.reason === 'length', progress);
          this.recentCalls.remember(model, read, { reasoning, signedReasoning });
          break;
        }
        case 'adapted':
        case 'pictureOmitted':
        case 'parameterRefused':
        case 'requestSent':
        case 'budgetAsked':
        case 'retryScheduled':
      }
    });
  }

  /** Reports complete calls only: callers may not check for missing arguments. */
  private async reportCalls(
    calls: readonly ToolCall[],
    isCut: boolean,
    progress: Progress,
  ): Promise<ToolCall[]> {
    const read = await Promise.all(calls.map((call) => readCall(call, isCut, () => call.id)));
    if (read.some(({ problem }) => problem !== undefined)) {
      throw new SwitchboardError(
        isCut ? 'truncated' : 'request',
        l10n.t("The model called a tool with arguments that can't be read."),
      );
    }
    for (const { callId, name, input } of read) {
      progress.report(new vscode.LanguageModelToolCallPart(callId, name, input));
    }
    return read.map(({ callId, name, input, extra }) => ({
      id: callId,
      name,
      arguments: JSON.stringify(input),
      ...(extra && { extra }),
    }));
  }

  private async answerByApp(
    appId: string,
    messages: readonly Message[],
    progress: Progress,
    signal: AbortSignal,
  ): Promise<void> {
    if (messages.some((message) => message.role === 'user' && message.images)) {
      throw new SwitchboardError(
        'images',
        l10n.t('Apps accept only text here. Attach images in the Switchboard chat.'),
      );
    }
    const app = await this.deps.apps.open(appId);
    const { query, talk } = this.talks.question(appId, messages);
    let { conversationId, inputs } = talk ?? {};
    let text = '';
    const events = app.ask(
      {
        query,
        files: [],
        conversationId,
        inputs,
        answers: this.deps.apps.lastAnswers(appId),
        keepInputs: (kept) => (inputs = kept),
        onUploading: () => undefined,
      },
      signal,
    );
    for await (const event of events) {
      if (event.type === 'started') conversationId = event.conversationId ?? conversationId;
      if (event.type === 'paused') {
        throw new SwitchboardError(
          'request',
          l10n.t(
            '{0} is waiting for human input on the platform.',
            this.deps.apps.find(appId)?.name ?? appId,
          ),
        );
      }
      // Shown text can't be retracted here.
      if (event.type !== 'textAdded' && event.type !== 'textReplaced') continue;
      const piece = event.type === 'textReplaced' && text ? `\n\n${event.text}` : event.text;
      text += piece;
      progress.report(new vscode.LanguageModelTextPart(piece));
    }
    if (conversationId !== undefined) {
      this.talks.answered(appId, messages, text, { conversationId, ...(inputs && { inputs }) });
    }
  }
}

/** The editor sends images and tools even to models that declare no support. */
function refuseUnsupported({ model, messages, tools }: ModelRequest, catalog: ModelCatalog): void {
  const { name = model, vision, toolCalling } = catalog.find(model) ?? {};
  if (vision === false && messages.some((message) => message.role === 'user' && message.images)) {
    throw new SwitchboardError('images', l10n.t("{0} doesn't support images.", name));
  }
  if (toolCalling === false && tools) {
    throw new SwitchboardError('request', l10n.t("{0} doesn't support tools.", name));
  }
}

function toRequest({ tools = [], toolMode, modelOptions = {} }: Options) {
  const {
    temperature,
    max_tokens: snakeCase,
    maxTokens = snakeCase,
  } = modelOptions as Record<string, unknown>;
  return {
    stream: true,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: (inputSchema as Record<string, unknown> | undefined) ?? {
          type: 'object',
          properties: {},
        },
      })),
      toolChoice:
        toolMode === vscode.LanguageModelChatToolMode.Required ? ('required' as const) : ('auto' as const),
    }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && Number.isInteger(maxTokens) && maxTokens > 0 && { maxTokens }),
  };
}

function toEditorError(error: SwitchboardError): Error {
  const message = [error.message, causeText(error)].filter(Boolean).join(' ');
  const kind = errorKind(error.code);
  return kind === 'Other' ? new Error(message) : vscode.LanguageModelError[kind](message);
}

/** Converts an editor message. Other roles count as `system`; unknown parts are dropped. */
function readMessage({
  role,
  content,
}: Pick<vscode.LanguageModelChatRequestMessage, 'role' | 'content'>): EditorMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  const name = role === User ? 'user' : role === Assistant ? 'assistant' : 'system';
  return { role: name, parts: content.flatMap(readPart) };
}

function readPart(part: unknown): EditorPart[] {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    return [{ type: 'call', call: { id, name, arguments: JSON.stringify(input) } }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const text = part.content.map(textOf).join('');
    const images = part.content.flatMap((each) => pictureOf(each) ?? []);
    return [{ type: 'result', callId: part.callId, text, images }];
  }
  const image = pictureOf(part);
  if (image) return [{ type: 'image', image }];
  const text = textOf(part);
  return text ? [{ type: 'text', text }] : [];
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  if (part instanceof vscode.LanguageModelDataPart && /^text\/|[/+]json$/.test(part.mimeType)) {
    return Buffer.from(part.data).toString();
  }
  return '';
}

function pictureOf(part: unknown): Picture | undefined {
  if (!(part instanceof vscode.LanguageModelDataPart) || !part.mimeType.startsWith('image/'))
    return undefined;
  return { mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') };
}
