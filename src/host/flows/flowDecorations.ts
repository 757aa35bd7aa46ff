import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppFlowState } from '../../apps/appTreeNode.ts';
import { type FlowState, flowState, hashOfDsl } from '../../flows/flowState.ts';
import type { FlowFiles } from './flowFiles.ts';
import { findLinkedFile, type LinkedFile, linkedFiles, readText } from './flowWorkspace.ts';

const badges: Readonly<Record<Exclude<FlowState, 'same'>, string>> = {
  changedHere: '↑',
  changedThere: '↓',
  changedBoth: '↕',
};

export function registerFlowDecorations(files: FlowFiles): vscode.Disposable {
  // Normally set by the window's parts, which marks don't need.
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  return vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (/\.ya?ml$/i.test(uri.path)) files.saved(uri);
    }),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: files.onDidChangeState,
      async provideFileDecoration(uri) {
        if (!/\.ya?ml$/i.test(uri.path)) return undefined;
        const linked = await findLinkedFile(uri);
        const state = linked && (await stateOf(files, linked));
        if (!state || state === 'same') return undefined;
        return new vscode.FileDecoration(badges[state], stateText(state));
      },
    }),
  );
}

async function stateOf(
  files: FlowFiles,
  { uri, link: { synced } }: LinkedFile,
): Promise<FlowState | undefined> {
  const text = await readText(uri);
  if (text === undefined) return undefined;
  const platform = files.draftHash(uri) ?? synced.platform;
  return flowState(synced, { file: hashOfDsl(text), platform });
}

export async function appStates(files: FlowFiles): Promise<Map<string, AppFlowState>> {
  const states = new Map<string, AppFlowState>();
  for (const file of await linkedFiles()) {
    const state = await stateOf(files, file);
    if (!state) continue;
    const { server, appId, path } = file.link;
    const badge = state === 'same' ? '✓' : badges[state];
    states.set(`${server} ${appId}`, { badge, text: `${path}: ${stateText(state)}` });
  }
  return states;
}

export function stateText(state: FlowState): string {
  switch (state) {
    case 'same':
      return l10n.t('Same on the platform.');
    case 'changedHere':
      return l10n.t('Changed here.');
    case 'changedThere':
      return l10n.t('Changed on the platform.');
    case 'changedBoth':
      return l10n.t('Changed here and on the platform.');
  }
}
