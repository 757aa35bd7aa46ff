import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { AttachmentSource } from '../../chat/attachments/attachment.ts';
import type { ActiveEditor, ToldHost } from '../../panel/toldController.ts';
import { commandId } from '../ids.ts';
import type { Memory } from '../../settings/memory.ts';
import type { Settings } from '../settings.ts';
import { toPath } from '../workspace/workspacePlaces.ts';

export function createToldHost(memory: Memory, settings: Settings): ToldHost {
  return {
    activeEditor: () => (settings.get('chat.activeEditor') === 'never' ? undefined : activeEditor()),
    get isActiveEditorOn() {
      return !memory.isActiveEditorOff;
    },
    set isActiveEditorOn(isOn) {
      memory.isActiveEditorOff = !isOn;
    },
    get instructionsOff() {
      return memory.instructionsOff;
    },
    set instructionsOff(paths) {
      memory.instructionsOff = paths;
    },
    onDidChangeActiveEditor(listener) {
      const listening = new DisposableStore();
      listening.add(vscode.window.onDidChangeActiveTextEditor(listener));
      listening.add(vscode.window.onDidChangeTextEditorSelection(listener));
      listening.add(settings.onDidChange((name) => name('chat.activeEditor') && listener()));
      return listening;
    },
    attachActiveEditor: () => void vscode.commands.executeCommand(commandId('addToChat')),
    sourcesToAttach() {
      const { activeTextEditor: editor } = vscode.window;
      const setting = settings.get('chat.activeEditor');
      if (!editor || !activeEditor()) return [];
      const isSelected = !editor.selection.isEmpty;
      return setting === 'always' || (setting === 'selection' && isSelected) ? [sourceOf(editor)] : [];
    },
    showRequest: async (request) => (await import('./showRequest.ts')).showRequest(request),
  };
}

/** Only files of the workspace count. */
function activeEditor(): ActiveEditor | undefined {
  const { activeTextEditor: editor } = vscode.window;
  if (!editor || !vscode.workspace.getWorkspaceFolder(editor.document.uri)) return undefined;
  const { start, end, isEmpty } = editor.selection;
  return {
    path: vscode.workspace.asRelativePath(editor.document.uri),
    ...(!isEmpty && { lines: { first: start.line + 1, last: end.line + 1 } }),
  };
}

function sourceOf({ document, selection }: vscode.TextEditor): AttachmentSource {
  const path = toPath(document.uri);
  if (selection.isEmpty) return { type: 'path', path, isEditor: true };
  return { type: 'range', path, startLine: selection.start.line + 1, endLine: selection.end.line + 1 };
}
