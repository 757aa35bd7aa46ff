import type { ChatController } from '../../chat/chatController.ts';
import type { FencedCode } from '../../chat/codeBlocks/fencedCode.ts';
import type { ChatStore } from '../../chat/store/chatStore.ts';
import type { TextSnapshots } from '../../tools/edits/editJournal.ts';
import type { ReviewHost } from '../review/reviewHost.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import type { ToolIdentity, ToolRule } from '../../tools/tool.ts';

export interface UseCodeDependencies {
  chat: Pick<ChatController, 'shown' | 'sessions' | 'record'>;
  store: Pick<ChatStore, 'flush'>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  tools(): Promise<Pick<WorkspaceTools, 'dependencies' | 'runCommand'>>;
  review(): Promise<Pick<ReviewHost, 'show'>>;
  ruleFor(tool: ToolIdentity): ToolRule | undefined;
}

/** A code block of an answer, as the user sees it, with what the answer says about it. */
export interface CodeBlock extends FencedCode {
  code: string;
  language: string;
}
