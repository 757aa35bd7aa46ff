import type { ToolIdentity, ToolRisk, ToolRule } from '../../tools/tool.ts';
import type { ApprovalLevel, Mode } from '../modes/mode.ts';

export interface GrantedTool extends ToolIdentity {
  readonly title?: string;
}

export type Allowance = 'edits' | GrantedTool;

export interface Permissions {
  readonly mode: Mode;
  readonly approvals: ApprovalLevel;
  readonly granted: ReadonlyMap<string, GrantedTool>;
  allow(allowance: Allowance): void;
  /** Adopts the user's choices from other windows. Never rejects. */
  refresh?(): Promise<void>;
}

export interface GrantHolder {
  readonly permissions: Permissions;
  revoke(allowance: Allowance): void;
}

export function keyOf({ name, key = name }: ToolIdentity): string {
  return key;
}

export function ruleOf(
  tool: ToolIdentity & { readonly risk: ToolRisk },
  setting: ToolRule | undefined,
  { approvals, granted }: Pick<Permissions, 'approvals' | 'granted'>,
): ToolRule {
  if (setting === 'deny') return 'deny';
  if (granted.has(keyOf(tool))) return 'allow';
  const isFree = tool.risk === 'read' || (tool.risk === 'edit' && approvals === 'editsAllowed');
  return setting ?? (isFree ? 'allow' : 'ask');
}

/** The effect of "Always allow": for edits the same as "Edits Allowed", unless settings always ask about the tool. */
export function allowanceOf(
  { name, key, title, risk }: GrantedTool & { readonly risk: ToolRisk },
  setting: ToolRule | undefined,
): Allowance {
  if (risk === 'edit' && setting === undefined) return 'edits';
  return { name, ...(key !== undefined && { key }), ...(title !== undefined && { title }) };
}
