import type { Event } from '../../base/emitter.ts';

/** `background`: visible in a window without focus; `hidden`: another conversation is shown, or the panel is hidden. */
export type Sight = 'seen' | 'background' | 'hidden';

export interface Sights {
  of(conversationId: string): Sight;
  readonly onDidChange: Event<void>;
}
