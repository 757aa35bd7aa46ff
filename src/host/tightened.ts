/** What the settings files say of one setting, each where it says anything. */
export interface SettingLayers {
  defaultValue?: unknown;
  /** The user's own. */
  globalValue?: unknown;
  /** Those of the workspace, whose author may be anybody. */
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

type Tighten = (users: unknown, workspaces: readonly unknown[]) => unknown;

const strictness = ['allow', 'ask', 'deny'];

/**
 * Settings a workspace may only make stricter, with how the user's value and the workspace's become one. What a
 * workspace says in a form that cannot be read is passed on as it is, so that the reader objects to it.
 */
const tightening: Record<string, Tighten> = {
  'tools.approval': strictestRules,
  'tools.exclude': allEntries,
  'tools.protected': allEntries,
  'knowledge.exclude': allEntries,
  'chat.maxToolRounds': smallest,
};

/** The value that counts, or `undefined` for a setting that a workspace may change as it likes. */
export function tightened(name: string, layers: SettingLayers): { value: unknown } | undefined {
  const tighten = tightening[name];
  if (!tighten) return undefined;
  const { defaultValue, globalValue = defaultValue, workspaceValue, workspaceFolderValue } = layers;
  const workspaces = [workspaceValue, workspaceFolderValue].filter((value) => value !== undefined);
  return { value: tighten(globalValue, workspaces) };
}

/** Of each tool the strictest rule; "allow" comes from the user alone. */
function strictestRules(users: unknown, workspaces: readonly unknown[]): unknown {
  if (!isRecord(users)) return users;
  const rules = { ...users };
  for (const each of workspaces) {
    if (!isRecord(each)) continue;
    for (const [tool, rule] of Object.entries(each)) {
      const known = Object.hasOwn(rules, tool) ? rules[tool] : undefined;
      // Without a rule of the user's, what the tool does decides: that is stricter than "allow".
      const floor = known === undefined ? 0 : rank(known);
      if (rank(rule) > floor) rules[tool] = rule;
    }
  }
  return rules;
}

/** -1 for what is no rule. */
function rank(rule: unknown): number {
  return strictness.findIndex((each) => each === rule);
}

function allEntries(users: unknown, workspaces: readonly unknown[]): unknown {
  if (!Array.isArray(users)) return users;
  return [
    ...new Set([users, ...workspaces].flatMap((value): unknown[] => (Array.isArray(value) ? value : []))),
  ];
}

function smallest(users: unknown, workspaces: readonly unknown[]): unknown {
  if (typeof users !== 'number') return users;
  return Math.min(users, ...workspaces.filter((value): value is number => typeof value === 'number'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
