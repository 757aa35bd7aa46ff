import type { FileSystem, FileEntry, FileStat } from '../../src/tools/files/fileSystem.ts';

export type MemoryEntry = string | Uint8Array | { linkTo: string };

/** An in-memory file system by absolute path. Folders exist once they have had an entry. */
export class MemoryFiles implements FileSystem {
  readonly entries = new Map<string, MemoryEntry>();
  /** Folders that stay when they are empty. */
  readonly folders = new Set<string>();
  private readonly identities = new Map<string, string>();
  private nextIdentity = 1;
  /** True if an open file tells its path, as on Linux. */
  tellsPlaces = false;
  /** Files that are open. */
  held = 0;
  /** Called before every access, to change things at the worst moment. */
  beforeAccess: (method: keyof FileSystem, path: string) => void = () => {};

  constructor(
    entries: Record<string, MemoryEntry> = {},
    private readonly ignoreCase = false,
  ) {
    for (const [path, entry] of Object.entries(entries)) this.set(path, entry);
  }

  set(path: string, entry: MemoryEntry): void {
    this.entries.set(path, entry);
    this.identities.set(path, `memory:${this.nextIdentity++}`);
  }

  delete(path: string): void {
    this.entries.delete(path);
  }

  async realPath(path: string): Promise<string> {
    this.beforeAccess('realPath', path);
    const real = this.resolve(path, 0);
    if (!this.typeOf(real)) throw systemError('ENOENT', path);
    return real;
  }

  async stat(path: string): Promise<FileStat> {
    this.beforeAccess('stat', path);
    return this.statOf(this.entryPath(path), path);
  }

  async find(path: string): Promise<FileStat | undefined> {
    this.beforeAccess('find', path);
    const real = this.entryPath(path);
    return this.typeOf(real) && this.statOf(real, path);
  }

  async list(folder: string): Promise<FileEntry[]> {
    this.beforeAccess('list', folder);
    const real = this.resolve(folder, 0);
    if (this.typeOf(real) !== 'folder') throw systemError('ENOTDIR', folder);
    const names = new Set<string>();
    for (const path of this.entries.keys()) {
      if (path.startsWith(`${real}/`)) names.add(path.slice(real.length + 1).split('/')[0] ?? '');
    }
    return [...names].map((name) => ({ name, type: this.typeOf(`${real}/${name}`) ?? 'other' }));
  }

  async open(path: string) {
    this.beforeAccess('open', path);
    const real = this.entryPath(path);
    const stat = this.statOf(real, path);
    if (stat.type === 'link') throw systemError('ELOOP', path);
    const entry = this.entries.get(real);
    const bytes =
      typeof entry === 'string' ? Buffer.from(entry) : entry instanceof Uint8Array ? entry : Buffer.alloc(0);
    let isOpen = true;
    this.held++;
    return {
      stat,
      ...(this.tellsPlaces && { realPath: real }),
      read: async (into: Uint8Array, position: number) => {
        if (!isOpen) throw systemError('EBADF', path);
        const piece = bytes.subarray(position, position + into.length);
        into.set(piece);
        return piece.length;
      },
      close: async () => {
        if (isOpen) this.held--;
        isOpen = false;
      },
    };
  }

  /** The path with its folder resolved; the last name stays. */
  private entryPath(path: string): string {
    const cut = path.lastIndexOf('/');
    if (cut <= 0) return path;
    return this.known(`${this.resolve(path.slice(0, cut), 0)}/${path.slice(cut + 1)}`);
  }

  private statOf(real: string, path: string): FileStat {
    const type = this.typeOf(real);
    if (!type) throw systemError('ENOENT', path);
    const entry = this.entries.get(real);
    const size =
      typeof entry === 'string' ? Buffer.byteLength(entry) : entry instanceof Uint8Array ? entry.length : 0;
    const identity = this.identities.get(real);
    return { type, size, mtimeMs: 0, ...(identity !== undefined && { identity }) };
  }

  private resolve(path: string, depth: number): string {
    if (depth > 40) throw systemError('ELOOP', path);
    let real = '';
    const names = path.split('/');
    for (const [index, name] of names.entries()) {
      if (name === '..') {
        real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
        continue;
      }
      real = index === 0 ? name : this.known(`${real}/${name}`);
      const entry = this.entries.get(real);
      if (typeof entry === 'object' && 'linkTo' in entry) {
        const to =
          entry.linkTo.startsWith('/') || /^[A-Z]:/.test(entry.linkTo)
            ? entry.linkTo
            : `${real.slice(0, real.lastIndexOf('/'))}/${entry.linkTo}`;
        const rest = names.slice(index + 1).join('/');
        return this.resolve(rest === '' ? to : `${to}/${rest}`, depth + 1);
      }
    }
    return real;
  }

  /** The name's original spelling, if case makes no difference. */
  private known(path: string): string {
    if (!this.ignoreCase || this.entries.has(path)) return path;
    const lower = path.toLowerCase();
    for (const each of this.entries.keys()) {
      if (each.toLowerCase() === lower) return each;
      if (each.toLowerCase().startsWith(`${lower}/`)) return each.slice(0, path.length);
    }
    return path;
  }

  private typeOf(path: string): FileEntry['type'] | undefined {
    const entry = this.entries.get(path);
    if (entry !== undefined) return typeof entry === 'object' && 'linkTo' in entry ? 'link' : 'file';
    if (this.folders.has(path)) return 'folder';
    for (const each of this.entries.keys()) if (each.startsWith(`${path}/`)) return 'folder';
    return undefined;
  }
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
