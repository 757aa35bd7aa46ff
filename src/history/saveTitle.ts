import type { ChatSession } from '../chat/session/chatSession.ts';
import type { DetailsFile } from './conversationDetails.ts';

const limitMs = 60_000;

/** A user's title wins, even one set meanwhile. False if there is none. Throws a `SwitchboardError`. */
export async function saveTitle(
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
