import * as vscode from 'vscode';
import type { TurnParts } from '../../../chat/calls/toolBox.ts';
import { workflowToolNames } from '../../../tools/ownToolNames.ts';
import type { Tool } from '../../../tools/tool.ts';
import { linkedFiles } from '../flowWorkspace.ts';
import type { FlowToolsContext } from './flowTools.ts';

type OfferedTools = (turn: Pick<TurnParts, 'conversationId' | 'mentions'>) => Promise<Tool[]>;

/** The tools of linked files, once such a file is open or a conversation is about one. */
export function offerFlowTools(context: FlowToolsContext): OfferedTools {
  /** Conversations that have the tools; taking them away again would invalidate the vendor's prompt cache. */
  const offered = new Set<string>();
  return async ({ conversationId, mentions }) => {
    const files = await linkedFiles();
    if (files.length === 0) return [];
    const words = [...files.map(({ uri }) => vscode.workspace.asRelativePath(uri)), ...workflowToolNames];
    const isAbout = () => files.some(({ uri }) => isOpen(uri)) || mentions(words);
    if (!offered.has(conversationId) && !isAbout()) return [];
    offered.add(conversationId);
    return (await import('./flowTools.ts')).toFlowTools(context);
  };
}

function isOpen(uri: vscode.Uri): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => {
    const shown =
      input instanceof vscode.TabInputTextDiff
        ? input.modified
        : input instanceof vscode.TabInputText
          ? input.uri
          : undefined;
    return shown?.toString() === uri.toString();
  });
}
