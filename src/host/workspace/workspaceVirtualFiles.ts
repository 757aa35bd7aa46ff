import {
  fileErrorKind,
  type FileStat,
  type EntryType,
  type FileSystem,
} from '../../tools/files/fileSystem.ts';
import * as vscode from 'vscode';
import { toPath, toUri } from './workspacePlaces.ts';

/** Size limit in bytes: opening fetches the whole file. */
const largestFetched = 50_000_000;

/** File systems that only the editor can read. They have no real paths, so links are refused. */
export const virtualFiles: FileSystem = {
  async realPath(path) {
    const uri = toUri(path);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    for (let at = uri; ; at = vscode.Uri.joinPath(at, '..')) {
      const { type } = await vscode.workspace.fs.stat(at);
      if (type & vscode.FileType.SymbolicLink) {
        throw Object.assign(new Error('a link in a virtual file system'), { code: 'ELOOP' });
      }
      if (!root || at.path === root.path || at.path === '/') return toPath(uri);
    }
  },
  stat: async (path) => toStat(await vscode.workspace.fs.stat(toUri(path))),
  async find(path) {
    try {
      return toStat(await vscode.workspace.fs.stat(toUri(path)));
    } catch (error) {
      if (fileErrorKind(error) === 'not-found') return undefined;
      throw error;
    }
  },
  async list(folder) {
    const entries = await vscode.workspace.fs.readDirectory(toUri(folder));
    return entries.map(([name, type]) => ({ name, type: toType(type) }));
  },
  async open(path) {
    const uri = toUri(path);
    const stat = toStat(await vscode.workspace.fs.stat(uri));
    if (stat.type !== 'file') throw new Error('not a file');
    if (stat.size > largestFetched) throw new Error('the file is too large to be fetched');
    const bytes = await vscode.workspace.fs.readFile(uri);
    return {
      stat: { ...stat, size: bytes.length },
      read: async (into, position) => {
        const piece = bytes.subarray(position, position + into.length);
        into.set(piece);
        return piece.length;
      },
      close: async () => {},
    };
  },
};

function toStat({ type, size, mtime }: vscode.FileStat): FileStat {
  return { type: toType(type), size, mtimeMs: mtime };
}

function toType(type: vscode.FileType): EntryType {
  if (type & vscode.FileType.SymbolicLink) return 'link';
  if (type & vscode.FileType.File) return 'file';
  return type & vscode.FileType.Directory ? 'folder' : 'other';
}
