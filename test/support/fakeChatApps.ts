import { Emitter } from '../../src/base/emitter.ts';
import type { SwitchboardError } from '../../src/base/errors.ts';
import type { FormField } from '../../src/apps/app.ts';
import type { LocalChoice } from '../../src/apps/fileChoice.ts';
import type { FormAnswers } from '../../src/apps/appForm.ts';
import { readParameters } from '../../src/apps/client/readParameters.ts';
import type {
  AppQuestion,
  AppTurnEvent,
  ChatApp,
  ChatAppEntry,
  ChatApps,
  KeptMessage,
} from '../../src/chat/apps/chatApp.ts';
import type { ChatController } from '../../src/chat/chatController.ts';
import { ChatAppDesk } from '../../src/panel/chatAppDesk.ts';

/** What an app says in a turn, without what every turn has: the beginning and the end. */
export type Script = readonly (
  | string
  | SwitchboardError
  | ((id: string) => AppTurnEvent)
  /** Until it is stopped. */
  | { wait: true }
)[];

export interface FakeApp extends ChatApp {
  asked: AppQuestion[];
  rated: { messageId: string; rating: string | undefined }[];
  scripts: Script[];
  form: FormField[];
  kept: KeptMessage[];
  questions: string[];
  /** What every call but `ask` fails with. */
  failure: Error | undefined;
}

export interface FakeApps extends ChatApps {
  all: ChatAppEntry[];
  app: FakeApp;
  chats: Map<string, string>;
  remembered: FormAnswers[];
  change(all: ChatAppEntry[]): void;
}

export const guide: ChatAppEntry = {
  id: 'guide',
  name: 'Guide',
  kind: 'chatflow',
  address: 'https://platform.example',
};

/** Apps that all are one app, which says what it is told to. */
export function fakeChatApps(...scripts: Script[]): FakeApps {
  const changes = new Emitter<void>();
  const app = fakeApp(scripts);
  const chats = new Map<string, string>();
  const apps: FakeApps = {
    all: [guide],
    app,
    chats,
    onDidChange: changes.event,
    open: async () => app,
    chatOf: (_appId, conversationId) => chats.get(conversationId),
    remembered: [],
    lastAnswers: () => ({}),
    rememberAnswers: async (_appId, answers) => void apps.remembered.push(answers),
    setChatOf: (_appId, conversationId, chatId) => void chats.set(conversationId, chatId),
    change(all) {
      apps.all = all;
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
  const app: FakeApp = {
    ...{ asked: [], rated: [], scripts, form: [], kept: [], questions: [] },
    failure: undefined,
    async parameters() {
      fail();
      return {
        ...readParameters({
          opening_statement: 'Welcome **aboard**.',
          suggested_questions: ['When is high water?'],
          file_upload: { enabled: true, allowed_file_types: ['document', 'image'] },
        }),
        form: app.form,
      };
    },
    async *ask(question, signal) {
      app.asked.push(question);
      turns++;
      const id = question.newId();
      yield { type: 'answerStarted', id, model: question.model };
      yield { type: 'platformNamed', id, conversationId: 'c1', messageId: `m${turns}` };
      let end: Extract<AppTurnEvent, { type: 'turnEnded' }>['end'] = { reason: 'answered' };
      for (const step of app.scripts.shift() ?? []) {
        if (typeof step === 'object' && 'wait' in step) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          end = { reason: 'stopped' };
        } else if (typeof step === 'string') yield { type: 'textAdded', id, text: step };
        else if (typeof step === 'function') yield step(id);
        else end = { reason: 'failed', failure: { code: step.code, message: step.message } };
      }
      yield { type: 'answerEnded', id, end };
      yield { type: 'turnEnded', end };
    },
    async suggestions() {
      fail();
      return app.questions;
    },
    async rate(messageId, rating) {
      fail();
      app.rated.push({ messageId, rating });
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

/** A desk over a host that chooses what it is told to. */
export function appDesk(chat: ChatController, apps: ChatApps = { ...fakeChatApps(), all: [] }) {
  const host = {
    files: [] as LocalChoice[],
    errors: [] as unknown[],
    chooseFiles: async () => host.files,
    showError: (error: unknown) => void host.errors.push(error),
  };
  return { desk: new ChatAppDesk(chat, apps, host), host };
}
