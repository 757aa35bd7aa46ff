import { ChatSession } from '../../src/chat/session/chatSession.ts';
import type { SessionContext } from '../../src/chat/session/sessionState.ts';
import { ContextKnowledge } from '../../src/chat/context/contextKnowledge.ts';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import type { EditsItem } from '../../src/chat/conversation/items.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { EditReviews, type HunkChoice } from '../../src/chat/edits/editReviews.ts';
import type { FileChange } from '../../src/tools/edits/checkedChange.ts';
import { FileMoves } from '../../src/tools/review/fileMoves.ts';
import { createReviewAccess } from '../../src/tools/review/reviewAccess.ts';
import type { ToolDependencies } from '../../src/tools/toolDependencies.ts';
import { chatDependencies } from './chatDependencies.ts';
import { MemoryChatStore } from './memoryChatStore.ts';
import type { MemoryJournal } from './memorySnapshots.ts';

/** Reviews a journal as the only turn of a conversation. */
export function reviewsOf(
  dependencies: ToolDependencies,
  journal: MemoryJournal,
  moves = new FileMoves(),
  confirm?: (change: FileChange) => Promise<boolean>,
) {
  let ids = 0;
  const access = createReviewAccess(dependencies, moves, confirm);
  const snapshots = async () => journal.snapshotsKept;
  const reviews = new EditReviews({ access: async () => access, snapshots, newId: () => `r${++ids}` });
  const store = new MemoryChatStore();
  const deps = chatDependencies({ snapshots, store });
  const context: SessionContext = {
    ...deps,
    knowledge: async () => new ContextKnowledge(() => ({}), deps.windows),
    refusesTools: new Set(),
    appConversations: () => Promise.reject(new Error('no apps here')),
  };
  const { edits, folders } = journal;
  const conversation = new Conversation('c');
  const session = new ChatSession(conversation, context);
  const events: ChatEvent[] = [
    { type: 'userMessageAdded', id: 'u1', text: 'Edit them' },
    { type: 'answerStarted', id: 'a1', model: 'm' },
    { type: 'textAdded', id: 'a1', text: 'Done.' },
    { type: 'answerEnded', id: 'a1', end: { reason: 'answered' } },
    { type: 'editsMade', id: 'e1', edits: [...edits], folders: [...folders] },
  ];
  for (const event of events) session.record(event);
  const item = () => conversation.all.find((each): each is EditsItem => each.type === 'edits')!;
  return {
    ...{ session, reviews, item, access, moves, store },
    restore: (toId: string, files: boolean, withConversation: boolean) =>
      reviews.restore(session, toId, { files, conversation: withConversation }),
    undo: (choice?: HunkChoice) => reviews.decide(session, 'e1', 'undo', choice),
    redo: (path: string) => reviews.redo(session, 'e1', path),
    keep: (choice?: HunkChoice) => reviews.decide(session, 'e1', 'keep', choice),
    async file(path: string) {
      const found = await reviews.review(session, item(), path);
      if ('reason' in found) throw new Error(`not known: ${found.reason}`);
      return found.review;
    },
    /** Problems by file name. */
    problems: () =>
      Object.fromEntries(
        Object.entries(item().reviews ?? {}).map(([path, { problem }]) => [path, problem?.why]),
      ),
    /** Contents of each file the user has decided on. */
    left: () =>
      Object.fromEntries(
        Object.entries(item().reviews ?? {}).map(([path, { isDone, problem }]) => [
          path,
          isDone ? 'done' : (problem?.reason ?? 'open'),
        ]),
      ),
  };
}
