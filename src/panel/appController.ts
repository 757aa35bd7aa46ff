import * as l10n from '@vscode/l10n';
import type { AppLook, InputPlace } from '../apps/app.ts';
import type { FilledForm } from '../apps/appForm.ts';
import { hasConversations, kindLabel } from '../apps/appKinds.ts';
import { appIdOf, appModelId } from '../apps/appModelId.ts';
import type { AppRecord } from '../apps/appRegistry.ts';
import type { AppService } from '../apps/appService.ts';
import type { LocalChoice } from '../apps/fileChoice.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Event } from '../base/emitter.ts';
import type { AttachmentTarget } from '../chat/attachments/attachmentTarget.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { AppCommand, AppView, ShownLook } from '../shared/apps.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { ModelOption } from '../shared/transcript.ts';
import type { AppStart } from './appStart.ts';

/**
 * What came of a form that a run waits for. `submitted`: the run goes on. `settled`: it does not wait for a form any more.
 * `refused`: the form cannot be submitted any more, which was said.
 */
export type FormOutcome = 'submitted' | 'settled' | 'refused';

/** What the panel's half of apps needs of the editor. */
export interface AppHost {
  /** Lets the user pick files; those that may be sent, none if some may not, which is said then. */
  chooseFiles(isMany: boolean): Promise<LocalChoice[]>;
  showError(error: unknown): void;
  /** Has the user fill in the form that a run waits for. Undefined when dismissed. */
  fillRunForm(app: AppRecord, runId: string): Promise<FormOutcome | undefined>;
}

/** The user's apps, as the panel shows them. */
export type PanelApps = Pick<
  AppService,
  'apps' | 'onDidChange' | 'find' | 'open' | 'lastAnswers' | 'rememberAnswers' | 'readPicture'
>;

/** How the conversation with an app begins, once that is known. */
interface Beginning {
  appId: string;
  conversation: Conversation;
  loading: Promise<AppStart>;
  start?: AppStart;
}

/** The panel's half of apps: which there are, how a conversation with one begins, and what is thought of answers. */
export class AppController implements Disposable {
  private readonly disposables = new DisposableStore();
  private post: PostToPage = () => {};
  private beginning: Beginning | undefined;
  /** The page has something of an app. */
  private isShown = false;

  /** After every change of the list of apps. */
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

  /** Who hears of changes from now on. */
  listen(post: PostToPage): void {
    this.post = post;
  }

  /** The apps as the model picker lists them. */
  options(): ModelOption[] {
    return this.apps.apps.filter(hasConversations).map(({ id, name, kind, look }) => ({
      ...{ id: appModelId(id), name, app: kindLabel(kind) },
      ...(look && { look: toShownLook(look) }),
    }));
  }

  /** The app that the next message goes to. */
  get chosen(): AppRecord | undefined {
    const app = this.apps.find(appIdOf(this.chat.model ?? '') ?? '');
    return app && hasConversations(app) ? app : undefined;
  }

  /** What an app's answers are headed with; undefined for a model. */
  nameOf(modelId: string): string | undefined {
    const id = appIdOf(modelId);
    if (id === undefined) return undefined;
    return this.apps.find(id)?.name ?? l10n.t('An app that was removed');
  }

  /** The app that an entry is about: the one that answered before it, or the chosen one. */
  appOf({ all }: Conversation, id: string | undefined): AppRecord | undefined {
    const index = all.findIndex((item) => item.id === id);
    const answer = all.slice(0, index + 1).findLast((item) => item.type === 'answer');
    return this.apps.find(appIdOf(answer?.model ?? '') ?? '') ?? this.chosen;
  }

  /** Who gets what is attached, where that is an app. */
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
      isStarted: this.isStarted(chosen),
    };
  }

  /** Also when another model is chosen, another chat is opened, or its conversation begins. */
  show(): void {
    const wasShown = this.isShown;
    const app = this.view();
    if (app || wasShown) this.post({ type: 'appChanged', ...(app && { app }) });
  }

  onMessage(command: AppCommand): void {
    const { chat, host, chosen } = this;
    switch (command.type) {
      case 'rateAnswer':
        return void chat.rateAnswer(command.id, command.rating).catch((error) => host.showError(error));
      case 'loadAppPicture':
        return void this.loadPicture(command.file).catch((error) => host.showError(error));
      case 'provideInput':
        return void this.provideInput(command.id).catch((error) => host.showError(error));
      case 'stopWaiting':
        return chat.stopWaiting(command.id);
      case 'sendSuggestion':
        return void this.sendSuggestion(command.text).catch((error) => host.showError(error));
      case 'reloadApp':
        this.forgetFailure();
        return this.show();
      default:
        if (chosen) this.begin(chosen).start?.onMessage(command);
    }
  }

  /** What is filled in, if it is to be sent; undefined while something in it is wrong, which is said then. */
  async prepare(): Promise<{ inputs?: FilledForm } | undefined> {
    const { chosen } = this;
    if (!chosen || this.isStarted(chosen)) return {};
    this.forgetFailure();
    return (await this.begin(chosen).loading).prepare();
  }

  dispose(): void {
    this.disposables.dispose();
  }

  /** It waits where another window answers. */
  private async sendSuggestion(text: string): Promise<void> {
    const ready = await this.prepare();
    if (ready && this.chat.submit(text, [], ready.inputs) === undefined) this.chat.enqueue({ text });
  }

  /** The page asks for what it was shown, and never for a path. */
  private async loadPicture(file: string): Promise<void> {
    const app = this.apps.apps.find(({ look }) => look?.picture?.file === file);
    const bytes = app && (await this.apps.readPicture(app));
    if (!bytes) return;
    this.post({
      type: 'pictureLoaded',
      picture: { id: file, base64: Buffer.from(bytes).toString('base64') },
    });
  }

  /** The user may have gone to another conversation while the form was filled in. */
  private async provideInput(answerId: string): Promise<void> {
    const { chat, apps, host } = this;
    const { conversation } = chat;
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
    await chat.followRun(conversation.id, answerId);
    // What is still waited for cannot be given here.
    if (outcome === 'refused' && answer.app?.awaits?.place === 'here') waitFor('platform');
  }

  private isStarted({ id }: AppRecord): boolean {
    return this.chat.conversation.withApp(id) !== undefined;
  }

  /** What could not be said may be said now; what is filled in stays. */
  private forgetFailure(): void {
    if (this.beginning?.start?.hasFailed) this.beginning = undefined;
  }

  /** What is filled in belongs to one app and one conversation. */
  private begin({ id }: AppRecord): Beginning {
    const { conversation } = this.chat;
    const known = this.beginning;
    if (known?.appId === id && known.conversation === conversation) return known;
    const beginning: Beginning = { appId: id, conversation, loading: this.load(id) };
    this.beginning = beginning;
    void beginning.loading.then((start) => {
      beginning.start = start;
      const changed = () => this.beginning === beginning && this.show();
      start.onDidChange(changed);
      changed();
    });
    return beginning;
  }

  private async load(appId: string): Promise<AppStart> {
    const { AppStart } = await import('./appStart.ts');
    return AppStart.load(appId, this.apps, this.host);
  }
}

function toShownLook({ icon, iconBackground, picture }: AppLook): ShownLook {
  return {
    ...(icon !== undefined && { icon }),
    ...(iconBackground !== undefined && { iconBackground }),
    ...(picture && { picture: picture.file }),
  };
}
