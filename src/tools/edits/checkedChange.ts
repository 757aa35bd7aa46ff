import type { FileSystem } from '../files/fileSystem.ts';
import * as l10n from '@vscode/l10n';
import { visibleLine } from '../../base/text/visibleText.ts';
import type { GrantedFile } from '../policy/verdict.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';

export interface FileChange {
  file: GrantedFile;
  before: string | undefined;
  after: string | undefined;
}

export type CheckedChangeDependencies = Pick<ToolDependencies, 'workspace' | 'policy' | 'texts'>;

/** A change that was checked again right before writing. Edits, *Undo* and *Restore* all use it. */
export class CheckedChange {
  private constructor(
    private readonly workspace: ToolDependencies['workspace'],
    private readonly change: FileChange,
  ) {}

  /** Checks the file, the policy and the text again after the approval; throws a `ToolFailure` on changes. */
  static async check(
    { workspace, policy, texts }: CheckedChangeDependencies,
    change: FileChange,
  ): Promise<CheckedChange> {
    const { file, before } = change;
    const again = granted(await policy.recheck(file));
    const shown = visibleLine(file.shown);
    if (again.protection && !file.protection) {
      throw new ToolFailure(
        `${file.shown} became a protected file in the meantime, so the edit was not made. Try again.`,
        undefined,
        l10n.t('{0} became a protected file in the meantime, so nothing was written. Try again.', shown),
      );
    }
    if (before !== undefined && (await texts.readWhole(again)) !== before) {
      throw new ToolFailure(
        `${file.shown} was changed by somebody else in the meantime, so the edit was not made. Read it again.`,
        undefined,
        l10n.t('{0} was changed since this edit was proposed, so nothing was written.', shown),
      );
    }
    return new CheckedChange(workspace, change);
  }

  /** Awaits `begun`, then writes. Resolves with the text, possibly formatted, and new folders, innermost first. */
  async write(
    begun?: (folders: readonly string[]) => Promise<void>,
  ): Promise<{ text: string | undefined; folders: string[] }> {
    const { file, before, after } = this.change;
    const path = file.realPath;
    const folders = before === undefined ? await missingFolders(this.workspace.files.access, path) : [];
    await begun?.(folders);
    const text = await this.workspace.edits.apply({ path, before, after });
    return { text: after === undefined ? undefined : (text ?? after), folders };
  }

  /** Restores the old text if the file is as `write` left it. */
  async rollback(text: string | undefined): Promise<void> {
    const { file, before } = this.change;
    await this.workspace.edits.apply({ path: file.realPath, before: text, after: before });
  }
}

async function missingFolders(access: FileSystem, filePath: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = parentOf(filePath); folder && !(await access.find(folder)); folder = parentOf(folder)) {
    missing.push(folder);
  }
  return missing;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
