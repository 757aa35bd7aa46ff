import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import type { UrgentWork } from '../base/urgentWork.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import type { ChatController } from '../chat/chatController.ts';
import { AppController, type AppHost, type PanelApps } from '../panel/appController.ts';
import type { ProjectModes } from '../chat/modes/projectModes.ts';
import type { Settings } from './settings.ts';
import { KnowledgeController } from '../panel/knowledgeController.ts';
import { createToldHost } from './toldHost.ts';
import { ToldController } from '../panel/toldController.ts';
import { ContextController } from '../panel/contextController.ts';
import type { FoundPlace } from '../panel/navigationController.ts';
import { PanelController } from '../panel/panelController.ts';
import { type LeftDrafts, offerLeftDrafts } from '../panel/leftDrafts.ts';
import { ModeController } from '../panel/modeController.ts';
import type { PanelNotices } from '../panel/panelNotices.ts';
import { createChannel } from '../shared/channel.ts';
import { toHostSchema, type ToHost, type ToPage } from '../shared/protocol.ts';
import { createAppHost } from './apps/appHost.ts';
import { createAttachmentController } from './attaching.ts';
import type { PlatformConnections } from '../connections/platformConnections.ts';
import type { WindowDrafts } from '../settings/windowDrafts.ts';
import type { ConnectedPlatform } from '../knowledge/connectedPlatform.ts';
import { createKnowledgeHost, type KnowledgeHostDependencies } from './knowledgeHost.ts';
import { PromptController } from '../panel/promptController.ts';
import { createPromptHost } from './promptHost.ts';
import { createPanelHost, type PanelHostDependencies } from './panelHost.ts';

export interface PanelDependencies extends PanelHostDependencies {
  chat: ChatController;
  notices: PanelNotices;
  apps: PanelApps;
  platforms: PlatformConnections;
  platform: ConnectedPlatform;
  modes: ProjectModes;
  settings: Settings;
  drafts(): Promise<WindowDrafts>;
  urgent: UrgentWork;
  openSource: KnowledgeHostDependencies['openSource'];
  fillRunForm: AppHost['fillRunForm'];
  log: Log;
}

/** What the panel needs of the page's webview. */
export interface PanelWebview {
  postMessage(message: unknown): Thenable<boolean>;
  onDidReceiveMessage(receive: (message: unknown) => void): Disposable;
}

/** The panel without its page. */
export interface HostPanel extends Disposable {
  /** Gives it a page; disposing what is returned takes it away. */
  attach(webview: PanelWebview, opening: Promise<unknown>): Disposable;
  focusMessageBox(): void;
  openModelPicker(): void;
  openModes(): void;
  /** Brings an item of the conversation that is shown into view, with a text that was found in it. */
  reveal(place: FoundPlace): void;
  /** Adds to what goes with the next message. */
  addAttachments(sources: readonly AttachmentSource[]): void;
  /** Sends a message with what it is about; false if it stays in the message box. */
  ask(text: string, sources: readonly AttachmentSource[]): Promise<boolean>;
}

/** The panel over the parts of this window. Loaded when the view is first opened. */
export function createPanel(deps: PanelDependencies): HostPanel {
  const { chat, models, memory, platforms, platform, relays, tools, openSource, switches, log } = deps;
  const { catalog } = models;
  const disposables = new DisposableStore();
  const own = <T extends Disposable>(part: T): T => {
    disposables.add(part);
    return part;
  };
  const apps = own(new AppController(chat, deps.apps, createAppHost(tools, deps.fillRunForm)));
  const attachments = own(
    createAttachmentController({ tools, memory, chat, catalog, app: () => apps.target() }),
  );
  const knowledge = new KnowledgeController(
    chat,
    createKnowledgeHost({
      isConnected: () => platforms.current !== undefined,
      knowledge: async () => (await platform.get())?.knowledge,
      recent: () => (platforms.current ? memory.recentBases(platforms.current.origin) : []),
      used: (id) => {
        if (platforms.current) memory.useBase(platforms.current.origin, id);
      },
      openSource,
      tools,
    }),
  );
  const modes = own(
    new ModeController(chat, deps.modes, catalog, (listener) =>
      deps.settings.onDidChange((name) => name('chat.mode') && listener()),
    ),
  );
  const told = own(new ToldController(chat, createToldHost(memory, deps.settings)));
  const panel = own(
    new PanelController({
      ...{ chat, catalog, attachments, knowledge, apps, modes, told },
      host: createPanelHost(deps),
      notices: deps.notices,
      prompts: new PromptController(deps.modes, catalog, createPromptHost(tools, switches)),
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
  own(platforms.onDidChange(() => knowledge.show()));
  return {
    attach(webview, opening) {
      const page = new DisposableStore();
      let isShown = true;
      page.add({ dispose: () => void (isShown = false) });
      const channel = createChannel<ToHost, ToPage>(
        toHostSchema,
        (message) =>
          deps.urgent.afterwards(() => {
            // The page may have been thrown away meanwhile.
            if (isShown) void webview.postMessage(message);
          }),
        (receive) => page.add(webview.onDidReceiveMessage(receive)),
        (reason) => log.warn(`The panel sent something that is not understood: ${reason}`),
      );
      page.add(panel.attach(channel, opening));
      return page;
    },
    focusMessageBox: () => panel.focusMessageBox(),
    openModelPicker: () => panel.openModelPicker(),
    openModes: () => panel.openModes(),
    reveal: (place) => panel.reveal(place),
    addAttachments: (sources) => attachments.add(sources),
    ask: (text, sources) => panel.ask(text, sources),
    dispose: () => disposables.dispose(),
  };
}
