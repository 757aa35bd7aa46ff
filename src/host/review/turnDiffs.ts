import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inline } from '../../base/text/oneLine.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { EditsItem } from '../../chat/conversation/items.ts';
import type { TextSnapshots } from '../../tools/edits/editJournal.ts';
import type { ReviewAccess } from '../../tools/review/reviewAccess.ts';
import { reasonForUser } from '../../tools/toolFailure.ts';
import { beforeScheme } from '../ids.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import type { Notifications } from '../ui/notifications.ts';

const noFile = 'none';

interface Sides {
  uri: vscode.Uri;
  before: vscode.Uri | undefined;
  now: vscode.Uri | undefined;
}

export interface TurnDiffsDependencies {
  tools(): Promise<WorkspaceTools>;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  access(): Promise<Pick<ReviewAccess, 'find'>>;
  notifications: Notifications;
}

/** Compares a turn's changes with the state before it: a diff for one file, a multi-diff editor for several. */
export class TurnDiffs implements vscode.Disposable {
  private readonly provider: vscode.Disposable;

  constructor(private readonly deps: TurnDiffsDependencies) {
    this.provider = vscode.workspace.registerTextDocumentContentProvider(beforeScheme, {
      provideTextDocumentContent: async ({ query }) => {
        const [conversationId = '', hash = noFile] = query.split('/');
        return hash === noFile ? '' : ((await (await deps.snapshots(conversationId)).get(hash)) ?? '');
      },
    });
  }

  async show(conversationId: string, item: EditsItem, path?: string): Promise<void> {
    const paths = [...new Set(item.edits.map((edit) => edit.path))];
    const problems: string[] = [];
    const files: Sides[] = [];
    for (const each of path === undefined ? paths : [path]) {
      const sides = await this.sidesOf(conversationId, item, each);
      if (typeof sides === 'string') problems.push(sides);
      else if (sides) files.push(sides);
    }
    if (problems.length > 0) void this.deps.notifications.warning([...new Set(problems)].join(' '));
    const [only] = files;
    if (!only) return;
    if (files.length === 1) {
      const { before, now, uri } = only;
      const title = l10n.t('{0} (changed in this turn)', inline(path ?? paths[0] ?? ''));
      const none = sideUri(conversationId, noFile, uri);
      await vscode.commands.executeCommand('vscode.diff', before ?? none, now ?? none, title, {
        preview: true,
      });
      return;
    }
    const title = plural(
      files.length,
      l10n.t('1 file changed in this turn'),
      l10n.t('{0} files changed in this turn', formatNumber(files.length)),
    );
    const resources = files.map(({ uri, before, now }) => [uri, before, now]);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  dispose(): void {
    this.provider.dispose();
  }

  /** Returns a message for a file that can't be shown; undefined if it never existed. */
  private async sidesOf(
    conversationId: string,
    item: EditsItem,
    path: string,
  ): Promise<Sides | string | undefined> {
    const edit = item.edits.find((each) => each.path === path);
    if (!edit) return undefined;
    const { policy } = (await this.deps.tools()).dependencies;
    const access = await this.deps.access();
    const place = await access.find(edit).catch(reasonForUser);
    if (typeof place === 'string') return place;
    const verdict = await policy.check(place.realPath, 'read');
    if (!verdict.isAllowed && verdict.reason !== 'not-found') return verdict.forUser;
    const snapshots = await this.deps.snapshots(conversationId);
    const hash = edit.before === undefined ? edit.beforeHash : await snapshots.put(edit.before);
    if (hash !== undefined && (await snapshots.get(hash)) === undefined)
      return l10n.t('The text of {0} before this turn is no longer kept.', path);
    const uri = toUri(edit.realPath);
    const before = hash === undefined ? undefined : sideUri(conversationId, hash, uri);
    const now = verdict.isAllowed ? toUri(verdict.realPath) : undefined;
    return before || now ? { uri, before, now } : undefined;
  }
}

/** Ends with the file's path, by which the editor detects the language and pairs both sides. */
function sideUri(conversationId: string, hash: string, { path }: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: beforeScheme, path, query: `${conversationId}/${hash}` });
}
