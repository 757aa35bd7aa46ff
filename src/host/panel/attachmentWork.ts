import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TextSource } from '../../chat/attachments/attachment.ts';
import type { AttachmentList } from '../../chat/attachments/attachmentList.ts';
import { AttachmentReader } from '../../chat/attachments/readAttachment.ts';
import { MentionFinder } from '../../chat/mentions/mentionFinder.ts';
import { activeTerminal } from '../commands/terminalWatch.ts';
import { toCancellationToken } from '../ui/cancellation.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';

export interface AttachmentWork {
  reader: AttachmentReader;
  mentions: MentionFinder;
}

/** Separate from its caller, so that it loads with the first attachment. */
export function createAttachmentWork(
  tools: WorkspaceTools,
  list: AttachmentList,
  attachPage: () => Promise<unknown>,
): AttachmentWork {
  const deps = () => tools.dependencies;
  const attachTerminal = () => {
    const { line, read } = activeTerminal();
    const source: TextSource = { type: 'text', of: 'terminal', name: line || l10n.t('Terminal'), text: '' };
    return list.load(source, async () => read(await tools.secrets()));
  };
  return {
    reader: new AttachmentReader(deps),
    mentions: new MentionFinder(deps, listFileNames, Date.now, {
      terminal: activeTerminal,
      attachTerminal,
      attachPage,
    }),
  };
}

/** File names regardless of the policy: only the user sees them, and attaches files one by one. */
async function listFileNames(limit: number, signal: AbortSignal): Promise<string[]> {
  const { token, dispose } = toCancellationToken(signal);
  try {
    const found = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', limit, token);
    return found.map((uri) => vscode.workspace.asRelativePath(uri));
  } finally {
    dispose();
  }
}
