import * as z from 'zod/mini';
import type { ChangedPaths, EditJournal } from './edits/editJournal.ts';
import type { Findings } from './knowledge/source.ts';
import type { Protection } from './policy/protectedFiles.ts';
import type { RefusalReason } from './policy/verdict.ts';

/** `external` tools belong to others, with unknown effects; a `command` can do anything. */
export type ToolRisk = 'read' | 'edit' | 'command' | 'external';

export type ToolRule = 'allow' | 'ask' | 'deny';

export interface CallRule {
  rule: ToolRule;
  denial?: string;
  why?: string;
  isDangerous?: boolean;
  always?: AlwaysRule;
  /** Shown to the user instead of the arguments. */
  shown?: Readonly<Record<string, unknown>>;
  usual?: readonly string[];
}

export interface AlwaysRule {
  label: string;
  keep(): void;
  wider?: WiderRule;
}

export interface WiderRule {
  label: string;
  detail: string;
  keep(): void;
}

export interface ToolLocation {
  path: string;
  /** 1-based. */
  line?: number;
  endLine?: number;
}

export interface Withheld {
  reason: RefusalReason | 'secret';
  count: number;
  forUser: string;
}

export interface ToolResult {
  content: string;
  isError: boolean;
  locations?: readonly ToolLocation[];
  withheld?: readonly Withheld[];
  findings?: Findings;
  count?: number;
  hasMore?: boolean;
  note?: string;
  isInBackground?: boolean;
  changed?: { added: number; removed: number };
}

export interface ToolIdentity {
  readonly name: string;
  readonly key?: string;
}

export interface ChangeWatch {
  end(): Promise<ChangedPaths>;
}

export interface CallProgress {
  onOutput?(lines: string): void;
  /** The work is done; the rest of the call waits for others, which its duration excludes. */
  onWorked?(): void;
}

export interface ToolContext extends CallProgress {
  signal: AbortSignal;
  callId?: string;
  conversationId?: string;
  journal?: EditJournal;
  watchChanges?: () => ChangeWatch;
  failedEdits?: Map<string, number>;
  /** The user decided to send secrets. */
  keepsSecrets?: boolean;
}

/** Edits that can be made, all or none. */
export interface Proposal {
  files: readonly ProposedFile[];
  protection?: Protection;
  /** Judges all files again and makes the edits. Only throws on abort. */
  apply(context: ToolContext): Promise<ToolResult>;
}

export interface ProposedFile {
  path: string;
  before: string | undefined;
  after: string;
  added: number;
  removed: number;
}

export interface Tool extends ToolIdentity {
  title?: string;
  description: string;
  parameters: Record<string, unknown>;
  risk: ToolRisk;
  bind(input: unknown): BoundCall | { problem: string };
}

export interface BoundCall {
  input: Readonly<Record<string, unknown>>;
  /** May throw a `ToolFailure`. An edit is proposed and applied. */
  run(context: ToolContext): Promise<ToolResult>;
  /** For edits: everything but writing. May throw a `ToolFailure`. */
  propose?(context: ToolContext): Promise<Proposal | ToolResult>;
  /** For tools with their own rules. `toolRule` is the tool's rule. May throw a `ToolFailure`. */
  judge?(toolRule: ToolRule, context: ToolContext): Promise<CallRule | ToolResult>;
}

type ObjectSchema = z.ZodMiniObject;

interface ToolParts<S extends ObjectSchema> {
  name: string;
  description: string;
  input: S;
}

export function defineTool<S extends ObjectSchema>(
  parts: ToolParts<S> & {
    risk: ToolRisk;
    run(input: z.infer<S>, context: ToolContext): Promise<ToolResult>;
    judge?(input: z.infer<S>, toolRule: ToolRule): Promise<CallRule>;
  },
): Tool {
  const { judge } = parts;
  return define(parts, parts.risk, (input) => ({
    run: (context) => parts.run(input, context),
    ...(judge && { judge: (toolRule: ToolRule) => judge(input, toolRule) }),
  }));
}

export function defineEditTool<S extends ObjectSchema>(
  parts: ToolParts<S> & { propose(input: z.infer<S>, context: ToolContext): Promise<Proposal> },
): Tool {
  return define(parts, 'edit', (input) => ({
    propose: (context) => parts.propose(input, context),
    run: async (context) => (await parts.propose(input, context)).apply(context),
  }));
}

const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

function define<S extends ObjectSchema>(
  { name, description, input: schema }: ToolParts<S>,
  risk: ToolRisk,
  act: (input: z.infer<S>) => Omit<BoundCall, 'input'>,
): Tool {
  // Some relays reject it.
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: 'input',
    // Bounds would be sent with each request, and some vendors reject them. A call out of bounds is told so.
    override: ({ jsonSchema }) => {
      for (const bound of bounds) delete jsonSchema[bound];
    },
  }) as Record<string, unknown>;
  return {
    name,
    description,
    parameters,
    risk,
    bind(given) {
      const parsed = parseLeniently(schema, given);
      if (!parsed.success) return { problem: problemOf(parsed.error, schema, given) };
      return { input: parsed.data, ...act(parsed.data) };
    },
  };
}

/** Accepts common mistakes of models: `"10"` for 10, `null` for nothing, one value for a list. */
function parseLeniently<S extends ObjectSchema>(
  schema: S,
  given: unknown,
): z.core.util.SafeParseResult<z.infer<S>> {
  const first = schema.safeParse(given);
  if (first.success || typeof given !== 'object' || given === null) return first;
  const copy = structuredClone(given);
  for (const issue of first.error.issues) {
    if (issue.code === 'invalid_type' || issue.code === 'invalid_value') mend(copy, issue);
  }
  const second = schema.safeParse(copy);
  return second.success ? second : first;
}

function mend(value: object, issue: z.core.$ZodIssue): void {
  let holder = value as Record<PropertyKey, unknown>;
  for (const key of issue.path.slice(0, -1)) holder = holder[key] as Record<PropertyKey, unknown>;
  const last = issue.path.at(-1);
  if (last === undefined || !holder) return;
  const found = holder[last];
  const expected = 'expected' in issue ? String(issue.expected) : '';
  if (found === null) delete holder[last];
  else if (
    typeof found === 'string' &&
    (expected === 'number' || expected === 'int') &&
    found.trim() !== ''
  ) {
    holder[last] = Number(found);
  } else if (typeof found === 'string' && expected === 'boolean' && /^(true|false)$/i.test(found)) {
    holder[last] = found.toLowerCase() === 'true';
  } else if (expected === 'array') holder[last] = listOf(found);
}

function listOf(value: unknown): unknown {
  if (typeof value === 'string' && value.trimStart().startsWith('[')) {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return [value];
    }
  }
  return [value];
}

function problemOf(error: z.core.$ZodError, schema: ObjectSchema, given: unknown): string {
  const known = Object.keys(schema.shape);
  const issues = error.issues.map(({ path, message }) =>
    path.length > 0 ? `"${path.join('.')}": ${message}` : message,
  );
  const unknown = Object.keys(Object(given)).filter((key) => !known.includes(key));
  const extra = unknown.length > 0 ? ` There is no argument ${unknown.join(', ')}.` : '';
  return `${issues.join('; ')}.${extra} The arguments are: ${known.join(', ')}.`;
}
