import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber, plural } from '../../../base/text/format.ts';
import { formatSize } from '../../../base/text/formatSize.ts';
import type { SyncTerms } from '../../../knowledge/autoSync/syncTerms.ts';
import type { UploadPlan } from '../../../knowledge/upload/uploadPlan.ts';
import { chosenItem } from '../../ui/quickPicks.ts';

type When = SyncTerms['when'];
type Row = vscode.QuickPickItem & { action?: 'confirm' | When };

export async function confirmTerms(
  plan: UploadPlan,
  folder: string,
  terms: SyncTerms,
): Promise<SyncTerms | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  let { when } = terms;
  const show = () => {
    pick.items = rowsOf(plan, folder, { ...terms, when });
  };
  pick.title = l10n.t('Keep {0} in Sync with {1}', folder, plan.dataset.name);
  pick.placeholder = l10n.t('Nothing has been uploaded yet. Select how often, then confirm.');
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  pick.matchOnDetail = true;
  show();
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        const action = chosenItem(pick)?.action;
        if (action === 'confirm') resolve({ ...terms, when });
        else if (action) {
          when = action;
          show();
        }
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function rowsOf(plan: UploadPlan, folder: string, terms: SyncTerms): Row[] {
  const { branch, maxFiles, maxBytes, maxFileSizeBytes } = terms;
  return [
    {
      label: `$(sync) ${l10n.t('Keep in Sync Automatically')}`,
      detail: firstTime(plan, terms),
      alwaysShow: true,
      action: 'confirm',
    },
    separator(l10n.t('How often')),
    ...(branch === undefined ? [] : [choice('commit', l10n.t('After each commit'), terms)]),
    choice('quiet', l10n.t('When files have been quiet for a minute'), terms),
    separator(l10n.t('Uploaded without asking')),
    {
      label: `$(folder) ${folder}`,
      detail: l10n.t('New and changed files in this folder, and nothing else'),
    },
    ...(branch === undefined
      ? []
      : [{ label: `$(git-branch) ${branch}`, detail: l10n.t('Only while this branch is checked out') }]),
    {
      label: `$(shield) ${l10n.t('Files that no rule excludes')}`,
      detail: l10n.t(
        'Same as a manual sync: .gitignore, .switchboardignore, files.exclude, knowledge.exclude and the list of secrets apply',
      ),
    },
    {
      label: `$(file) ${l10n.t('Documents, text and source code')}`,
      detail: l10n.t('Each up to {0}', formatSize(maxFileSizeBytes)),
    },
    {
      label: `$(dashboard) ${plural(
        maxFiles,
        l10n.t('At most 1 file and {0} at a time', formatSize(maxBytes)),
        l10n.t('At most {0} files and {1} at a time', formatNumber(maxFiles), formatSize(maxBytes)),
      )}`,
      detail: l10n.t('Setting "switchboard.knowledge.autoSync"'),
    },
    separator(l10n.t('Always asks')),
    { label: `$(trash) ${l10n.t('Deletions')}`, detail: l10n.t('Including renamed files') },
    {
      label: `$(git-compare) ${l10n.t('Conflicts')}`,
      detail: l10n.t('What someone else changed on the platform'),
    },
    { label: `$(key) ${l10n.t('Files with secrets')}` },
    { label: `$(warning) ${l10n.t('Uploads that exceed the limit')}` },
    ...(branch === undefined ? [] : [{ label: `$(git-branch) ${l10n.t('Another branch')}` }]),
  ];
}

function firstTime({ documents, removals }: UploadPlan, { maxFiles, maxBytes }: SyncTerms): string {
  const goes = documents.filter(({ change, isSelected }) => isSelected && change !== 'unchanged');
  const bytes = goes.reduce((sum, document) => sum + document.bytes, 0);
  const asks = removals.length + documents.filter(({ change }) => change === 'conflict').length;
  const now = plural(
    goes.length,
    l10n.t('Uploads 1 file ({0})', formatSize(bytes)),
    l10n.t('Uploads {0} files ({1})', formatNumber(goes.length), formatSize(bytes)),
  );
  const isOver = goes.length > maxFiles || bytes > maxBytes;
  return [
    isOver ? l10n.t('{0} once you confirm: exceeds the limit', now) : now,
    asks > 0 && l10n.t('{0} waiting for you', formatNumber(asks)),
  ]
    .filter(Boolean)
    .join(' · ');
}

function choice(action: When, label: string, { when }: SyncTerms): Row {
  return { label: `$(${when === action ? 'pass-filled' : 'circle-large-outline'}) ${label}`, action };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
