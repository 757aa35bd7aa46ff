import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { thisWindow } from '../../chat/session/windowMark.ts';
import { CheckedChange, type FileChange } from '../../tools/edits/checkedChange.ts';
import { EditJournal, type TextSnapshots } from '../../tools/edits/editJournal.ts';
import { reasonForUser } from '../../tools/toolFailure.ts';
import { confirmChange } from '../review/confirmChange.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { FencedCode } from '../../chat/codeBlocks/fencedCode.ts';
import type { ChatStore } from '../../chat/store/chatStore.ts';
import type { ReviewHost } from '../review/reviewHost.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import type { ToolIdentity, ToolRule } from '../../tools/tool.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface UseCodeDependencies {
  chat: Pick<ChatController, 'shown' | 'sessions' | 'record'>;
  store: Pick<ChatStore, 'flush'>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  tools(): Promise<Pick<WorkspaceTools, 'dependencies' | 'runCommand'>>;
  review(): Promise<Pick<ReviewHost, 'show'>>;
  ruleFor(tool: ToolIdentity): ToolRule | undefined;
  notifications: Notifications;
}

/** A code block of an answer, as the user sees it, with what the answer says about it. */
export interface CodeBlock extends FencedCode {
  code: string;
  language: string;
}

/** Makes and shows a code block's change as a reviewable edit of the open conversation. Returns the problem, if any. */
export async function makeCodeEdit(
  deps: UseCodeDependencies,
  change: FileChange,
): Promise<string | undefined> {
  const { file, before, after } = change;
  const { shown: path, realPath, protection } = file;
  if (protection && !(await confirmChange(change, l10n.t('{0} (to be applied)', path)))) return undefined;
  const { id } = deps.chat.shown.conversation;
  const recorder = new CodeEditRecorder(deps, id, path);
  try {
    const { dependencies } = await deps.tools();
    const journal = new EditJournal(await deps.snapshots(id), recorder);
    const checked = await CheckedChange.check(dependencies, change);
    await journal.prepare({ before });
    const edit = { path, realPath, before };
    const { text, folders } = await checked.write((needed) =>
      journal.begin({ ...edit, after, folders: needed }),
    );
    await journal.record({ ...edit, after: text, folders });
  } catch (error) {
    recorder.gaveUp(realPath);
    return reasonForUser(error);
  }
  // While a turn runs, its end lists all changes.
  if (recorder.editsId !== undefined) await (await deps.review()).show(recorder.editsId, path);
  return undefined;
}

class CodeEditRecorder {
  editsId: string | undefined;
  private isBegun = false;

  constructor(
    private readonly deps: Pick<UseCodeDependencies, 'chat' | 'store'>,
    private readonly id: string,
    private readonly path: string,
  ) {}

  readonly begun: NonNullable<ConstructorParameters<typeof EditJournal>[1]['begun']> = async (
    edit,
    folders,
  ) => {
    const inline = { instruction: this.path, window: thisWindow, kind: 'code-applied' as const };
    const made = folders.length > 0 ? { folders: [...folders] } : {};
    this.record({ type: 'editBegun', edit: { ...edit, isInline: true }, inline, ...made });
    this.isBegun = true;
    await this.deps.store.flush();
  };

  readonly made: ConstructorParameters<typeof EditJournal>[1]['made'] = (edit, folders) => {
    this.isBegun = false;
    this.record({ type: 'noticed', id: randomUUID(), kind: 'code-applied', detail: this.path });
    const made = folders.length > 0 ? { folders: [...folders] } : {};
    this.record({ type: 'editMade', edit: { ...edit, isInline: true }, ...made });
    const { sessions } = this.deps.chat;
    if (sessions.some((each) => each.conversation.id === this.id && each.isRunning)) return;
    this.editsId = randomUUID();
    this.record({ type: 'editsMade', id: this.editsId });
  };

  gaveUp(realPath: string): void {
    if (this.isBegun) this.record({ type: 'editNotMade', realPath });
  }

  private record(event: Parameters<UseCodeDependencies['chat']['record']>[1]): void {
    this.deps.chat.record(this.id, event);
  }
}
