import type { AppHost } from '../../panel/chatAppDesk.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';
import { messageOf } from '../../base/messageOf.ts';

/** What the panel's half of apps needs, met by the editor. */
export function createAppHost(tools: () => Promise<WorkspaceTools>, tell: (text: string) => void): AppHost {
  return {
    async chooseFiles(isMany) {
      const { chooseLocalFiles } = await import('./takeFiles.ts');
      return (await chooseLocalFiles((await tools()).needs, isMany, tell)) ?? [];
    },
    showError: (error) => tell(messageOf(error)),
  };
}
