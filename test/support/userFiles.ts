import { filesOfUser } from '../../src/tools/files/filesOfUser.ts';
import type { FileReaders, ToolDependencies } from '../../src/tools/toolDependencies.ts';

/** Readers of the user's own folders, of which there are none. */
export function noUserFiles(dependencies: Pick<ToolDependencies, 'workspace'>): FileReaders {
  return filesOfUser(dependencies, {});
}
