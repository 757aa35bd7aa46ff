import * as l10n from '@vscode/l10n';
import type { Protection } from './protectedFiles.ts';

export function protectionMessage(protection: Protection): string {
  switch (protection) {
    case 'editor':
      return l10n.t(
        'This file can change editor settings or run commands, so each change needs your approval.',
      );
    case 'container':
      return l10n.t(
        'This file runs commands when a container is built or started, so each change needs your approval.',
      );
    case 'git':
      return l10n.t('Git can run commands from this file, so each change needs your approval.');
    case 'pipeline':
      return l10n.t('Build servers run commands from this file, so each change needs your approval.');
    case 'package':
      return l10n.t(
        'Package and build tools can run code from this file, so each change needs your approval.',
      );
    case 'shell':
      return l10n.t('Programs run this file when they start, so each change needs your approval.');
    case 'exclusion':
      return l10n.t('This file decides which files models can see, so each change needs your approval.');
    case 'instructions':
      return l10n.t(
        'This file gives AI assistants instructions or tools, so each change needs your approval.',
      );
    case 'setting':
      return l10n.t(
        'This file is listed in the setting "switchboard.tools.protected", so each change needs your approval.',
      );
  }
}
