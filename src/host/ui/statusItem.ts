import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

export interface ShownStatus extends Partial<
  Pick<vscode.StatusBarItem, 'tooltip' | 'command' | 'backgroundColor'>
> {
  /** In the status bar's own menu. */
  name: string;
  icon: string;
  text?: string;
  /** Accessible name. */
  label: string;
}

export class StatusItem implements Disposable {
  private item: vscode.StatusBarItem | undefined;

  constructor(
    private readonly id: string,
    private readonly priority: number,
  ) {}

  show({ icon, text, label, ...more }: ShownStatus): void {
    this.item ??= vscode.window.createStatusBarItem(this.id, vscode.StatusBarAlignment.Right, this.priority);
    const shown = text === undefined ? `$(${icon})` : `$(${icon}) ${text}`;
    Object.assign(this.item, more, { text: shown, accessibilityInformation: { label } });
    this.item.show();
  }

  dispose(): void {
    this.item?.dispose();
    this.item = undefined;
  }
}

/** Escaped text of others. `appendText` alone joins words by non-breaking spaces, so lines break within words. */
export function markdownText(text: string): string {
  const { value } = new vscode.MarkdownString().appendText(text.trim());
  return value.replaceAll('&nbsp;', ' ');
}
