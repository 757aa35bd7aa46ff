import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The folder that all windows of a workspace share. Where several are open, as tabs of a browser or over a remote, the
 * editor locks the workspace's own folder for the first of them and gives each other a folder beside it, with a number.
 * @param folder of this extension, in the folder that the editor gave this window
 */
export function sharedStorageFolder(folder: string): string {
  const given = dirname(folder);
  const first = given.replace(/(?<=[\da-f])-\d$/, '');
  if (first === given || !existsSync(join(first, 'vscode.lock'))) return folder;
  return join(first, basename(folder));
}
