import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { viewId } from './ids.ts';
import type { WindowParts } from './windowParts.ts';

/** The panel's place in the editor. All that it shows is loaded when it is first opened. */
export function registerPanel(parts: () => Promise<WindowParts>): Disposable {
  return vscode.window.registerWebviewViewProvider(viewId, {
    async resolveWebviewView(shown) {
      let isClosed = false;
      shown.onDidDispose(() => (isClosed = true));
      const { view } = await parts();
      if (!isClosed) await view.resolveWebviewView(shown);
    },
  });
}
