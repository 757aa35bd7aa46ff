import * as l10n from '@vscode/l10n';
import type { AppLook, InputPlace } from '../../apps/app.ts';
import type { FilledForm } from '../../apps/appForm.ts';
import { hasConversations, kindLabel } from '../../apps/appKinds.ts';
import { appIdOf, appModelId } from '../../apps/appModelId.ts';
import type { AppRecord } from '../../apps/appRegistry.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { AttachmentTarget } from '../../chat/attachments/attachmentTarget.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { Conversation } from '../../chat/conversation/conversation.ts';
import type { AppCommand, AppView, FillCommand, ShownLook } from '../../shared/apps.ts';
import type { PostToPage } from '../../shared/protocol.ts';
import type { ModelOption } from '../../shared/transcript.ts';
import type { AppHost, AppStart, PanelApps, Prefill } from './appStart.ts';
import type { AskedForms, FilledQuestion, FormQuestion } from './askedForms.ts';
import type { CommandHandlers } from '../commandHandlers.ts';

interface Beginning {
  appId: string;
  conversation: Conversation;
  loading: Promise<AppStart>;
  start?: AppStart;
  /** The conversation's inputs when editing them began; editing ends once it has others. */
  edited?: { inputs: AppInputs | undefined };
}

type AppInputs = Readonly<Record<string, unknown>>;

export class AppController implements Disposable {
  private readonly disposables = new DisposableStore();
  private post: PostToPage = () => {};
  private beginning: Beginning | undefined;
  private forms: AskedForms | undefined;
  private isShown = false;

  readonly onDidChangeApps: Event<void>;

  constructor(
    private readonly chat: ChatController,
    private readonly apps: PanelApps,
    private readonly host: AppHost,
  ) {
    this.onDidChangeApps = apps.onDidChange;
    this.disposables.add(
      apps.onDidChange(() => {
        this.forgetFailure();
        this.show();
      }),
    );
  }

  listen(post: PostToPage): void {
    this.post = post;
  }

  options(): ModelOption[] {
    return this.apps.listed.filter(hasConversations).map(({ id, name, kind, look }) => ({
      ...{ id: appModelId(id), name, app: kindLabel(kind) },
      ...(look && { look: toShownLook(look) }),
    }));
  }

  get chosen(): AppRecord | undefined {
    const app = this.apps.find(appIdOf(this.chat.shown.choices.model ?? '') ?? '');
    return app && hasConversations(app) ? app : undefined;
  }

  nameOf(modelId: string): string | undefined {
    const id = appIdOf(modelId);
    if (id === undefined) return undefined;
    return this.apps.find(id)?.name ?? l10n.t('An app that was removed');
  }

  /** The app that answered last before an entry, else the chosen one. */
  appOf({ all }: Conversation, id: string | undefined): AppRecord | undefined {
    const index = all.findIndex((item) => item.id === id);
    const answer = all.slice(0, index + 1).findLast((item) => item.type === 'answer');
    return this.apps.find(appIdOf(answer?.model ?? '') ?? '') ?? this.chosen;
  }

  target(): AttachmentTarget | undefined {
    const { chosen } = this;
    if (!chosen) return undefined;
    return {
      name: chosen.name,
      vision: true,
      checkFiles: (files) => this.begin(chosen).start?.checkFiles(files),
    };
  }

  view(): AppView | undefined {
    const { chosen } = this;
    this.isShown = chosen !== undefined;
    if (!chosen) return undefined;
    const { id, name, baseUrl, look, description } = chosen;
    return {
      ...(look && { look: toShownLook(look) }),
      ...(description && { description }),
      ...{ id, name, address: baseUrl, state: 'loading', opening: '', suggestedQuestions: [], fields: [] },
      ...this.begin(chosen).start?.view(),
      ...this.inputsState(chosen),
    };
  }

  show(): void {
    const wasShown = this.isShown;
    const app = this.view();
    if (app || wasShown) this.post({ type: 'appChanged', ...(app && { app }) });
  }

  readonly commands: CommandHandlers<AppCommand> = {
    rateAnswer: ({ id, rating }) => this.telling(this.chat.rateAnswer(id, rating)),
    saveAnnotation: ({ id }) =>
      this.telling(this.chat.saveAnnotation(id, (...asked) => this.host.confirmAnnotation(...asked))),
    loadAppPicture: ({ file }) => this.telling(this.loadPicture(file)),
    provideInput: ({ id }) => this.telling(this.provideInput(id)),
    stopWaiting: ({ id }) => this.chat.shown.stopWaiting(id),
    sendSuggestion: ({ text }) => this.telling(this.sendSuggestion(text)),
    editInputs: () => this.editInputs(),
    cancelInputs: () => {
      this.beginning = undefined;
      this.show();
    },
    reloadApp: () => {
      this.forgetFailure();
      this.show();
    },
    fillField: (command) => (command.form === undefined ? this.fillIn(command) : this.forms?.fillIn(command)),
    answerForm: (command) => this.forms?.answer(command),
  };

  /** Undefined when cancelled. The panel must be shown. */
  async ask(question: FormQuestion): Promise<FilledQuestion | undefined> {
    const { AskedForms } = await import('./askedForms.ts');
    this.forms ??= new AskedForms(this.host, (message) => this.post(message));
    return this.forms.ask(question);
  }

