import type { FileSystem, OpenFile } from '../files/fileSystem.ts';

/** True if an open file is the one judged by its real path; parent folders may have become links. Never throws. */
export async function isJudgedFile(open: OpenFile, realPath: string, access: FileSystem): Promise<boolean> {
  const liesAt = open.realPath;
  if (liesAt !== undefined) return liesAt === realPath;
  try {
    const before = await access.realPath(realPath);
    const { type, identity } = await access.stat(realPath);
    const after = await access.realPath(realPath);
    return before === realPath && after === realPath && type === 'file' && identity === open.stat.identity;
  } catch {
    return false;
  }
}
