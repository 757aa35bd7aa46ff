import * as l10n from '@vscode/l10n';
import type { AnswerApp } from '../../shared/apps.ts';
import { Icon } from '../icon.tsx';
import { usePanel } from '../panel.ts';

/** Files that an app gave with its answer; each opens where links do. */
export function OutputFiles({ files }: Pick<AnswerApp, 'files'>) {
  const { post } = usePanel();
  return (
    <ul class="output-files" role="list" aria-label={l10n.t('Files')}>
      {files.map(({ name, address }) => (
        <li key={address}>
          <button
            type="button"
            class="link-button"
            title={address}
            onClick={() => post({ type: 'openLink', href: address })}
          >
            <Icon name="file" /> {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
