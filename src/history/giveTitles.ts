import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ChatSession } from '../chat/session/chatSession.ts';
import type { DetailsFile } from './conversationDetails.ts';

export interface GiveTitlesDependencies {
  chat: Pick<ChatController, 'onDidEndTurn' | 'sessions'>;
  isOn(): boolean;
  details(): Promise<Pick<DetailsFile, 'read' | 'change'>>;
  onGiven(): void;
  log: Log;
}

export function giveTitles(deps: GiveTitlesDependencies): Disposable {
  const { chat, isOn } = deps;
  return chat.onDidEndTurn(({ conversation }) => {
    const session = chat.sessions.find((each) => each.conversation === conversation);
    if (session && isOn()) void giveTitle(deps, session);
  });
}

/** Failures are ignored: the first line remains the title. */
async function giveTitle(
  { details, onGiven, log }: GiveTitlesDependencies,
  session: ChatSession,
): Promise<void> {
  try {
    const { saveTitle } = await import('./conversationDetails.ts');
    if (await saveTitle(await details(), session)) onGiven();
  } catch (error) {
    log.info(`A conversation was not given a title: ${toSwitchboardError(error).code}`);
  }
}
