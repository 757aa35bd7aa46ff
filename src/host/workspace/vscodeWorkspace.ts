import * as vscode from 'vscode';
import { redactSecrets, type RedactableText } from '../../base/secrets/redactSecrets.ts';
import type { FileSystem } from '../../tools/files/fileSystem.ts';
import { nodeFileSystem } from '../../tools/files/nodeFileSystem.ts';
import type {
  Editors,
  Files,
  OpenEditor,
  PolicyRules,
  Workspace,
  WorkspaceFolder,
} from '../../tools/files/workspace.ts';
import { edits } from './workspaceEdits.ts';
import { sourceControl } from './workspaceGit.ts';
import { languages } from './workspaceLanguages.ts';
import { fromPosition, fromRange, isVirtualPath, toPath, toUri } from './workspacePlaces.ts';
import { virtualFiles } from './workspaceVirtualFiles.ts';

const access = (path: string): FileSystem => (isVirtualPath(path) ? virtualFiles : nodeFileSystem);

export type PolicyGlobs = Pick<PolicyRules, 'toolsExclude' | 'toolsProtected'>;

const editors: Editors = {
  unsaved: () =>
    vscode.workspace.textDocuments
      .filter((document) => document.isDirty && isFile(document.uri))
      .map((document) => ({ path: toPath(document.uri), text: document.getText() })),

  open() {
    const found = new Map<string, OpenEditor>();
    for (const { tabs } of vscode.window.tabGroups.all) {
      for (const { input } of tabs) {
        const uri = uriOf(input);
        if (uri && isFile(uri)) found.set(uri.toString(), describe(uri));
      }
    }
    return [...found.values()];
  },
};

export function createVscodeWorkspace(globs: () => PolicyGlobs): Workspace {
  return { files: createFiles(globs), editors, languages, sourceControl, edits };
}

function createFiles(globs: () => PolicyGlobs): Files {
  return {
    folders: () => (vscode.workspace.workspaceFolders ?? []).map(toFolder),
    rules: (): PolicyRules => ({
      isTrusted: vscode.workspace.isTrusted,
      filesExclude: filesExclude(),
      ...globs(),
    }),
    access: {
      realPath: (path) => access(path).realPath(path),
      stat: (path) => access(path).stat(path),
      find: (path) => access(path).find(path),
      list: (path) => access(path).list(path),
      open: (path) => access(path).open(path),
    },
    encodingOf(path) {
      const encoding = vscode.workspace.getConfiguration('files', toUri(path)).get<string>('encoding');
      return encoding === 'utf8' ? undefined : encoding;
    },
  };
}

function toFolder({ name, uri }: vscode.WorkspaceFolder): WorkspaceFolder {
  return { name, path: toPath(uri), isVirtual: uri.scheme !== 'file' };
}

/** Globs of all folders. A glob with a `when` clause only hides files, so it doesn't exclude them. */
function filesExclude(): string[] {
  const scopes = [undefined, ...(vscode.workspace.workspaceFolders ?? [])];
  const globs = scopes.flatMap((scope) => {
    const excluded = vscode.workspace.getConfiguration('files', scope?.uri).get<object>('exclude') ?? {};
    return Object.entries(excluded).flatMap(([glob, value]) => (value === true ? [glob] : []));
  });
  return [...new Set(globs)];
}

function describe(uri: vscode.Uri): OpenEditor {
  const isThis = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
  const document = vscode.workspace.textDocuments.find(isThis);
  const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
  const editor = active && isThis(active.document) ? active : visible.find((each) => isThis(each.document));
  return {
    path: toPath(uri),
    isActive: editor !== undefined && editor === active,
    isVisible: editor !== undefined,
    hasUnsavedChanges: document?.isDirty ?? false,
    ...(document && { languageId: document.languageId }),
    ...(editor && { cursor: fromPosition(editor.selection.active) }),
    ...(editor &&
      !editor.selection.isEmpty && {
        selection: Object.assign(
          redactableText(editor.document, editor.selection),
          fromRange(editor.selection),
        ),
      }),
  };
}

/** Redacts only when asked to: mentions, at each key, and facts don't need it. @param selection the whole document by default */
export function redactableText(document: vscode.TextDocument, selection?: vscode.Range): RedactableText {
  const whole = document.getText();
  const [first, last] = selection
    ? [document.offsetAt(selection.start), document.offsetAt(selection.end)]
    : [0, whole.length];
  return {
    text: whole.slice(first, last),
    get redacted() {
      return redactSecrets(whole, first, last);
    },
  };
}

/** Settings, output and search results are editors without a file. */
function isFile({ scheme }: vscode.Uri): boolean {
  return (
    scheme === 'file' || (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === scheme)
  );
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  if (input instanceof vscode.TabInputNotebook) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
