import { appIdOf } from '../apps/appModelId.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { UserItem } from '../chat/conversation/items.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import type { ToHost } from '../shared/protocol.ts';
import type { AppController } from './apps/appController.ts';
import type { ChangeController } from './changeController.ts';
import type { PanelHost } from './panelHost.ts';

interface Parts {
  chat: ChatController;
  host: PanelHost;
  catalog: ModelCatalog;
  apps: AppController;
  changes: ChangeController;
}

/** Runs the button of a failure or a notice. A rejection is shown to the user. */
export async function applyRemedy(
  { remedy, id }: Extract<ToHost, { type: 'applyRemedy' }>,
  { chat, host, catalog, apps, changes }: Parts,
): Promise<void> {
  switch (remedy) {
    case 'retry':
      if (id) return changes.retry(id);
      return void catalog.load();
    case 'connectRelay':
      return host.connectRelay(answering(chat, id));
    case 'openRelay':
      return host.openRelaySite(answering(chat, id));
    case 'addApp':
      return host.addApp();
    case 'changeAppKey':
    case 'signInAgain':
    case 'openPlatform': {
      const app = apps.appOf(chat.shown.conversation, id);
      if (!app) return;
      return remedy === 'openPlatform' ? host.openPlatform(app.baseUrl) : host.changeAppKey(app);
    }
    case 'editMessage': {
      const question = questionBefore(chat, id);
      return question && changes.edit(question.id);
    }
    case 'newChat':
      return startAgain(chat);
    case 'editInputs':
      return apps.editInputs();
    case 'compact':
      return void (await chat.shown.compact());
    case 'continue':
      return void (await chat.shown.resume());
    case 'restoreBack':
      return id === undefined ? undefined : changes.restore(id);
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
      // The page opens its own picker.
      return;
  }
}

function answering(
  { shown: { conversation, choices } }: ChatController,
  id: string | undefined,
): string | undefined {
  const item = conversation.all.find((each) => each.id === id);
  return item?.type === 'answer' ? item.model : choices.model;
}

function questionBefore(
  { shown: { conversation } }: ChatController,
  id: string | undefined,
): UserItem | undefined {
  const { all } = conversation;
  const at = all.findIndex((each) => each.id === id);
  return all.slice(0, Math.max(0, at)).findLast((each) => each.type === 'user');
}

async function startAgain(chat: ChatController): Promise<void> {
  const { model } = chat.shown.choices;
  await chat.startNewChat();
  if (model !== undefined && appIdOf(model) !== undefined) chat.shown.choices.selectModel(model);
}
