import * as z from 'zod/mini';
import type { EditJournal } from './editJournal.ts';
import type { Findings } from './knowledge/source.ts';
import type { Protection } from './policy/protectedFiles.ts';
import type { RefusalReason } from './policy/refusal.ts';

/** `external` tools belong to others; what they do is not known. A `command` may do anything. */
export type ToolRisk = 'read' | 'edit' | 'command' | 'external';

export type ToolRule = 'allow' | 'ask' | 'deny';

/** What rules of a tool's own say of one call of it. */
export interface CallRule {
  rule: ToolRule;
  /** For the model, where it is denied. */
  denial?: string;
  /** Why no rule can answer the question, in the user's language. */
  why?: string;
  /** What "Always allow" stands for with this call. */
  always?: AlwaysRule;
  /** What the user is shown in place of the arguments. */
  shown?: Readonly<Record<string, unknown>>;
}

/** What is allowed from now on by "Always allow", in place of the tool for the conversation. */
export interface AlwaysRule {
  /** In the user's language. */
  label: string;
  keep(): void;
}

/** A place in a file, as models and people name it; to open it, ask the policy for the path. */
export interface ToolLocation {
  path: string;
  /** 1-based. */
  line?: number;
  endLine?: number;
}

/** Something the file policy blocked, to be shown to the user. */
export interface Withheld {
  reason: RefusalReason | 'secret';
  count: number;
  /** A sentence in the user's language. */
  forUser: string;
}

export interface ToolResult {
  /** For the model. */
  content: string;
  isError: boolean;
  locations?: readonly ToolLocation[];
  withheld?: readonly Withheld[];
  /** For a search of knowledge bases. */
  findings?: Findings;
  /** How many were found, to be said to the user; `hasMore`: there are more than that. */
  count?: number;
  hasMore?: boolean;
  /** Why it failed, in the user's language. */
  note?: string;
  /** For a command: it goes on in the background. */
  isInBackground?: boolean;
  /** For an edit: lines that came and went. */
  changed?: { added: number; removed: number };
}

/** Files that changed, by their absolute paths. */
export interface ChangedPaths {
  paths: readonly string[];
  /** How many are not named. */
  more: number;
}

export interface ChangeWatch {
  /** Resolves when what changed before is known. */
  end(): Promise<ChangedPaths>;
}

export interface ToolContext {
  signal: AbortSignal;
  /** The conversation that the call is made in. */
  conversationId?: string;
  /** Where edits are recorded, so that a turn's can be taken back together. */
  journal?: EditJournal;
  /** Tells which files change while a command runs, whose changes nobody can take back. */
  watchChanges?: () => ChangeWatch;
  /** How often an edit of a file did not fit in this turn, by its path. */
  failedEdits?: Map<string, number>;
  /** The user decided to send what looks like a secret. */
  keepsSecrets?: boolean;
}

/** Edits that are ready to be made, all or none, and were not made. */
export interface Proposal {
  files: readonly ProposedFile[];
  /** Why they may never be made without asking. */
  protection?: Protection;
  /** Makes the edits, after judging each file and its content once more. Never throws but for abort. */
  apply(context: ToolContext): Promise<ToolResult>;
}

/** What would become of one file. */
export interface ProposedFile {
  /** As models and people name it. */
  path: string;
  /** For a diff editor; `before` is undefined for a new file. */
  before: string | undefined;
  after: string;
  /** How many lines come and go. */
  added: number;
  removed: number;
}

/** A tool, whatever its input's type: what it is, apart from a call of it. */
export interface Tool {
  name: string;
  /** What people call it; for a tool of others, whose sentences are not known here. */
  title?: string;
  /** For the model: what it does, what it gives, when to use it. */
  description: string;
  /** JSON Schema of type object. */
  parameters: Record<string, unknown>;
  risk: ToolRisk;
  /** Reads parsed JSON as a call's input; a problem is said in words for the model. */
  bind(input: unknown): BoundCall | { problem: string };
}

/** A tool with its input. */
export interface BoundCall {
  input: Readonly<Record<string, unknown>>;
  /** May throw a `ToolFailure`. For an edit: proposes and applies in one. */
  run(context: ToolContext): Promise<ToolResult>;
  /** For edits only: everything but making the edit. May throw a `ToolFailure`. */
  propose?(context: ToolContext): Promise<Proposal>;
  /**
   * For tools with rules of their own. May throw a `ToolFailure`.
   * @param toolRule what holds for the tool
   */
  judge?(toolRule: ToolRule): Promise<CallRule>;
}

type ObjectSchema = z.ZodMiniObject;

interface ToolParts<S extends ObjectSchema> {
  name: string;
  description: string;
  /** The only definition of the input: its type, its check, and what the model is told. */
  input: S;
}

/** A tool that does what it does in one step. */
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

/** A tool that changes a file: it proposes, and the proposal is applied when the user agrees. */
export function defineEditTool<S extends ObjectSchema>(
  parts: ToolParts<S> & { propose(input: z.infer<S>, context: ToolContext): Promise<Proposal> },
): Tool {
  return define(parts, 'edit', (input) => ({
    propose: (context) => parts.propose(input, context),
    run: async (context) => (await parts.propose(input, context)).apply(context),
  }));
}

function define<S extends ObjectSchema>(
  { name, description, input: schema }: ToolParts<S>,
  risk: ToolRisk,
  act: (input: z.infer<S>) => Omit<BoundCall, 'input'>,
): Tool {
  // Some relays refuse a schema that names its dialect.
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: 'input',
    // A bound that every integer has says nothing, and is sent with every request.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
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

/** Models send `"10"` for 10, `null` for nothing and one thing for a list of one; each has one sensible reading. */
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
