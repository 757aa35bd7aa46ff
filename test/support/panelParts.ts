import type { ChatController } from '../../src/chat/chatController.ts';
import { RelayCatalog } from '../../src/chat/models/relayCatalog.ts';
import { ContextController } from '../../src/panel/contextController.ts';
import { PanelController, type PanelParts } from '../../src/panel/panelController.ts';
import type { PanelHost, PanelMemory } from '../../src/panel/panelHost.ts';
import { PanelNotices } from '../../src/panel/panelNotices.ts';
import { attachmentParts } from './attachmentParts.ts';
import { channelPair } from './channelPair.ts';
import { appParts } from './fakeApps.ts';
import { knowledgeParts } from './knowledgeParts.ts';
import { modeParts } from './modeParts.ts';
import { promptParts } from './promptParts.ts';
import { toldParts } from './toldParts.ts';

/** @param own the tested parts; the others are empty */
export function panelParts(chat: ChatController, own: Partial<PanelParts> = {}) {
  const catalog = own.catalog ?? new RelayCatalog({ listModels: async () => [], merge: (listed) => listed });
  const panel = new PanelController({
    ...{ chat, catalog },
    host: silentPanelHost(),
    attachments: attachmentParts().controller(),
    editedAttachments: attachmentParts().controller(),
    knowledge: knowledgeParts(chat).controller,
    apps: appParts(chat).controller,
    notices: new PanelNotices(),
    modes: modeParts(chat),
    told: toldParts(chat).controller,
    prompts: promptParts(),
    context: new ContextController(chat, catalog),
    ...own,
  });
  const { host: channel, page, refused } = channelPair();
  return { attach: () => panel.attach(channel), page, panel, refused };
}

const nothing = () => {};

export function panelMemory(own: Partial<PanelMemory> = {}): PanelMemory {
  return { draft: '', branchTarget: undefined, edits: undefined, favourites: [], recentModels: [], ...own };
}

/** A host with a relay that ignores requests. */
export function silentPanelHost(own: Partial<PanelHost> = {}): PanelHost {
  return {
    connection: () => ({ state: 'connected', address: 'https://relay.example' }),
    memory: panelMemory(),
    ...{
      callsTools: () => false,
      showModelDetails() {},
      toolCount: () => ({ on: 0, total: 0 }),
      questionOf: () => undefined,
    },
    ...{ defaultParameters: () => ({}), refusedParameters: () => [] },
    ...{ pickModel: async () => undefined, modelPicked: nothing, connectRelay: nothing },
    ...{
      openRelaySite: nothing,
      openSettings: nothing,
      diagnoseConnection: nothing,
      showLog: nothing,
    },
    ...{ addApp: nothing, changeAppKey: nothing, openPlatform: nothing },
    readPicture: async () => undefined,
    watchStarters: () => ({ dispose: nothing }),
    ...{ openPicture: async () => {}, savePicture: async () => {} },
    ...{
      chooseTools: nothing,
      useStarter: nothing,
      trustWorkspace: nothing,
      answerTool: nothing,
      setQuestionFocused: nothing,
      unfoldTool: nothing,
      showProposal: nothing,
      showTerminal: nothing,
      openLocation: nothing,
    },
    ...{ openLink: nothing, copyText: nothing, insertText: nothing, useCode: nothing },
    findPaths: async () => ({ found: [], missing: [] }),
    ...{ decideHunks: async () => {}, showChanges: async () => {}, review: async () => undefined },
    ...{ restore: async () => undefined, leaveVersion: async () => true },
    ...own,
  };
}
