import type { ToolRisk } from './tool.ts';

export const workflowToolNames = ['get_workflow_state', 'run_workflow'] as const;

export const occasionalToolNames = ['read_skill', ...workflowToolNames] as const;

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
  ...occasionalToolNames,
] as const;
export type OwnToolName = (typeof ownToolNames)[number];

export const actingToolRisks: Readonly<Partial<Record<OwnToolName, ToolRisk>>> = {
  edit_file: 'edit',
  create_file: 'edit',
  run_command: 'command',
  run_workflow: 'external',
};

const withoutFolder: readonly OwnToolName[] = ['search_knowledge', 'read_skill'];
const withoutTrust: readonly OwnToolName[] = ['read_file', 'update_plan', 'search_knowledge', 'read_skill'];

/** The tools usable in a workspace. Modes don't change them, which would resend the whole conversation. */
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