  /** For a page that is new. */
  showForm(): void {
    this.forms?.show();
  }

  private async fillIn(command: FillCommand): Promise<void> {
    if (!this.chosen) return;
    const beginning = this.begin(this.chosen);
    const wasLoading = !beginning.start;
    await (beginning.start ?? (await beginning.loading)).fillIn(command);
    // The page drew the form without what the user typed while it was loading.
    if (wasLoading && this.beginning === beginning) this.show();
  }

  private async telling(action: Promise<void>): Promise<void> {
    await action.catch((error: unknown) => this.host.showError(error));
  }

  async prepare(): Promise<{ inputs?: FilledForm } | undefined> {
    const { chosen } = this;
    if (!chosen || (this.isStarted(chosen) && !this.isEditing(chosen))) return {};
    this.forgetFailure();
    return (await this.begin(chosen).loading).prepare();
  }

  editInputs(): void {
    const { chosen } = this;
    if (!chosen) return;
    const { conversation } = this.chat.shown;
    const isStarted = this.isStarted(chosen);
    const inputs = conversation.inputsFor(chosen.id);
    const filledIn = this.begin(chosen).start?.filledIn ?? {};
    this.beginning = undefined;
    const beginning = this.begin(
      chosen,
      isStarted ? { inputs: inputs ?? {}, chosen: filledIn } : { answers: filledIn },
    );
    if (isStarted) beginning.edited = { inputs };
    this.show();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** Queues the suggestion while another window answers. */
  private async sendSuggestion(text: string): Promise<void> {
    const ready = await this.prepare();
    if (ready && this.chat.shown.submit(text, ready) === undefined) this.chat.shown.queue.add({ text });
  }

  /** Serves only pictures of listed apps, never a path. */
  private async loadPicture(file: string): Promise<void> {
    const app = this.apps.apps.find(({ look }) => look?.picture?.file === file);
    const bytes = app && (await this.apps.readPicture(app));
    if (!bytes) return;
    this.post({
      type: 'pictureLoaded',
      picture: { id: file, base64: Buffer.from(bytes).toString('base64') },
    });
  }

  /** The user may open another conversation while the form is filled in. */
  private async provideInput(answerId: string): Promise<void> {
    const { chat, apps, host } = this;
    const { conversation } = chat.shown;
    const answer = conversation.answerOf(answerId);
    const awaited = answer?.app?.awaits;
    const app = apps.find(appIdOf(answer?.model ?? '') ?? '');
    if (!awaited || !app) return;
    const { runId, titles, place } = awaited;
    const waitFor = (next: InputPlace) =>
      chat.record(conversation.id, {
        ...{ type: 'inputAwaited', id: answerId, runId, titles: [...titles] },
        place: next,
      });
    const outcome = place === 'here' ? await host.fillRunForm(app, runId) : 'settled';
    if (!outcome) return;
    if (outcome === 'submitted') waitFor('submitted');
    await chat.find(conversation.id)?.followRun(answerId);
    // A form refused here must be filled in on the platform.
    if (outcome === 'refused' && answer.app?.awaits?.place === 'here') waitFor('platform');
  }

  private isStarted({ id }: AppRecord): boolean {
    return this.chat.shown.conversation.withApp(id) !== undefined;
  }

  private inputsState(app: AppRecord): Pick<AppView, 'isStarted' | 'editsInputs' | 'canEditInputs'> {
    if (this.isEditing(app)) return { isStarted: false, editsInputs: true };
    const isStarted = this.isStarted(app);
    return { isStarted, ...(isStarted && this.begin(app).start?.hasForm && { canEditInputs: true }) };
  }

  private isEditing({ id }: AppRecord): boolean {
    const { conversation } = this.chat.shown;
    const { beginning } = this;
    return (
      beginning?.edited !== undefined &&
      beginning.appId === id &&
      beginning.conversation === conversation &&
      conversation.inputsFor(id) === beginning.edited.inputs
    );
  }

  private forgetFailure(): void {
    if (this.beginning?.start?.hasFailed) this.beginning = undefined;
  }

  /** Filled-in values belong to one app and one conversation. */
  private begin({ id }: AppRecord, prefill?: Prefill): Beginning {
    const { conversation } = this.chat.shown;
    const known = this.beginning;
    if (known?.appId === id && known.conversation === conversation) return known;
    const beginning: Beginning = { appId: id, conversation, loading: this.load(id, prefill) };
    this.beginning = beginning;
    void beginning.loading.then((start) => {
      beginning.start = start;
      const changed = () => this.beginning === beginning && this.show();
      start.onDidChange(changed);
      changed();
    });
    return beginning;
  }

  private async load(appId: string, prefill: Prefill | undefined): Promise<AppStart> {
    const { AppStart } = await import('./appStart.ts');
    return AppStart.load(appId, this.apps, this.host, prefill);
  }
}

function toShownLook({ icon, iconBackground, picture }: AppLook): ShownLook {
  return {
    ...(icon !== undefined && { icon }),
    ...(iconBackground !== undefined && { iconBackground }),
    ...(picture && { picture: picture.file }),
  };
}
