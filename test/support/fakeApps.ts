import type { AppEvent, AppMessage, FormField } from '../../src/apps/app.ts';
import type { FormAnswers } from '../../src/apps/appForm.ts';
import type { AppRecord } from '../../src/apps/appRegistry.ts';
import type { AppQuestion, ChatApp, ChatRun } from '../../src/apps/chatApp.ts';
import { readParameters } from '../../src/apps/client/readParameters.ts';
import type { LocalChoice } from '../../src/apps/fileChoice.ts';
import type { EditorInput } from '../../src/apps/run/choosePrefill.ts';
import { Emitter } from '../../src/base/emitter.ts';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import type { ConversationLinks } from '../../src/chat/chatDependencies.ts';
import type { ChatController } from '../../src/chat/chatController.ts';
import { AppController } from '../../src/panel/apps/appController.ts';
import type { FormOutcome, PanelApps } from '../../src/panel/apps/appStart.ts';

/** An app's turn without its beginning and end, which every turn has. */
export type Script = readonly (string | SwitchboardError | AppEvent | { wait: true })[];

export interface FakeApp extends ChatApp {
  asked: AppQuestion[];
  /** Waiting runs that were followed again. */
  followed: ChatRun[];
  rated: { messageId: string; rating: string | undefined }[];
  annotated: { question: string; answer: string }[];
  scripts: Script[];
  form: FormField[];
  opening: string;
  kept: AppMessage[];
  questions: string[];
  /** Error of every call but `ask`. */
  failure: Error | undefined;
}

export interface FakeApps extends PanelApps {
  apps: AppRecord[];
  app: FakeApp;
  chats: Map<string, string>;
  links: ConversationLinks;
  remembered: FormAnswers[];
  change(apps: AppRecord[]): void;
}

export const guide: AppRecord = {
  ...{ id: 'guide', name: 'Guide', kind: 'chatflow', description: '', addedAtMs: 0 },
  ...{ origin: 'https://platform.example', baseUrl: 'https://platform.example' },
};

export function fakeApps(...scripts: Script[]): FakeApps {
  const changes = new Emitter<void>();
  const app = fakeApp(scripts);
  const chats = new Map<string, string>();
  const apps: FakeApps = {
    apps: [guide],
    get listed() {
      return apps.apps;
    },
    app,
    chats,
    links: {
      get: (_appId, conversationId) => chats.get(conversationId),
      set: (_appId, conversationId, chatId) => void chats.set(conversationId, chatId),
    },
    onDidChange: changes.event,
    find: (appId) => apps.apps.find(({ id }) => id === appId),
    open: async () => app,
    remembered: [],
    lastAnswers: () => ({}),
    readPicture: async () => undefined,
    rememberAnswers: async (_appId, answers) => void apps.remembered.push(answers),
    change(all) {
      apps.apps = all;
      changes.fire();
    },
  };
  return apps;
}

function fakeApp(scripts: Script[]): FakeApp {
  const fail = () => {
    if (app.failure) throw app.failure;
  };
  let turns = 0;
  async function* play(signal: AbortSignal): AsyncGenerator<AppEvent> {
    for (const step of app.scripts.shift() ?? []) {
      if (typeof step === 'string') yield { type: 'textAdded', text: step };
      else if (step instanceof SwitchboardError) throw step;
      else if ('type' in step) yield step;
      else {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new SwitchboardError('cancelled', 'Stopped.');
      }
    }
    yield { type: 'ended', files: [] };
  }
  const app: FakeApp = {
    ...{ failure: undefined, opening: 'Welcome **aboard**.' },
    ...{ asked: [], followed: [], rated: [], annotated: [], scripts, form: [], kept: [], questions: [] },
    async parameters() {
      fail();
      return {
        ...readParameters({
          opening_statement: app.opening,
          suggested_questions: ['When is high water?'],
          annotation_reply: { enabled: true },
          file_upload: { enabled: true, allowed_file_types: ['document', 'image'] },
        }),
        form: app.form,
      };
    },
    async *ask(question, signal) {
      app.asked.push(question);
      turns++;
      yield { type: 'started', conversationId: 'c1', messageId: `m${turns}`, runId: `r${turns}` };
      yield* play(signal);
    },
    async *followRun(run, signal) {
      app.followed.push(run);
      yield* play(signal);
    },
    async suggestedQuestions() {
      fail();
      return app.questions;
    },
    async rate(messageId, rating) {
      fail();
      app.rated.push({ messageId, rating });
    },
    async annotate(question, answer) {
      fail();
      app.annotated.push({ question, answer });
    },
    async messages(_conversationId, before) {
      fail();
      const to = before === undefined ? app.kept.length : app.kept.findIndex(({ id }) => id === before);
      const from = Math.max(0, to - 20);
      return { messages: app.kept.slice(from, to), hasMore: from > 0 };
    },
  };
  return app;
}

export function appParts(chat: ChatController, apps: PanelApps = { ...fakeApps(), apps: [] }) {
  const host = {
    files: [] as LocalChoice[],
    errors: [] as unknown[],
    chooseFiles: async () => host.files,
    editorInput: undefined as EditorInput | undefined,
    readEditor: async () => host.editorInput,
    showError: (error: unknown) => void host.errors.push(error),
    annotations: [] as [name: string, isUsed: boolean][],
    confirmsAnnotation: true,
    async confirmAnnotation(...asked: [string, boolean]) {
      host.annotations.push(asked);
      return host.confirmsAnnotation;
    },
    formOutcome: undefined as FormOutcome | Error | undefined,
    async fillRunForm() {
      if (host.formOutcome instanceof Error) throw host.formOutcome;
      return host.formOutcome;
    },
  };
  return { controller: new AppController(chat, apps, host), host };
}
