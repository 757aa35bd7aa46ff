import { messageOf } from '../../base/messageOf.ts';
import type { AppHost } from '../../panel/appController.ts';
import { showError } from '../notifications.ts';
import type { WorkspaceTools } from '../workspaceTools.ts';

/** What the panel's half of apps needs, met by the editor. */
export function createAppHost(
  tools: () => Promise<WorkspaceTools>,
  fillRunForm: AppHost['fillRunForm'],
): AppHost {
  return {
    async chooseFiles(isMany) {
      const { chooseLocalFiles } = await import('./takeFiles.ts');
      return (await chooseLocalFiles((await tools()).dependencies, isMany)) ?? [];
    },
    showError: (error) => void showError(messageOf(error)),
    fillRunForm,
  };
}
