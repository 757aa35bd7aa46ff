import { randomUUID } from 'node:crypto';
import { hasConversations } from '../../apps/appKinds.ts';
import type { AppService } from '../../apps/appService.ts';
import { lazy } from '../../base/async/lazy.ts';
import { ChatController } from '../../chat/chatController.ts';
import { defaultModel } from '../../chat/models/modelChoice.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import type { Flows } from '../flows/flowFiles.ts';
import type { Servers } from './createServers.ts';
import type { Tools } from './createTools.ts';
import type { Storage } from './openStorage.ts';
import { readChatOptions } from '../settings.ts';

interface CreateChatDependencies
  extends
    Pick<Storage, 'store' | 'memory' | 'settings' | 'keys' | 'snapshots' | 'pictures'>,
    Pick<Servers, 'relays' | 'models' | 'clients'>,
    Pick<Tools, 'tools' | 'approvals' | 'modes'> {
  platform: ConnectedPlatform;
  apps: AppService;
  flows: Flows;
}

export function createChat({
  store,
  relays,
  models,
  clients,
  keys,
  platform,
  apps,
  flows,
  memory,
  approvals,
  modes,
  tools,
  settings,
  snapshots,
  pictures,
}: CreateChatDependencies): ChatController {
  const { catalog, windows, toolCallers, refusesTools } = models;
  const flowTools = lazy(async () => {
    const { offerFlowTools } = await import('../flows/run/offerFlowTools.ts');
    return offerFlowTools({ apps, keys, clients, tools, flows });
  });
  return new ChatController({
    store,
    ask: models.ask,
    options: () => readChatOptions(settings),
    modelLimits: (modelId) => catalog.find(modelId) ?? {},
    windows,
    toolCallers,
    refusesTools,
    modes,
    tools: async (turn) => {
      const { readSkillTool } = await import('../../tools/skills/readSkillTool.ts');
      const ofFlows = await (await flowTools())(turn);
      const workspace = await tools();
      const ofSkills = readSkillTool(await workspace.skills());
      const more = ofSkills ? [ofSkills, ...ofFlows] : ofFlows;
      return workspace.toolBox(approvals.forConversation(turn.conversationId), turn, more);
    },
    prompt: lazy(async () =>
      (await import('./createPrompt.ts')).createPrompt(await tools(), memory, settings),
    ),
    hasPlatform: () => platform.isConnected,
    searchSegments: async (query, signal) => {
      const { createSearchSegments } = await import('../../knowledge/searchKnowledge.ts');
      return createSearchSegments(async () => (await platform.get())?.knowledge)(query, signal);
    },
    apps,
    conversationLinks: memory.conversationLinks,
    snapshots,
    keepPicture: async (conversationId, picture) => (await pictures(conversationId)).keep(picture),
    findMade: async (conversationId, edit) => {
      const { findMade } = await import('../../tools/review/findMade.ts');
      return findMade(edit, { tools, memory, snapshots: () => snapshots(conversationId) });
    },
    defaultModel: (shown) =>
      defaultModel({
        shown,
        configured: settings.get('chat.model'),
        last: models.last,
        isMissing: (modelId) => catalog.missingRelay(modelId) !== undefined,
        isRelayConnected: relays.all.length > 0,
        catalog: catalog.state,
        appIds: apps.apps.filter(hasConversations).map(({ id }) => id),
      }),
    newId: randomUUID,
    now: Date.now,
  });
}
