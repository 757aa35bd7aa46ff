import { appIdOf } from '../../apps/appModelId.ts';
import type { AttachmentSource } from '../attachments/attachment.ts';
import type { ChatController } from '../chatController.ts';
import type { ChatSession } from '../session/chatSession.ts';

type Chat = Pick<ChatController, 'shown' | 'startNewChat'>;

/** Modes that questions replaced by *Ask*, until another is chosen. */
const modesBefore = new WeakMap<ChatSession, string>();

/** Shows the conversation for a question, in mode *Ask*: the open one if it fits, else a new one. */
export async function placeQuestion(chat: Chat, sources: readonly AttachmentSource[]): Promise<void> {
  if (!fits(chat.shown, sources)) await chat.startNewChat();
  const session = chat.shown;
  const { choices } = session;
  const before = choices.modeId;
  if (before === 'ask' || (choices.model !== undefined && appIdOf(choices.model) !== undefined)) return;
  const isForTurn = !isEmpty(session);
  choices.selectMode('ask');
  modesBefore.set(session, before);
  const listening = session.onDidChange((change) => {
    if (change.type === 'modeSelected') {
      modesBefore.delete(session);
      listening.dispose();
    }
    // A failed question may be asked again.
    if (change.type === 'turnEnded' && isForTurn && change.end.reason !== 'failed') leaveAsk(session);
  });
}

/** Shows the conversation for work: the open one, in the mode that it had before questions. */
export async function placeWork(chat: Chat): Promise<void> {
  if (!modesBefore.has(chat.shown)) return;
  if (isBusy(chat.shown)) await chat.startNewChat();
  else leaveAsk(chat.shown);
}

function leaveAsk(session: ChatSession): void {
  const before = modesBefore.get(session);
  if (before !== undefined) session.choices.selectMode(before);
}

function fits(session: ChatSession, sources: readonly AttachmentSource[]): boolean {
  if (isBusy(session)) return false;
  return isEmpty(session) || isAbout(session, filesOf(sources));
}

function isBusy({ isRunning, windows, conversation }: ChatSession): boolean {
  return isRunning || windows.isRunning || conversation.queue.length > 0;
}

function isEmpty({ conversation }: ChatSession): boolean {
  return !conversation.all.some(({ type }) => type === 'user' || type === 'answer');
}

/** True if the newest message with files has all of these. */
function isAbout({ conversation }: ChatSession, files: readonly string[]): boolean {
  const attached = conversation.all
    .map((item) => (item.type === 'user' ? filesOf(item.sources ?? []) : []))
    .findLast((each) => each.length > 0);
  return files.length > 0 && files.every((file) => attached?.includes(file));
}

function filesOf(sources: readonly AttachmentSource[]): string[] {
  return sources.flatMap((source) => (source.type === 'path' || source.type === 'range' ? source.path : []));
}
