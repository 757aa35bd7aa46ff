import type { AppClient } from '../apps/client/appClient.ts';
import type { AppConversation } from '../apps/app.ts';

interface Loaded {
  conversations: readonly AppConversation[];
  hasMore: boolean;
}

/** Pages listed in this window. Keyed by client, so a changed key or user starts empty. */
export class ConversationCache {
  private readonly loaded = new WeakMap<AppClient, Loaded>();

  get(client: AppClient): Loaded | undefined {
    return this.loaded.get(client);
  }

  /** Returns new entries; none marks the last page, as some servers answer every page request with the first page. */
  addPage(client: AppClient, after: string | undefined, page: Loaded): Loaded {
    const before = after === undefined ? [] : (this.loaded.get(client)?.conversations ?? []);
    const known = new Set(before.map(({ id }) => id));
    const conversations = page.conversations.filter(({ id }) => !known.has(id));
    const hasMore = page.hasMore && conversations.length > 0;
    this.loaded.set(client, { conversations: [...before, ...conversations], hasMore });
    return { conversations, hasMore };
  }

  change(client: AppClient, id: string, changed: AppConversation | undefined): void {
    const known = this.loaded.get(client);
    if (!known) return;
    const conversations = known.conversations.flatMap((each) => {
      if (each.id !== id) return [each];
      return changed ? [changed] : [];
    });
    this.loaded.set(client, { ...known, conversations });
  }
}
