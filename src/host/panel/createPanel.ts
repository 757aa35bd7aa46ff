import { messageOf } from '../../base/errors/errors.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { AppController } from '../../panel/apps/appController.ts';
import type { AppHost, PanelApps } from '../../panel/apps/appStart.ts';
import { KnowledgeController } from '../../panel/knowledgeController.ts';
import { createToldHost } from './toldHost.ts';
import { ToldController } from '../../panel/toldController.ts';
import { ContextController } from '../../panel/contextController.ts';
import { PanelController } from '../../panel/panelController.ts';
import { type LeftDrafts, offerLeftDrafts } from '../../panel/leftDrafts.ts';
import { ModeController } from '../../panel/modeController.ts';
import type { PanelNotices } from '../../panel/panelNotices.ts';
import { createChannel } from '../../shared/channel.ts';
import { toHostSchema, type ToHost, type ToPage } from '../../shared/protocol.ts';
import { attachmentHost } from './attachmentHost.ts';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { AttachmentList, type AttachmentStore } from '../../chat/attachments/attachmentList.ts';
import type { AttachmentTarget } from '../../chat/attachments/attachmentTarget.ts';
import type { ModelCatalog } from '../../chat/models/modelCatalog.ts';
import { AttachmentController } from '../../panel/attachmentController.ts';
import { viewId } from '../ids.ts';
import { createKnowledgeHost, type KnowledgeHostDependencies } from './knowledgeHost.ts';
import { PromptController } from '../../panel/promptController.ts';
import { createPromptHost } from './promptHost.ts';
import type { Tools } from '../window/createTools.ts';
import type { Storage } from '../window/openStorage.ts';
import { createPanelHost, type PanelHostDependencies } from './panelHost.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface PanelDependencies
  extends
    PanelHostDependencies,
    Pick<Storage, 'drafts' | 'keys'>,
    Pick<Tools, 'modes' | 'ruleFor' | 'urgent'> {
  notices: PanelNotices;
  apps: PanelApps;
  openSource: KnowledgeHostDependencies['openSource'];
  compareSource: KnowledgeHostDependencies['compareSource'];
  fillRunForm: AppHost['fillRunForm'];
  notifications: Notifications;
}

export interface PanelWebview {
  postMessage(message: unknown): Thenable<boolean>;
  onDidReceiveMessage(receive: (message: unknown) => void): Disposable;
}

export interface HostPanel extends Disposable {
  attach(webview: PanelWebview, opening: Promise<unknown>): Disposable;
  readonly controller: PanelController;
  readonly attachments: AttachmentController;
  readonly apps: AppController;
}

export function createPanel(deps: PanelDependencies): HostPanel {
  const { chat, models, memory, platforms, relays, tools, switches, log } = deps;
  const { catalog } = models;
  const disposables = new DisposableStore();
  const own = <T extends Disposable>(part: T): T => {
    disposables.add(part);
    return part;
  };
  const apps = own(new AppController(chat, deps.apps, createAppHost(deps)));
  const attached = (store: AttachmentStore) =>
    own(createAttachmentController({ ...deps, catalog, app: () => apps.target() }, store));
  const attachments = attached(memory);
  const knowledge = createKnowledgeController(deps);
  const modes = own(createModeController(deps));
  const told = own(new ToldController(chat, createToldHost(memory, deps.settings)));
  const panel = own(
    new PanelController({
      chat,
      catalog,
      attachments,
      // `MessageEdits` saves them.
      editedAttachments: attached({ attachments: undefined }),
      knowledge,
      apps,
      modes,
      told,
      host: createPanelHost(deps),
      notices: deps.notices,
      prompts: new PromptController(deps.modes, catalog, createPromptHost(tools, switches, chat)),
      context: own(new ContextController(chat, catalog)),
    }),
  );
  const left: LeftDrafts = {
    left: async () => (await deps.drafts()).left(memory.unsent),
    take: async (id) => (await deps.drafts()).take(id),
  };
  offerLeftDrafts(left, deps.notices, (text, sources) => panel.addUnsent(text, sources)).catch(
    (error: unknown) => log.warn(`Unsent messages of other windows: ${messageOf(error)}`),
  );
  own(relays.onDidChange(() => panel.connectionChanged()));
  own(switches.onDidChange(() => panel.toolsChanged()));
  own(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('mcp')) panel.toolsChanged();
    }),
  );
  own(
    platforms.onDidChange(() => {
      knowledge.show();
      panel.toolsChanged();
    }),
  );
  return {
    attach(webview, opening) {
      const page = new DisposableStore();
      let isShown = true;
      page.add({ dispose: () => void (isShown = false) });
      const channel = createChannel<ToHost, ToPage>(
        toHostSchema,
        (message) =>
          deps.urgent.afterwards(() => {
            if (isShown) void webview.postMessage(message);
          }),
        (receive) => page.add(webview.onDidReceiveMessage(receive)),
        (reason) => log.warn(`The panel sent something that is not understood: ${reason}`),
      );
      page.add(panel.attach(channel, opening));
      return page;
    },
    controller: panel,
    attachments,
    apps,
    dispose: () => disposables.dispose(),
  };
}

