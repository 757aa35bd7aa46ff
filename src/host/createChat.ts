import { randomUUID } from 'node:crypto';
import { hasConversations } from '../apps/appKinds.ts';
import type { AppService } from '../apps/appService.ts';
import { lazy } from '../base/lazy.ts';
import type { ToolApprovals } from '../chat/calls/toolApprovals.ts';
import { ChatController } from '../chat/chatController.ts';
import type { ChatDependencies } from '../chat/chatDependencies.ts';
import type { ChatStore } from '../chat/chatStore.ts';
import type { ProjectModes } from '../chat/modes/projectModes.ts';
import { defaultModel } from '../chat/modelChoice.ts';
import type { RelayConnections } from '../connections/relayConnections.ts';
import type { ConnectedPlatform } from '../knowledge/connectedPlatform.ts';
import type { Memory } from '../settings/memory.ts';
import type { RelayModels } from '../chat/relayModels.ts';
import { createSearchSegments } from '../knowledge/searchSegments.ts';
import { readChatOptions, type Settings } from './settings.ts';
import type { WorkspaceTools } from './workspaceTools.ts';

export interface CreateChatDependencies {
  store: ChatStore;
  relays: RelayConnections;
  models: RelayModels;
  platform: ConnectedPlatform;
  apps: AppService;
  memory: Memory;
  approvals: ToolApprovals;
  modes: ProjectModes;
  tools(): Promise<WorkspaceTools>;
  settings: Settings;
  snapshots: ChatDependencies['snapshots'];
}

/** The conversations of this window, over the servers that are connected and the workspace that is open. */
export function createChat({
  store,
  relays,
  models,
  platform,
  apps,
  memory,
  approvals,
  modes,
  tools,
  settings,
  snapshots,
}: CreateChatDependencies): ChatController {
  const { catalog, windows, toolCallers } = models;
  const takesImages = (id: string) => catalog.find(id)?.vision !== false;
  return new ChatController({
    store,
    relay: async () => {
      const { imagesOnlyFor } = await import('../chat/attachments/attachmentText.ts');
      return imagesOnlyFor(takesImages, models.streamModel);
    },
    options: () => readChatOptions(settings),
    modelLimits: (modelId) => catalog.find(modelId) ?? {},
    windows,
    toolCallers,
    modes,
    tools: async (turn) => (await tools()).toolBox(approvals.forConversation(turn.conversationId), turn),
    prompt: lazy(async () =>
      (await import('./createPrompt.ts')).createPrompt(await tools(), memory, settings),
    ),
    hasPlatform: () => platform.isConnected,
    searchSegments: createSearchSegments(async () => (await platform.get())?.knowledge),
    apps,
    conversationLinks: memory.conversationLinks,
    snapshots,
    wasMade: async (conversationId, edit) => {
      const { wasMade } = await import('../tools/review/wasMade.ts');
      return wasMade(edit, { tools, memory, snapshots: () => snapshots(conversationId) });
    },
    defaultModel: () =>
      defaultModel({
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
