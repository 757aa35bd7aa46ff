import type { Event } from '../base/emitter.ts';

/**
 * How a conversation is seen: in view in a focused window; in view, but the window is in the background; or not at all,
 * because another conversation is shown or the panel is hidden.
 */
export type Sight = 'seen' | 'background' | 'hidden';

export interface Sights {
  of(conversationId: string): Sight;
  /** The panel was hidden or shown, another conversation was opened, or the window got or lost the focus. */
  readonly onDidChange: Event<void>;
}
