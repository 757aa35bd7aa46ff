import type { AppClient } from '../apps/client/appClient.ts';
import type { AppConversation } from '../apps/app.ts';

/** The conversations of an app, as far as they were loaded; newest first. */
interface Loaded {
  conversations: readonly AppConversation[];
  hasMore: boolean;
}

/** What platforms listed in this window. An app whose key or user changes has another client, and so nothing here. */
export class ConversationCache {
  private readonly loaded = new WeakMap<AppClient, Loaded>();

  get(client: AppClient): Loaded | undefined {
    return this.loaded.get(client);
  }

  /** @param after the id that the page comes after; the first page replaces what was loaded before */
  addPage(client: AppClient, after: string | undefined, page: Loaded): void {
    const before = after === undefined ? [] : (this.loaded.get(client)?.conversations ?? []);
    this.loaded.set(client, { ...page, conversations: [...before, ...page.conversations] });
  }

  /** @param changed undefined when it was deleted */
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
