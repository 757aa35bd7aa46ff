import type { Disposable } from '../base/disposable.ts';
import type { FileAccess } from './fileAccess.ts';

/** One folder of the workspace. */
export interface WorkspaceFolder {
  /** As the user sees it; the first part of paths when there are several folders. */
  name: string;
  /** Absolute, with forward slashes and none at the end; for virtual file systems a URI without query. */
  path: string;
  /** Not on a disk that Node or ripgrep could read. */
  isVirtual: boolean;
}

/** What the settings and the user's trust say about files. */
export interface PolicyRules {
  isTrusted: boolean;
  /** Globs that are on in `files.exclude`. */
  filesExclude: readonly string[];
  /** Globs of `switchboard.tools.exclude`. */
  toolsExclude: readonly string[];
  /** Globs of `switchboard.tools.protected`: files whose change always asks, beside the built-in list. */
  toolsProtected: readonly string[];
}

/** The folders, the rules and the file system: what the file policy needs. */
export interface Files {
  folders(): readonly WorkspaceFolder[];
  rules(): PolicyRules;
  access: FileAccess;
  /** The encoding that settings give for a file (`utf8`, `gbk`, …); undefined where they say nothing of it. */
  encodingOf(path: string): string | undefined;
}

/** 1-based, as people and models count. */
export interface Position {
  line: number;
  column: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** An editor's text that is not on disk yet. */
export interface UnsavedText {
  path: string;
  text: string;
}

export interface OpenEditor {
  path: string;
  isActive: boolean;
  isVisible: boolean;
  hasUnsavedChanges: boolean;
  languageId?: string;
  /** The main selection, when the editor is visible and something is selected. */
  selection?: Range & { text: string };
  /** Where the cursor is, when the editor is visible. */
  cursor?: Position;
}

export interface Editors {
  unsaved(): readonly UnsavedText[];
  open(): readonly OpenEditor[];
}

export interface SymbolFound {
  name: string;
  /** `function`, `class`, … in lower case. */
  kind: string;
  container?: string;
  path: string;
  range: Range;
}

export interface Diagnostic {
  path: string;
  range: Range;
  severity: 'error' | 'warning' | 'information' | 'hint';
  message: string;
  /** Who says it, `ts`, and its number or name. */
  source?: string;
  code?: string;
}

/** What language extensions know. Each rejects when the editor does; an empty list means nothing is known. */
export interface LanguageFeatures {
  workspaceSymbols(query: string, signal: AbortSignal): Promise<SymbolFound[]>;
  documentSymbols(path: string, signal: AbortSignal): Promise<SymbolFound[]>;
  references(
    path: string,
    position: Position,
    signal: AbortSignal,
  ): Promise<{ path: string; range: Range }[]>;
  /** Of one file, or of everything known. */
  diagnostics(path?: string): Diagnostic[];
  /** What is known of this file has changed. */
  onDidChangeDiagnostics(path: string, listener: () => void): Disposable;
}

export interface FileChange {
  path: string;
  state: 'modified' | 'added' | 'deleted' | 'renamed' | 'untracked' | 'conflicting' | 'other';
  isStaged: boolean;
  /** Where a renamed file was before. */
  from?: string;
}

export interface SourceControl {
  /** Undefined where there is no repository or no Git extension. */
  changes(signal: AbortSignal): Promise<FileChange[] | undefined>;
  /** What is checked out in the first repository; undefined where there is none, or the editor does not know yet. */
  branch(): Promise<string | undefined>;
  /** Unified diff of a file against the last commit. */
  diff(path: string, signal: AbortSignal): Promise<string>;
}

/** A file's whole new text; undefined deletes it. */
export interface FileEdit {
  path: string;
  /** What it must still be, as `readText` gives it, when the edit is made; undefined: the file must not exist. */
  before: string | undefined;
  after: string | undefined;
}

export interface FileEdits {
  /** Has the editor read a file that may soon be edited, which an edit would wait for. */
  prepare(path: string): void;
  /**
   * Makes the edit so that it can be undone, and saves it unless the user has unsaved changes in the file. Resolves
   * with the text as it is then, which formatting on save may have changed. Rejects if the editor refuses.
   */
  apply(edit: FileEdit): Promise<string | undefined>;
  /** Removes a folder in which nothing is. Rejects for any other. */
  removeFolder(path: string): Promise<void>;
}

/** All that tools need of an editor. `src/host/vscodeWorkspace.ts` meets it, tests have one in memory. */
export interface Workspace {
  files: Files;
  editors: Editors;
  languages: LanguageFeatures;
  sourceControl: SourceControl;
  edits: FileEdits;
}