function createAppHost({ notifications, tools, fillRunForm }: PanelDependencies): AppHost {
  return {
    async chooseFiles(isMany) {
      const { chooseLocalFiles } = await import('../apps/chooseLocalFiles.ts');
      return (await chooseLocalFiles(notifications, (await tools()).dependencies, isMany)) ?? [];
    },
    async readEditor(isFile) {
      const { readEditor } = await import('../apps/run/editorInput.ts');
      return readEditor(notifications, (await tools()).dependencies, isFile);
    },
    showError: (error) => void notifications.error(messageOf(error)),
    async confirmAnnotation(...asked) {
      const { confirmAnnotation } = await import('../apps/tree/conversationActions.ts');
      return confirmAnnotation(...asked);
    },
    fillRunForm,
  };
}

/** Restores the attachments that the last window had in the store. */
function createAttachmentController(
  {
    catalog,
    app,
    ...deps
  }: PanelDependencies & {
    catalog: ModelCatalog;
    app(): AttachmentTarget | undefined;
  },
  store: AttachmentStore,
): AttachmentController {
  const { tools, chat } = deps;
  const work = lazy(async () => {
    const [{ createAttachmentWork }, loaded] = await Promise.all([import('./attachmentWork.ts'), tools()]);
    return createAttachmentWork(loaded, list, attachPage);
  });
  const attachPage = async (address?: string) =>
    (await import('./attachPage.ts')).attachPage(deps, list, address);
  const list = new AttachmentList(async () => (await work()).reader, store, randomUUID);
  void list.restore();
  return new AttachmentController({
    list,
    mentions: async () => (await work()).mentions,
    attachPage,
    host: {
      ...attachmentHost,
      async chooseFiles() {
        const chosen = await attachmentHost.chooseFiles();
        // The editor's own dialog leaves the focus in the text editors.
        await vscode.commands.executeCommand(`${viewId}.focus`);
        return chosen;
      },
    },
    model() {
      const id = chat.shown.choices.model;
      return id === undefined ? undefined : (app() ?? catalog.find(id) ?? { name: id });
    },
  });
}

function createKnowledgeController({
  chat,
  memory,
  platforms,
  platform,
  openSource,
  compareSource,
  tools,
  log,
  notifications,
}: PanelDependencies): KnowledgeController {
  return new KnowledgeController(
    chat,
    createKnowledgeHost({
      isConnected: () => platforms.current !== undefined,
      knowledge: async () => (await platform.get())?.knowledge,
      recent: () => (platforms.current ? memory.recentBases(platforms.current.origin) : []),
      used: (id) => {
        if (platforms.current) memory.useBase(platforms.current.origin, id);
      },
      openSource,
      compareSource,
      tools,
      log,
      notifications,
    }),
  );
}

function createModeController({
  chat,
  models,
  modes,
  ruleFor,
  settings,
  switches,
}: PanelDependencies): ModeController {
  return new ModeController(chat, modes, models.catalog, {
    actingTools: () => switches.acting(),
    ruleFor,
    onDidChange: (listener) => {
      const parts = new DisposableStore();
      parts.add(switches.onDidChange(listener));
      parts.add(
        settings.onDidChange((name) => {
          if (name('chat.mode') || name('tools.approval')) listener();
        }),
      );
      return parts;
    },
  });
}
