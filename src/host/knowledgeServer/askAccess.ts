import * as l10n from '@vscode/l10n';
import { formatDay } from '../../base/text/formatTime.ts';
import { inline } from '../../base/text/oneLine.ts';
import {
  type AccessQuestion,
  type Answer,
  type Caller,
  type Configuration,
  fits,
} from '../../knowledgeServer/programAccess.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Identifies a program by its configuration where possible; the name that it reports may be false. */
export function nameOf(
  { selfName }: Pick<Caller, 'selfName'>,
  configured: Configuration | undefined,
): string {
  if (!configured) {
    return selfName === ''
      ? l10n.t('An unknown program')
      : l10n.t('An unknown program that calls itself "{0}"', inline(selfName));
  }
  const { name, at } = configured;
  const day = formatDay(at);
  return selfName === '' || fits(configured, selfName)
    ? l10n.t('{0} (configured on {1})', name, day)
    : l10n.t(
        'A program that calls itself "{2}" and has the configuration of {0} ({1})',
        name,
        day,
        inline(selfName),
      );
}

/** Asks in the panel while it is visible, else by a notification: a dialog would take the keys that the user is pressing. */
export async function askAccess(
  notifications: Pick<Notifications, 'notify'>,
  { caller, configured, wish }: AccessQuestion,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const program = nameOf(caller, configured);
  const bases = wish.type === 'list' ? '' : wish.bases.map(({ name }) => inline(name)).join(', ');
  const texts = {
    search: l10n.t('{0} wants to search {1}.', program, bases),
    read: l10n.t('{0} wants to read sources of {1}.', program, bases),
    list: l10n.t('{0} wants to see the names of your knowledge bases.', program),
  };
  const notes = [
    ...(caller.folder === ''
      ? []
      : [l10n.t("It works in {0}, which isn't open in this window.", inline(caller.folder))]),
    ...(configured
      ? []
      : [l10n.t("Switchboard didn't configure it. A file of this workspace may have started it.")]),
  ];
  const answers: Record<string, Answer> = {
    ...(configured && { [l10n.t('Allow in This Workspace')]: 'workspace' }),
    [l10n.t('Once')]: 'once',
    [l10n.t('Deny')]: 'deny',
  };
  const pressed = await notifications.notify({
    severity: 'warning',
    text: [texts[wish.type], ...notes].join(' '),
    actions: Object.keys(answers),
    isQuestion: true,
    signal,
  });
  return pressed === undefined ? undefined : answers[pressed];
}
