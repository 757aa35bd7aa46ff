import ignore, { type Ignore } from 'ignore';
import { type FileSystem, fileErrorKind, joinPath } from '../files/fileSystem.ts';

const ignoreFiles = ['.gitignore', '.switchboardignore'] as const;
const largestIgnoreFile = 1_000_000;

export interface IgnoreLevel {
  /** Relative to the root of the rules. */
  folder: string;
  rules: readonly (Ignore | undefined)[];
}

/** Reads `.gitignore`, `.switchboardignore` and `.git/info/exclude`; an unreadable file excludes its folder. */
export class IgnoreRules {
  private readonly levels = new Map<string, Promise<IgnoreLevel>>();
  private base: Promise<{ root: string; prefix: string }> | undefined;

  constructor(
    private readonly access: FileSystem,
    private readonly folder: string,
    private readonly ignoreCase: boolean,
  ) {}

  async levelOf(relative: string): Promise<IgnoreLevel> {
    const { prefix } = await (this.base ??= this.findBase());
    return this.level(joinPath(prefix, relative));
  }

  async levelOfListed(relative: string, has: (name: string) => boolean): Promise<IgnoreLevel> {
    const { prefix } = await (this.base ??= this.findBase());
    const folder = joinPath(prefix, relative);
    const above = folder === '' || ignoreFiles.some(has) ? undefined : await this.level(parentOf(folder));
    if (!above) return this.level(folder);
    const level = { folder, rules: above.rules };
    this.levels.set(folder, Promise.resolve(level));
    return level;
  }

  isIgnored(level: IgnoreLevel, name: string, isFolder: boolean): boolean {
    // Some systems decompose accents.
    const path = (joinPath(level.folder, name) + (isFolder ? '/' : '')).normalize('NFC');
    return level.rules.some((rules) => rules?.test(path).ignored === true);
  }

  async excludes(relative: string, isFolder: boolean): Promise<boolean> {
    const names = relative.split('/').filter(Boolean);
    for (const [index, name] of names.entries()) {
      const level = await this.levelOf(names.slice(0, index).join('/'));
      if (this.isIgnored(level, name, isFolder || index < names.length - 1)) return true;
    }
    return false;
  }

  /** Above the workspace folder only a repository's rules apply. */
  private async findBase(): Promise<{ root: string; prefix: string }> {
    const names = this.folder.split('/');
    for (let depth = names.length; depth > 1; depth--) {
      const root = names.slice(0, depth).join('/');
      const isRoot = await isThere(this.access, joinPath(root, '.git'));
      if (isRoot) return { root, prefix: names.slice(depth).join('/') };
    }
    return { root: this.folder, prefix: '' };
  }

  private level(folder: string): Promise<IgnoreLevel> {
    let level = this.levels.get(folder);
    if (!level) {
      level = this.readLevel(folder);
      this.levels.set(folder, level);
    }
    return level;
  }

  private async readLevel(folder: string): Promise<IgnoreLevel> {
    const isRoot = folder === '';
    const above = isRoot ? undefined : await this.level(parentOf(folder));
    const rules = await Promise.all(
      ignoreFiles.map(async (name, index) => {
        const inherited = above?.rules[index];
        const patterns = [
          isRoot && name === '.gitignore' ? await this.patternsOf('.git/info/exclude', '') : '',
          await this.patternsOf(joinPath(folder, name), folder),
        ].join('\n');
        if (patterns.trim() === '') return inherited;
        const own = ignore({ ignorecase: this.ignoreCase, allowRelativePaths: true });
        return (inherited ? own.add(inherited) : own).add(patterns.normalize('NFC'));
      }),
    );
    return { folder, rules };
  }

  private async patternsOf(file: string, folder: string): Promise<string> {
    const { root } = await (this.base ??= this.findBase());
    const path = joinPath(root, file);
    try {
      return (await this.access.find(path)) ? rebasePatterns(await this.read(path), folder) : '';
    } catch (error) {
      return fileErrorKind(error) === 'not-found' ? '' : rebasePatterns('*', folder);
    }
  }

  private async read(path: string): Promise<string> {
    const file = await this.access.open(await this.access.realPath(path));
    try {
      // Git ignores a folder of that name, too.
      if (file.stat.type === 'folder') return '';
      if (file.stat.type !== 'file' || file.stat.size > largestIgnoreFile) throw new Error('not readable');
      const bytes = new Uint8Array(file.stat.size);
      const length = await file.read(bytes, 0);
      return new TextDecoder().decode(bytes.subarray(0, length));
    } finally {
      await file.close();
    }
  }
}

function rebasePatterns(text: string, folder: string): string {
  if (folder === '') return text;
  const prefix = `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&')}/`;
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const negation = line.startsWith('!') ? '!' : '';
      const pattern = line.slice(negation.length).replace(/^\\([!#])/, '$1');
      const isAnchored = /\/(?!\s*$)/.test(pattern);
      return negation + prefix + (isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`);
    })
    .join('\n');
}

export async function isThere(access: FileSystem, path: string): Promise<boolean> {
  return (await access.find(path).catch(() => undefined)) !== undefined;
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
}
