import { appIdOf } from '../apps/appModelId.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { UserItem } from '../chat/items.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import type { ToHost } from '../shared/protocol.ts';
import type { AppController } from './appController.ts';
import type { PanelHost } from './panelController.ts';

interface Parts {
  chat: ChatController;
  host: PanelHost;
  catalog: ModelCatalog;
  apps: AppController;
  /** Asks again for the answer. */
  retry(id: string): Promise<void>;
  /** Takes a restoration back. */
  restore(id: string): Promise<void>;
  /** Puts a message into the message box, to be sent again. */
  edit(id: string): Promise<void>;
}

/** Does what the button of a failure or a notice says. A rejection is for the user. */
export async function applyRemedy(
  { remedy, id }: Extract<ToHost, { type: 'applyRemedy' }>,
  { chat, host, catalog, apps, retry, restore, edit }: Parts,
): Promise<void> {
  switch (remedy) {
    case 'retry':
      if (id) return retry(id);
      return void catalog.load();
    case 'connectRelay':
      return host.connectRelay(answering(chat, id));
    case 'openRelay':
      return host.openRelaySite(answering(chat, id));
    case 'addApp':
      return host.addApp();
    case 'changeAppKey':
    case 'openPlatform': {
      const app = apps.appOf(chat.conversation, id);
      if (!app) return;
      return remedy === 'openPlatform' ? host.openPlatform(app.baseUrl) : host.changeAppKey(app);
    }
    case 'editMessage': {
      const question = questionBefore(chat, id);
      return question && edit(question.id);
    }
    case 'newChat':
      return startAgain(chat);
    case 'compact':
      return void (await chat.compact());
    case 'continue':
      return void (await chat.resume());
    case 'restoreBack':
      return id === undefined ? undefined : restore(id);
    case 'openSettings':
      return host.openSettings();
    case 'openProxySettings':
      return host.openSettings('proxy');
    case 'openNetworkSettings':
      return host.openSettings('network');
    case 'showLog':
      return host.showLog();
    case 'diagnoseConnection':
      return host.diagnoseConnection();
    case 'selectModel':
      // The page opens its own picker for this one.
      return;
  }
}

/** The model whose answer failed; the one that would be asked, if it is none of those. */
function answering({ conversation, model }: ChatController, id: string | undefined): string | undefined {
  const item = conversation.all.find((each) => each.id === id);
  return item?.type === 'answer' ? item.model : model;
}

/** The message that was answered with this. */
function questionBefore(
  { conversation: { all } }: ChatController,
  id: string | undefined,
): UserItem | undefined {
  const at = all.findIndex((each) => each.id === id);
  return all.slice(0, Math.max(0, at)).findLast((each) => each.type === 'user');
}

/** With the same app: what is over is only the conversation with it. */
async function startAgain(chat: ChatController): Promise<void> {
  const { model } = chat;
  await chat.startNewChat();
  if (model !== undefined && appIdOf(model) !== undefined) chat.selectModel(model);
}
