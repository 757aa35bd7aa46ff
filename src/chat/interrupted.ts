import type { Conversation } from './conversation.ts';
import type { ChatEvent } from './events.ts';

/** What a model reads of a call that was running when the editor went away. */
const content = 'The editor was closed before this call had a result.';

/**
 * Marks what was coming when the editor went away. What was to be asked again and was not begun is shown as it was
 * before: else nothing on screen would lead back to it. Each event is to be applied before the next is asked for.
 */
export function* interruptions(conversation: Conversation): Generator<ChatEvent> {
  const { abandonedId } = conversation;
  if (abandonedId !== undefined) yield { type: 'versionChosen', id: abandonedId };
  for (const { id, type } of conversation.unended) {
    yield type === 'answer'
      ? { type: 'answerEnded', id, end: { reason: 'interrupted' } }
      : { type: 'toolFinished', id, outcome: { state: 'stopped', content, durationMs: 0 } };
  }
}
