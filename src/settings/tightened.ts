import { asObject } from '../base/json.ts';
import { builtInModeIds } from '../chat/modes/mode.ts';

/** What the settings files say of one setting, each where it says anything. */
export interface SettingLayers {
  defaultValue?: unknown;
  /** The user's own. */
  globalValue?: unknown;
  /** Those of the workspace, whose author may be anybody. */
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

type Tighten = (users: unknown, workspaces: readonly unknown[], byDefault: unknown) => unknown;

/** What models are told of the active editor, from the least on. */
const activeEditorLevels = ['never', 'suggest', 'selection', 'always'] as const;
export type ActiveEditorLevel = (typeof activeEditorLevels)[number];

const strictness = ['allow', 'ask', 'deny'];

/**
 * Settings a workspace may only make stricter, with how the user's value and the workspace's become one. What cannot be
 * read of a workspace's is left out: the reader would take the default for the whole, and with it lift the user's rules.
 */
const tightening: Record<string, Tighten> = {
  'tools.approval': strictestRules,
  'tools.commands': strictestRules,
  'tools.exclude': allEntries,
  'tools.protected': allEntries,
  'knowledge.exclude': allEntries,
  'chat.maxToolRounds': smallest,
  'chat.dailyBudget': smallestBudget,
  'chat.mode': strictestMode,
  'chat.activeEditor': leastOfEditor,
};

/** The value that counts, or `undefined` for a setting that a workspace may change as it likes. */
export function tightened(name: string, layers: SettingLayers): { value: unknown } | undefined {
  const tighten = tightening[name];
  if (!tighten) return undefined;
  const { defaultValue, globalValue = defaultValue, workspaceValue, workspaceFolderValue } = layers;
  const workspaces = [workspaceValue, workspaceFolderValue].filter((value) => value !== undefined);
  return { value: tighten(globalValue, workspaces, defaultValue) };
}

/** Of each tool or command the strictest rule; "allow" comes from the user alone. */
function strictestRules(users: unknown, workspaces: readonly unknown[]): unknown {
  const rules = readRules(users);
  for (const each of workspaces) {
    for (const [tool, rule] of readRules(each)) {
      const known = rules.get(tool);
      // Without a rule of the user's, what the tool does decides: that is stricter than "allow".
      const floor = known === undefined ? 0 : rank(known);
      if (rank(rule) > floor) rules.set(tool, rule);
    }
  }
  return Object.fromEntries(rules);
}

/** What is no rule was meant as one, and so asks. */
function readRules(value: unknown): Map<string, string> {
  const rules =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return new Map(
    rules.map(([tool, rule]): [string, string] => [tool, strictness.find((each) => each === rule) ?? 'ask']),
  );
}

function rank(rule: string): number {
  return strictness.indexOf(rule);
}

/** A text alone is a list of one. */
function allEntries(users: unknown, workspaces: readonly unknown[]): unknown {
  return [...new Set([users, ...workspaces].flat().filter((entry) => typeof entry === 'string'))];
}

/** What cannot be read of a workspace's was meant to restrict. */
function strictestMode(users: unknown, workspaces: readonly unknown[], byDefault: unknown): unknown {
  const rankOf = (mode: unknown) => builtInModeIds.findIndex((id) => id === mode);
  const own = rankOf(users) < 0 ? byDefault : users;
  return builtInModeIds[Math.min(...[own, ...workspaces].map((mode) => Math.max(0, rankOf(mode))))];
}

/** What cannot be read of a workspace's was meant to restrict. */
function leastOfEditor(users: unknown, workspaces: readonly unknown[], byDefault: unknown): unknown {
  const rankOf = (level: unknown) => activeEditorLevels.findIndex((each) => each === level);
  const own = rankOf(users) < 0 ? byDefault : users;
  return activeEditorLevels[Math.min(...[own, ...workspaces].map((level) => Math.max(0, rankOf(level))))];
}

function smallest(users: unknown, workspaces: readonly unknown[], byDefault: unknown): unknown {
  return Math.min(...[isCount(users) ? users : byDefault, ...workspaces].filter(isCount));
}

/** Of each part the smallest; a part that cannot be read is left out. */
function smallestBudget(users: unknown, workspaces: readonly unknown[]): unknown {
  const budgets = [users, ...workspaces].map((each) => asObject(each) ?? {});
  const parts = (['money', 'tokens'] as const).flatMap((part) => {
    const amounts = budgets.map((budget) => budget[part]).filter(isAmount);
    return amounts.length > 0 ? [[part, Math.min(...amounts)] as const] : [];
  });
  return Object.fromEntries(parts);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
