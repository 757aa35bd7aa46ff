import type { ChatSession } from '../chat/chatSession.ts';
import type { DetailsFile } from './conversationDetails.ts';

/** Longer nobody waits for a title. */
const limitMs = 60_000;

/**
 * Has the model give a conversation its title, once. What the user called it stays, also while the model is asked, and so does the
 * wish for the first line. False where it got none. Throws a `SwitchboardError`.
 */
export async function titleByModel(
  details: Pick<DetailsFile, 'read' | 'change'>,
  session: Pick<ChatSession, 'conversation' | 'writeTitle'>,
): Promise<boolean> {
  const { id } = session.conversation;
  const isNamed = async () => (await details.read()).get(id)?.title !== undefined;
  if (await isNamed()) return false;
  const title = await session.writeTitle(AbortSignal.timeout(limitMs));
  if (!title || (await isNamed())) return false;
  await details.change(id, { title, isTitleByModel: true });
  return true;
}
