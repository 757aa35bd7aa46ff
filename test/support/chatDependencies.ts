import type { ChatDependencies } from '../../src/chat/chatDependencies.ts';
import type { StreamModel } from '../../src/relay/messages.ts';
import { emptyPrompt } from './emptyPrompt.ts';
import { fakeApps } from './fakeApps.ts';
import { fakeToolBox, type FakeTool } from './fakeToolBox.ts';
import { builtInModes } from './builtInModes.ts';
import { MemoryChatStore } from './memoryChatStore.ts';
import { MemorySnapshots } from './memorySnapshots.ts';
import { scriptedModel } from './scriptedModel.ts';
import { askModel } from '../../src/relay/streamModel.ts';

interface Parts extends Partial<Omit<ChatDependencies, 'options' | 'tools'>> {
  streamModel?: StreamModel;
  options?: Partial<ReturnType<ChatDependencies['options']>>;
  tools?: Record<string, FakeTool>;
}

export function chatDependencies({ streamModel, options, tools, ...parts }: Parts): ChatDependencies {
  let ids = 0;
  const snapshots = new MemorySnapshots();
  return {
    store: new MemoryChatStore(),
    ask: askModel(streamModel ?? scriptedModel().streamModel),
    options: () => ({
      ...{ instructions: '', stream: true, maxToolRounds: 50, knowledgeSearch: 'always', fallbackModels: [] },
      ...options,
    }),
    modelLimits: () => ({}),
    windows: new Map<string, number>(),
    ...{ toolCallers: new Set<string>(), refusesTools: new Set<string>() },
    modes: builtInModes(),
    tools: async ({ journal }) => fakeToolBox(tools, journal),
    prompt: async () => emptyPrompt,
    hasPlatform: () => false,
    searchSegments: async () => ({ segments: [], failures: [] }),
    apps: fakeApps(),
    conversationLinks: { get: () => undefined, set() {} },
    snapshots: async () => snapshots,
    keepPicture: async () => `${'0'.repeat(32)}.png`,
    findMade: async (_, edit) => edit,
    defaultModel: () => 'm',
    newId: () => `id${++ids}`,
    now: () => 0,
    ...parts,
  };
}
