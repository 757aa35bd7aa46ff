import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { reviewCommandId, reviewCommands } from '../ids.ts';
import type { WindowParts } from '../windowParts.ts';

/** The commands on hunks in an editor. What they do is loaded with the first use. */
export function registerReview(parts: () => Promise<WindowParts>): Disposable {
  const registered = reviewCommands.map((name) =>
    vscode.commands.registerCommand(reviewCommandId(name), async (hunk?: unknown) => {
      const { review } = await parts();
      return (await review()).run(name, hunk);
    }),
  );
  return vscode.Disposable.from(...registered);
}
