import { globProblem, globTest } from '../../base/files/matchGlob.ts';
import { readFrontMatter } from '../../base/text/frontMatter.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { joinPath } from '../../tools/files/fileSystem.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { WorkspaceFolder } from '../../tools/files/workspace.ts';

export interface InstructionFile {
  path: string;
  /** Without front matter; secrets are redacted. */
  text: string;
}

/** Always read, in this order: the open format first, then those of other assistants. */
const rootFiles = ['AGENTS.md', '.github/copilot-instructions.md', 'CLAUDE.md', '.claude/CLAUDE.md'];
const nestedFiles = ['AGENTS.md', 'CLAUDE.md'];
const scopedFolder = '.github/instructions';
const scopedEnding = '.instructions.md';
const mostScoped = 100;
const mostFolders = 12;
const largestFile = 1_000_000;

/** Reads instruction files through the file policy; none in untrusted workspaces. */
export class InstructionFiles {
  constructor(private readonly deps: ToolDependencies) {}

  async ofWorkspace(): Promise<InstructionFile[]> {
    const found: InstructionFile[] = [];
    for (const folder of this.folders) {
      for (const name of rootFiles) found.push(...(await this.read(joinPath(folder.path, name))));
      for (const file of await this.scoped(folder)) if (appliesToAll(file.globs)) found.push(file);
    }
    return distinct(found);
  }

  /** Files of the enclosing folders, outermost first, and those whose globs match. */
  async of(paths: readonly string[]): Promise<InstructionFile[]> {
    if (!this.isTrusted) return [];
    const run = this.deps.policy.start();
    const verdicts = await Promise.all(paths.map((path) => run.check(path, 'read')));
    const files = verdicts.filter((verdict): verdict is GrantedFile => verdict.isAllowed);
    const found: InstructionFile[] = [];
    const folders = new Set(files.flatMap((file) => foldersAbove(file)));
    for (const folder of folders) {
      for (const name of nestedFiles) found.push(...(await this.read(joinPath(folder, name))));
    }
    for (const folder of new Set(files.map((file) => file.folder))) {
      const relatives = files.filter((file) => file.folder === folder).map(({ relative }) => relative);
      for (const file of await this.scoped(folder)) {
        if (!appliesToAll(file.globs) && applies(file.globs, relatives)) found.push(file);
      }
    }
    return distinct(found);
  }

  private get isTrusted(): boolean {
    return this.deps.workspace.files.rules().isTrusted;
  }

  private get folders(): readonly WorkspaceFolder[] {
    return this.isTrusted ? this.deps.workspace.files.folders() : [];
  }

  /** Files without globs are omitted, since they are chosen by hand. */
  private async scoped(folder: WorkspaceFolder): Promise<(InstructionFile & { globs: readonly string[] })[]> {
    const paths = await this.scopedPaths(joinPath(folder.path, scopedFolder));
    const files = await Promise.all(paths.map((path) => this.read(path)));
    return files.flat().filter(({ globs }) => globs.length > 0);
  }

  private async scopedPaths(start: string): Promise<string[]> {
    const paths: string[] = [];
    const open = [start];
    for (let looked = 0; looked < mostScoped && open.length > 0 && paths.length < mostScoped; looked++) {
      const folder = open.shift()!;
      const entries = await this.deps.workspace.files.access.list(folder).catch(() => []);
      for (const { name, type } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        if (type === 'folder') open.push(joinPath(folder, name));
        else if (name.endsWith(scopedEnding)) paths.push(joinPath(folder, name));
      }
    }
    return paths.slice(0, mostScoped);
  }

  private async read(path: string): Promise<[] | [InstructionFile & { globs: readonly string[] }]> {
    const { policy, texts, workspace } = this.deps;
    // Most candidates don't exist, and a lookup is cheaper than a policy check.
    if (!(await workspace.files.access.find(path).catch(() => undefined))) return [];
    const file = await policy.check(path, 'read');
    if (!file.isAllowed || (file.stat?.size ?? 0) > largestFile) return [];
    const whole = await texts.readWhole(file).catch(() => '');
    const { fields, body } = await readFrontMatter(whole);
    const text = redactSecrets(path.endsWith(scopedEnding) ? body : whole).trim();
    if (text === '') return [];
    const globs = (fields['applyTo'] ?? []).flatMap((value) => splitGlobs(value));
    return [{ path: file.shown, text, globs }];
  }
}

function foldersAbove({ folder, relative }: GrantedFile): string[] {
  const names = relative.split('/').slice(0, -1).slice(0, mostFolders);
  return names.map((_, index) => joinPath(folder.path, names.slice(0, index + 1).join('/')));
}

function splitGlobs(value: string): string[] {
  return value
    .split(/,(?![^{]*\})/)
    .map((glob) => glob.trim())
    .filter(Boolean);
}

function appliesToAll(globs: readonly string[]): boolean {
  return globs.some((glob) => glob === '**' || glob === '*' || glob === '**/*');
}

/** Globs are relative to the root, or may begin at any folder as in the editor. */
function applies(globs: readonly string[], relatives: readonly string[]): boolean {
  return globs
    .filter((glob) => globProblem(glob) === undefined)
    .flatMap((glob) => [glob.replace(/^\.?\//, ''), `**/${glob.replace(/^\.?\//, '')}`])
    .some((glob) => relatives.some(globTest(glob)));
}

function distinct(files: readonly InstructionFile[]): InstructionFile[] {
  const byText = new Map<string, InstructionFile>();
  for (const { path, text } of files) if (!byText.has(text)) byText.set(text, { path, text });
  return [...byText.values()];
}
