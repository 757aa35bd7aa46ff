import type { Conversation } from './conversation.ts';
import type { ChatEvent } from './events.ts';

/** What a model reads of a call that was running when the editor went away. */
const content = 'The editor was closed before this call had a result.';

/** Marks what was coming when the editor went away. */
export function interruptions({ unended }: Conversation): ChatEvent[] {
  return unended.map(({ id, type }) =>
    type === 'answer'
      ? { type: 'answerEnded', id, end: { reason: 'interrupted' } }
      : { type: 'toolFinished', id, outcome: { state: 'stopped', content, durationMs: 0 } },
  );
}
