import { asObject } from '../base/json.ts';
import { builtInModeIds } from '../chat/modes/mode.ts';

export interface SettingLayers {
  defaultValue?: unknown;
  globalValue?: unknown;
  /** Set by the workspace's author, who isn't trusted. */
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

type Tighten = (users: unknown, workspaces: readonly unknown[], byDefault: unknown) => unknown;

/** From strictest to laxest. */
const activeEditorLevels = ['never', 'suggest', 'selection', 'always'] as const;
export type ActiveEditorLevel = (typeof activeEditorLevels)[number];

const strictness = ['allow', 'ask', 'deny'];

/** Settings a workspace can only tighten. Invalid values are dropped: the schema check would lift the user's rules. */
const tightening: Record<string, Tighten> = {
  'tools.approval': strictestRules,
  'tools.commands': strictestRules,
  'tools.exclude': allEntries,
  'tools.protected': allEntries,
  'knowledge.exclude': allEntries,
  'knowledge.autoSync': smallestOf(['maxFiles', 'maxMegabytes']),
  'chat.maxToolRounds': smallest,
  'chat.dailyBudget': smallestOf(['money', 'tokens']),
  'chat.mode': strictestMode,
  'chat.activeEditor': leastOfEditor,
};

/** The effective value, or undefined for a setting that a workspace may change freely. */
export function tightened(name: string, layers: SettingLayers): { value: unknown } | undefined {
  const tighten = tightening[name];
  if (!tighten) return undefined;
  const { defaultValue, globalValue = defaultValue, workspaceValue, workspaceFolderValue } = layers;
  const workspaces = [workspaceValue, workspaceFolderValue].filter((value) => value !== undefined);
  return { value: tighten(globalValue, workspaces, defaultValue) };
}

/** The strictest rule per tool or command; only the user can allow. */
function strictestRules(users: unknown, workspaces: readonly unknown[]): unknown {
  const rules = readRules(users);
  for (const each of workspaces) {
    for (const [tool, rule] of readRules(each)) {
      const known = rules.get(tool);
      // Without a user's rule the tool's risk decides, which is stricter than "allow".
      const floor = known === undefined ? 0 : rank(known);
      if (rank(rule) > floor) rules.set(tool, rule);
    }
  }
  return Object.fromEntries(rules);
}

/** An invalid rule asks. */
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

function allEntries(users: unknown, workspaces: readonly unknown[]): unknown {
  return [...new Set([users, ...workspaces].flat().filter((entry) => typeof entry === 'string'))];
}

/** An invalid value of a workspace counts as the strictest. */
function strictestMode(users: unknown, workspaces: readonly unknown[], byDefault: unknown): unknown {
  const rankOf = (mode: unknown) => builtInModeIds.findIndex((id) => id === mode);
  const own = rankOf(users) < 0 ? byDefault : users;
  return builtInModeIds[Math.min(...[own, ...workspaces].map((mode) => Math.max(0, rankOf(mode))))];
}

function leastOfEditor(users: unknown, workspaces: readonly unknown[], byDefault: unknown): unknown {
  const rankOf = (level: unknown) => activeEditorLevels.findIndex((each) => each === level);
  const own = rankOf(users) < 0 ? byDefault : users;
  return activeEditorLevels[Math.min(...[own, ...workspaces].map((level) => Math.max(0, rankOf(level))))];
}

function smallest(users: unknown, workspaces: readonly unknown[], byDefault: unknown): unknown {
  return Math.min(...[isCount(users) ? users : byDefault, ...workspaces].filter(isCount));
}

function smallestOf(parts: readonly string[]): Tighten {
  return (users, workspaces) => {
    const limits = [users, ...workspaces].map((each) => asObject(each) ?? {});
    const smallestParts = parts.flatMap((part) => {
      const amounts = limits.map((limit) => limit[part]).filter(isAmount);
      return amounts.length > 0 ? [[part, Math.min(...amounts)] as const] : [];
    });
    return Object.fromEntries(smallestParts);
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

export interface SettingPlaces<T> {
  defaultValue?: T | undefined;
  globalValue?: T | undefined;
  workspaceValue?: T | undefined;
  workspaceFolderValue?: T | undefined;
}

/** The value of a setting that workspaces can't change; `merged`, the editor's value, may come from a policy. */
export function ofUser<T>(merged: T, places: SettingPlaces<T> | undefined): T | undefined {
  const { defaultValue, globalValue = defaultValue, workspaceValue, workspaceFolderValue } = places ?? {};
  return workspaceValue === undefined && workspaceFolderValue === undefined ? merged : globalValue;
}
