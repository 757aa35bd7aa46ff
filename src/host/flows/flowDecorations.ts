import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppFlowState } from '../../apps/appTreeNode.ts';
import { type FlowState, flowState, hashOfDsl } from '../../flows/flowState.ts';
import { findLinkedFile, type LinkedFile, linkedFiles, readText } from './flowWorkspace.ts';

/** Hashes of the platform's drafts as they were last seen, by file. */
const seen = new Map<string, string>();
const changes = new vscode.EventEmitter<vscode.Uri>();

/** Fires when a file, or what is known of its app, has changed. */
export const onDidChangeState = changes.event;

/** Remembers the platform's draft of a file until the window closes. */
export function notePlatform(uri: vscode.Uri, text: string): void {
  seen.set(uri.toString(), hashOfDsl(text));
  changes.fire(uri);
}

/** Takes the draft for that of the link, after a pull or a push. */
export function forgetPlatform(uri: vscode.Uri): void {
  seen.delete(uri.toString());
  changes.fire(uri);
}

const badges: Readonly<Record<Exclude<FlowState, 'same'>, string>> = {
  changedHere: '↑',
  changedThere: '↓',
  changedBoth: '↕',
};

let isRegistered = false;

/** Marks linked files in the Explorer that differ from the platform, as it was last seen. */
export function registerFlowDecorations(): void {
  if (isRegistered) return;
  isRegistered = true;
  // The parts of the window, which set this, are not needed for marks.
  l10n.config({ contents: vscode.l10n.bundle ?? {} });
  vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (/\.ya?ml$/i.test(uri.path)) changes.fire(uri);
  });
  vscode.window.registerFileDecorationProvider({
    onDidChangeFileDecorations: changes.event,
    async provideFileDecoration(uri) {
      if (!/\.ya?ml$/i.test(uri.path)) return undefined;
      const linked = await findLinkedFile(uri);
      const state = linked && (await stateOf(linked));
      if (!state || state === 'same') return undefined;
      return new vscode.FileDecoration(badges[state], stateText(state));
    },
  });
}

/** Undefined for a file that is gone. */
async function stateOf({ uri, link: { synced } }: LinkedFile): Promise<FlowState | undefined> {
  const text = await readText(uri);
  if (text === undefined) return undefined;
  const platform = seen.get(uri.toString()) ?? synced.platform;
  return flowState(synced, { file: hashOfDsl(text), platform });
}

/** The states of all linked files, in words, by the origin and id of their apps. */
export async function appStates(): Promise<Map<string, AppFlowState>> {
  const states = new Map<string, AppFlowState>();
  for (const file of await linkedFiles()) {
    const state = await stateOf(file);
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
