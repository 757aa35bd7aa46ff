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
  'update_plan',
  'run_command',
  'search_knowledge',
] as const;
export type OwnToolName = (typeof ownToolNames)[number];

/** What needs no folder to work on. */
export const folderlessToolNames: readonly OwnToolName[] = ['search_knowledge'];
