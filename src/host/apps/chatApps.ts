import { Emitter } from '../../base/emitter.ts';
import { lazy } from '../../base/lazy.ts';
import type { ChatApp, ChatApps } from '../../chat/apps/chatApp.ts';
import type { PlatformChatAppDependencies } from './platformChatApp.ts';
import type { LocalFiles } from '../../apps/fileReferences.ts';
import { hasConversations, kindLabel } from '../../apps/appKinds.ts';
import type { AppService } from '../../apps/appService.ts';

export interface ChatAppsDependencies {
  apps: PlatformChatAppDependencies['apps'] &
    Pick<AppService, 'apps' | 'onDidChange' | 'lastAnswers' | 'rememberAnswers'>;
  /** The workspace's files, behind the file policy; loaded when one is sent. */
  files(): Promise<LocalFiles>;
  /** Whether answers come as they are written. */
  streams(): boolean;
  /** Where the conversations that apps began here are, by a key of ours. */
  chats: { get(key: string): string | undefined; set(key: string, chatId: string): void };
}

/** The user's apps that chat, as conversations know them. What they do is loaded with the first one that is opened. */
export function createChatApps({ apps, files, streams, chats }: ChatAppsDependencies): ChatApps {
  const changes = new Emitter<void>();
  const load = lazy(() => import('./platformChatApp.ts'));
  const opened = new Map<string, ChatApp>();
  // A renamed app is the same entry only as long as nothing of it changed.
  let entries: ChatApps['all'] = [];
  const read = () => {
    const now = apps.apps.filter(hasConversations).map(({ id, name, kind, baseUrl }) => ({
      ...{ id, name, kind: kindLabel(kind), address: baseUrl },
    }));
    entries = now.map((entry) => entries.find((known) => isSame(known, entry)) ?? entry);
  };
  read();
  apps.onDidChange(() => {
    read();
    for (const id of opened.keys()) if (!apps.find(id)) opened.delete(id);
    changes.fire();
  });
  return {
    get all() {
      return entries;
    },
    onDidChange: changes.event,
    async open(appId) {
      const { PlatformChatApp } = await load();
      const known = opened.get(appId) ?? new PlatformChatApp({ appId, apps, files, streams });
      opened.set(appId, known);
      return known;
    },
    lastAnswers: (appId) => apps.lastAnswers(appId),
    rememberAnswers: (appId, answers) => apps.rememberAnswers(appId, answers),
    chatOf: (appId, conversationId) => chats.get(keyOf(appId, conversationId)),
    setChatOf: (appId, conversationId, chatId) => chats.set(keyOf(appId, conversationId), chatId),
  };
}

function isSame(a: ChatApps['all'][number], b: ChatApps['all'][number]): boolean {
  return a.id === b.id && a.name === b.name && a.kind === b.kind && a.address === b.address;
}

function keyOf(appId: string, conversationId: string): string {
  return `${appId} ${conversationId}`;
}
