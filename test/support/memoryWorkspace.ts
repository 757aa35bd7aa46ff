import { createHash } from 'node:crypto';
import { Emitter } from '../../src/base/emitter.ts';
import type { FileSystem } from '../../src/tools/files/fileSystem.ts';
import type {
  Diagnostic,
  GitChange,
  FileEdit,
  OpenEditor,
  PolicyRules,
  Position,
  Range,
  SourceControl,
  SymbolFound,
  Workspace,
  WorkspaceFolder,
} from '../../src/tools/files/workspace.ts';
import { MemoryFiles, type MemoryEntry } from './memoryFiles.ts';

/** Files are in memory unless another access is given. */
export class MemoryWorkspace implements Workspace {
  folderList: WorkspaceFolder[] = [{ name: 'work', path: '/work', isVirtual: false }];
  ruleSet: PolicyRules = { isTrusted: true, filesExclude: ['**/.git'], toolsExclude: [], toolsProtected: [] };
  /** Path → unsaved text of an editor. */
  readonly unsavedTexts = new Map<string, string>();
  openEditors: OpenEditor[] = [];
  symbols: SymbolFound[] = [];
  diagnosticList: Diagnostic[] = [];
  onApply = () => {};
  /** Fired with the path of a file that got new diagnostics. */
  readonly diagnosticsChanged = new Emitter<string>();
  referenceList: { path: string; range: Range }[] = [];
  askedPosition: Position | undefined;
  changeList: GitChange[] | undefined = undefined;
  branchName: string | undefined = undefined;
  readonly applied: FileEdit[] = [];
  readonly prepared: string[] = [];
  readonly removedFolders: string[] = [];
  encodings: Record<string, string> = {};
  readonly memory: MemoryFiles;

  constructor(
    entries: Record<string, MemoryEntry> = {},
    private readonly access?: FileSystem,
  ) {
    this.memory = new MemoryFiles(entries);
  }

  get files() {
    return {
      folders: () => this.folderList,
      rules: () => this.ruleSet,
      access: this.access ?? this.memory,
      encodingOf: (path: string) => this.encodings[path],
    };
  }

  readonly editors = {
    unsaved: () => [...this.unsavedTexts].map(([path, text]) => ({ path, text })),
    open: () => this.openEditors,
  };

  readonly languages = {
    workspaceSymbols: async (query: string) => this.symbols.filter(({ name }) => name.includes(query)),
    documentSymbols: async (path: string) => this.symbols.filter((symbol) => symbol.path === path),
    references: async (_path: string, position: Position) => {
      this.askedPosition = position;
      return this.referenceList;
    },
    onDidChangeDiagnostics: (path: string, listener: () => void) =>
      this.diagnosticsChanged.event((changed) => changed === path && listener()),
    diagnostics: (path?: string) =>
      this.diagnosticList.filter((diagnostic) => path === undefined || diagnostic.path === path),
  };

  /** Contents by commit and path; the newest commit is last. */
  readonly commits = new Map<string, Record<string, string>>();

  readonly sourceControl: SourceControl = {
    committed: async (paths) => {
      const [commit = '', files = {}] = [...this.commits].at(-1) ?? [];
      const known = paths.filter((path) => files[path] !== undefined);
      const hashOf = (path: string) => createHash('sha256').update(files[path]!).digest('hex');
      return new Map(known.map((path) => [path, { commit, hashes: [hashOf(path)] }]));
    },
    readAt: async (path, commit) => {
      const text = this.commits.get(commit)?.[path];
      return text === undefined ? undefined : Buffer.from(text);
    },
    changes: async () => this.changeList,
    branch: async () => this.branchName,
  };

  readonly edits = {
    prepare: (path: string) => void this.prepared.push(path),
    apply: async (edit: FileEdit) => {
      const current = this.memory.entries.get(edit.path);
      if (current !== edit.before) throw new Error('the file is not what it was');
      this.applied.push(edit);
      const folder = edit.path.slice(0, edit.path.lastIndexOf('/'));
      for (let at = folder; at; at = at.slice(0, at.lastIndexOf('/'))) this.memory.folders.add(at);
      if (edit.after === undefined) this.memory.delete(edit.path);
      else this.memory.set(edit.path, edit.after);
      this.onApply();
      // Language support reacts at once.
      this.diagnosticsChanged.fire(edit.path);
      return edit.after;
    },
    removeFolder: async (path: string) => {
      const others = [...this.memory.entries.keys(), ...this.memory.folders];
      if (others.some((each) => each.startsWith(`${path}/`))) {
        throw new Error('the folder is not empty');
      }
      this.memory.folders.delete(path);
      this.removedFolders.push(path);
    },
  };
}
