import type { Disposable } from '../../base/disposable.ts';
import type { RedactableText } from '../../base/secrets/redactSecrets.ts';
import type { FileSystem } from './fileSystem.ts';

export interface WorkspaceFolder {
  /** The first part of shown paths if there are several folders. */
  name: string;
  /** Absolute, with forward slashes; a URI for virtual file systems. */
  path: string;
  isVirtual: boolean;
}

export interface PolicyRules {
  isTrusted: boolean;
  filesExclude: readonly string[];
  toolsExclude: readonly string[];
  toolsProtected: readonly string[];
}

export interface Files {
  folders(): readonly WorkspaceFolder[];
  rules(): PolicyRules;
  access: FileSystem;
  /** The configured encoding (`utf8`, `gbk`); undefined if none is set. */
  encodingOf(path: string): string | undefined;
}

/** 1-based. */
export interface Position {
  line: number;
  column: number;
}

export interface Range {
  start: Position;
  end: Position;
}

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
  /** The main selection of a visible editor, unless empty. */
  selection?: Range & RedactableText;
  cursor?: Position;
}

export interface Editors {
  unsaved(): readonly UnsavedText[];
  open(): readonly OpenEditor[];
}

export interface SymbolFound {
  name: string;
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
  source?: string;
  code?: string;
}

/** Results of language extensions. Rejects like the editor; an empty list means unknown. */
export interface LanguageFeatures {
  workspaceSymbols(query: string, signal: AbortSignal): Promise<SymbolFound[]>;
  documentSymbols(path: string, signal: AbortSignal): Promise<SymbolFound[]>;
  references(
    path: string,
    position: Position,
    signal: AbortSignal,
  ): Promise<{ path: string; range: Range }[]>;
  diagnostics(path?: string): Diagnostic[];
  onDidChangeDiagnostics(path: string, listener: () => void): Disposable;
}

export interface GitChange {
  path: string;
  state: 'modified' | 'added' | 'deleted' | 'renamed' | 'untracked' | 'conflicting' | 'other';
  isStaged: boolean;
  from?: string;
  before?: FileVersion;
  /** The staged content, if it is compared instead of the file. */
  staged?: FileVersion;
}

/** Rejects if it can't be read or is larger than 64 MB. */
export type FileVersion = (signal: AbortSignal) => Promise<Uint8Array>;

export interface CommittedFile {
  commit: string;
  /** SHA-256 of the content, and of it as it is checked out with CR LF. */
  hashes: readonly string[];
}

export interface SourceControl {
  /** By path. Files that are not in the last commit, or are large, are missing. */
  committed(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, CommittedFile>>;
  /** A file as it was in a commit; undefined if Git can't tell. */
  readAt(path: string, commit: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  changes(signal: AbortSignal): Promise<GitChange[] | undefined>;
  branch(): Promise<string | undefined>;
}

export interface FileEdit {
  path: string;
  /** The expected text, as `readText` returns it; undefined: the file must not exist. */
  before: string | undefined;
  after: string | undefined;
}

export interface FileEdits {
  prepare(path: string): void;
  /** Edits undoably; saves if nothing was unsaved. Resolves with the text, possibly formatted. Rejects if refused. */
  apply(edit: FileEdit): Promise<string | undefined>;
  /** Removes an empty folder; rejects for any other. */
  removeFolder(path: string): Promise<void>;
}

export interface Workspace {
  files: Files;
  editors: Editors;
  languages: LanguageFeatures;
  sourceControl: SourceControl;
  edits: FileEdits;
}
