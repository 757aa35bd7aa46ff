import * as l10n from '@vscode/l10n';

/** Switchboard's own tools in the order in which they are shown. They can be counted and listed before they are loaded. */
export const ownToolNames = [
  'read_file',
  'list_files',
  'search_text',
  'find_symbols',
  'find_references',
  'get_diagnostics',
  'get_changes',
  'get_open_editors',
  'edit_file',
  'create_file',
  'run_command',
  'search_knowledge',
] as const;
export type OwnToolName = (typeof ownToolNames)[number];

/** What needs no folder to work on. */
export const folderlessToolNames: readonly OwnToolName[] = ['search_knowledge'];

/** A tool's name in the user's language. */
export function ownToolTitle(name: OwnToolName): string {
  switch (name) {
    case 'read_file':
      return l10n.t('Read files');
    case 'list_files':
      return l10n.t('List files');
    case 'search_text':
      return l10n.t('Search in files');
    case 'find_symbols':
      return l10n.t('Find symbols');
    case 'find_references':
      return l10n.t('Find references');
    case 'get_diagnostics':
      return l10n.t('Read problems');
    case 'get_changes':
      return l10n.t('Read changes since the last commit');
    case 'get_open_editors':
      return l10n.t('See open editors and the selection');
    case 'edit_file':
      return l10n.t('Edit files');
    case 'create_file':
      return l10n.t('Create files');
    case 'run_command':
      return l10n.t('Run commands');
    case 'search_knowledge':
      return l10n.t('Search knowledge bases');
  }
}
