import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { lazy } from '../base/lazy.ts';
import { AttachmentList } from '../chat/attachments/attachmentList.ts';
import type { AttachmentTarget } from '../chat/attachments/attachmentTarget.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { ModelCatalog } from '../chat/modelCatalog.ts';
import { AttachmentController } from '../panel/attachmentController.ts';
import { attachmentHost } from './attachmentHost.ts';
import { viewId } from './ids.ts';
import type { Memory } from '../settings/memory.ts';
import type { WorkspaceTools } from './workspaceTools.ts';

export interface AttachingDependencies {
  /** Loaded when something is attached. */
  tools(): Promise<WorkspaceTools>;
  memory: Memory;
  chat: ChatController;
  catalog: ModelCatalog;
  /** The app that the next message goes to, if one is chosen. */
  app(): AttachmentTarget | undefined;
}

/** What goes with the next message, with what the last window left of it. */
export function createAttachmentController({
  tools,
  memory,
  chat,
  catalog,
  app,
}: AttachingDependencies): AttachmentController {
  const work = lazy(async () => {
    const [{ createAttachmentWork }, loaded] = await Promise.all([import('./attachmentWork.ts'), tools()]);
    return createAttachmentWork(loaded);
  });
  const list = new AttachmentList(async () => (await work()).reader, memory, randomUUID);
  void list.restore();
  return new AttachmentController({
    list,
    mentions: async () => (await work()).mentions,
    host: {
      ...attachmentHost,
      async chooseFiles() {
        const chosen = await attachmentHost.chooseFiles();
        // The editor's own dialog leaves the focus in the text editors.
        await vscode.commands.executeCommand(`${viewId}.focus`);
        return chosen;
      },
    },
    model() {
      const id = chat.model;
      return id === undefined ? undefined : (app() ?? catalog.find(id) ?? { name: id });
    },
  });
}
