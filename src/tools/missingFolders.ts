import type { FileAccess } from './fileAccess.ts';

/** The folders that a new file needs and that are not there yet, innermost first. */
export async function missingFolders(access: FileAccess, filePath: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = parentOf(filePath); folder && !(await access.find(folder)); folder = parentOf(folder)) {
    missing.push(folder);
  }
  return missing;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
