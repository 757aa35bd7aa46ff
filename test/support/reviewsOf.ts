import { ChatSession, type SessionContext } from '../../src/chat/chatSession.ts';
import { ContextKnowledge } from '../../src/chat/context/contextKnowledge.ts';
import { Conversation, type EditsItem } from '../../src/chat/conversation.ts';
import { EditReviews, type HunkChoice } from '../../src/chat/editReviews.ts';
import { createReviewAccess } from '../../src/tools/review/reviewAccess.ts';
import type { ToolDependencies } from '../../src/tools/toolDependencies.ts';
import { chatDependencies } from './chatDependencies.ts';
import type { MemoryJournal } from './memorySnapshots.ts';

/** The review of what a journal has written down, as the only turn of a conversation. */
export function reviewsOf(needs: ToolDependencies, journal: MemoryJournal) {
  const access = createReviewAccess(needs);
  const snapshots = async () => journal.snapshotsKept;
  const reviews = new EditReviews({ access: async () => access, snapshots });
  const deps = chatDependencies({ snapshots });
  const context: SessionContext = {
    ...deps,
    knowledge: new ContextKnowledge(() => ({}), deps.windows),
    refusesTools: new Set(),
    appConversations: () => Promise.reject(new Error('no apps here')),
  };
  const { edits, folders } = journal;
  const conversation = new Conversation('c', [
    { type: 'userMessageAdded', id: 'u1', text: 'Edit them' },
    { type: 'editsMade', id: 'e1', edits, folders },
  ]);
  const session = new ChatSession(conversation, context);
  const item = () => conversation.all.find((each): each is EditsItem => each.type === 'edits')!;
  return {
    ...{ session, reviews, item, access },
    undo: (choice?: HunkChoice) => reviews.decide(session, 'e1', 'undo', choice),
    keep: (choice?: HunkChoice) => reviews.decide(session, 'e1', 'keep', choice),
    async file(path: string) {
      const found = await reviews.review(session, item(), path);
      if ('reason' in found) throw new Error(`not known: ${found.reason}`);
      return found.review;
    },
    /** What is left of each file on which the user decided. */
    left: () =>
      Object.fromEntries(
        Object.entries(item().reviews ?? {}).map(([path, { isDone, problem }]) => [
          path,
          isDone ? 'done' : (problem?.reason ?? 'open'),
        ]),
      ),
  };
}
