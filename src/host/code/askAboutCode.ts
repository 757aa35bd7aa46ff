import * as vscode from 'vscode';
import { hasType } from '../../base/json.ts';
import type { AttachmentSource } from '../../chat/attachments/attachment.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { CodeRequest } from '../../chat/editorRequests/codeRequests.ts';
import { placeQuestion, placeWork } from '../../chat/editorRequests/requestPlace.ts';
import type { ChatView } from '../panel/chatView.ts';
import { toPath } from '../workspace/workspacePlaces.ts';
import { findCode, linesOf, questionFor } from './codeQuestion.ts';
import type { Notifications } from '../ui/notifications.ts';

export type AskResult = 'none' | 'drafted' | 'sent';

export interface AskDependencies {
  view: Pick<ChatView, 'show' | 'ask'>;
  chat: Pick<ChatController, 'shown' | 'startNewChat'>;
  notifications: Notifications;
}

/** A question only wants an answer; work changes files. */
export type RequestKind = 'question' | 'work';

const questions: ReadonlySet<CodeRequest> = new Set(['explainProject', 'explainSelection', 'reviewChanges']);

/** Attaches the selected code, or the symbol at the caret. Returns the number of attachments. */
export async function attachCode(view: ChatView): Promise<number> {
  const code = await findCode();
  if (!code) return 0;
  await view.addAttachments(code.sources);
  await view.show();
  return code.sources.length;
}

/** Asks about the selected code, the symbol at the caret, or the `place` of a quick fix, outside of the selection. */
export async function askAboutCode(
  deps: AskDependencies,
  request: CodeRequest,
  place?: { uri: vscode.Uri; range: vscode.Range; problem?: unknown },
): Promise<AskResult> {
  const told = place && toldProblem(place);
  const kind = questions.has(request) ? 'question' : 'work';
  if (told) return askInPanel(deps, kind, told.request, told.sources);
  const asked = await questionFor(request, place);
  return asked ? askInPanel(deps, kind, asked.text, asked.sources) : 'none';
}

/** A problem of exactly these lines that no diagnostic holds: a question, a name and a description for the model. */
export interface ToldProblem {
  type: 'problem';
  request: string;
  name: string;
  text: string;
}

function toldProblem({ uri, range, problem }: { uri: vscode.Uri; range: vscode.Range; problem?: unknown }) {
  if (!hasType<ToldProblem>(problem, ['problem'])) return undefined;
  const { request, name, text } = problem;
  const { first, last } = linesOf(range);
  const sources: AttachmentSource[] = [
    { type: 'range', path: toPath(uri), startLine: first, endLine: last },
    { type: 'text', name, text },
  ];
  return { request, sources };
}

/** Sends a request in the conversation for its kind, or leaves it in the message box where it can't be sent. */
export async function askInPanel(
  { view, chat }: AskDependencies,
  kind: RequestKind,
  text: string,
  sources: readonly AttachmentSource[],
): Promise<AskResult> {
  await view.show();
  const place = () => (kind === 'question' ? placeQuestion(chat, sources) : placeWork(chat));
  return (await view.ask(text, sources, place)) ? 'sent' : 'drafted';
}
