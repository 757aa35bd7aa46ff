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
const withoutFolder: readonly OwnToolName[] = ['search_knowledge'];
/** What works where the user trusts nothing but the files that were attached. */
const withoutTrust: readonly OwnToolName[] = ['read_file', 'update_plan', 'search_knowledge'];

/**
 * The tools that can work in a workspace at all. A mode does not change what is offered, since all that was said would
 * have to be sent again; trust may: it is given once in the life of a window, and till then each request is shorter
 * and no model tries what would be refused.
 */
export function usableToolNames({
  hasFolder,
  isTrusted,
}: {
  hasFolder: boolean;
  isTrusted: boolean;
}): readonly OwnToolName[] {
  if (!hasFolder) return withoutFolder;
  return isTrusted ? ownToolNames : withoutTrust;
}
