import { isCancelled } from '../base/errors.ts';
import { frame } from '../base/frame.ts';
import { oneLine } from '../base/oneLine.ts';
import { messageOf } from '../base/messageOf.ts';
import { countRedacted, redactSecrets } from '../base/secrets/redact.ts';
import type {
  BoundCall,
  CallRule,
  Proposal,
  Tool,
  ToolContext,
  ToolResult,
  ToolRisk,
  ToolRule,
} from './tool.ts';
import { ToolFailure } from './toolFailure.ts';
import { type OutputLimits, takeLines } from './truncate.ts';
import { isWithheld } from './policy/refusal.ts';
import { redactionNote, redactionMessage } from './redaction.ts';

/** As the relay's client expects it. */
export interface ToolSetDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A call that can be run: its arguments fit. */
export interface PreparedCall {
  name: string;
  risk: ToolRisk;
  /** What people call a tool of others. */
  title?: string;
  input: Readonly<Record<string, unknown>>;
  /** Never throws but for abort. */
  run(context: ToolContext): Promise<ToolResult>;
  /** For edits: the edit to show and to ask about, or why there can be none. Never throws but for abort. */
  propose?(context: ToolContext): Promise<Proposal | ToolResult>;
  /** What the tool's own rules say of the call, or why it cannot be run. Never throws but for abort. */
  judge?(toolRule: ToolRule, context: ToolContext): Promise<CallRule | ToolResult>;
}

/** The tools a model is offered, and the calls it makes of them. */
export class ToolSet {
  private readonly tools: ReadonlyMap<string, Tool>;
  readonly definitions: readonly ToolSetDefinition[];

  constructor(
    tools: readonly Tool[],
    /** Names of tools that the user switched off. */
    private readonly off: ReadonlySet<string> = new Set(),
  ) {
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  }

  get(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /**
   * Reads a call. What cannot be run is answered with a text for the model that says what to try next.
   */
  prepare({ name, input }: { name: string; input: object }): PreparedCall | { problem: string } {
    const tool = this.tools.get(name);
    if (!tool) return { problem: this.unknownTool(name) };
    const bound = tool.bind(input);
    if ('problem' in bound) {
      const again = `Call ${name} again with arguments that fit its schema.`;
      return { problem: `The arguments of ${name} do not fit: ${bound.problem} ${again}` };
    }
    return toPrepared(tool, bound);
  }

  private unknownTool(name: string): string {
    if (this.off.has(name)) return `The user has switched off ${name}. Go on without it.`;
    const names = [...this.tools.keys()].join(', ');
    return `There is no tool ${JSON.stringify(name)}. The tools are: ${names || 'none'}. Use one of them or answer without.`;
  }
}

function toPrepared({ name, title, risk }: Tool, bound: BoundCall): PreparedCall {
  const { propose, judge } = bound;
  return {
    name,
    risk,
    ...(title !== undefined && { title }),
    input: bound.input,
    run: async (context) => {
      const finish = risk === 'external' ? framed : capped;
      return redactResult(await asResult(name, context, async () => finish(await bound.run(context))));
    },
    ...(judge && {
      judge: (toolRule: ToolRule, context: ToolContext) => asResult(name, context, () => judge(toolRule)),
    }),
    ...(propose && {
      propose: async (context: ToolContext) => {
        const proposal = await asResult(name, context, () => propose(context));
        if (!('apply' in proposal)) return redactResult(proposal);
        const { apply } = proposal;
        return {
          ...proposal,
          apply: async (later: ToolContext) =>
            redactResult(await asResult(name, later, async () => capped(await apply(later)))),
        };
      },
    }),
  };
}

/** More than any tool of ours gives: a foreign one may give anything, and all of it is sent with every round. */
const resultLimits: OutputLimits = { maxLines: 5000, maxBytes: 100_000 };

function capped(result: ToolResult): ToolResult {
  const { text, note } = cut(result.content);
  return { ...result, content: text + note };
}

/** What a tool of others gives, so that nothing in it passes for what we say of it. */
function framed(result: ToolResult): ToolResult {
  // Before it is cut, or half of a secret would not be known for one.
  const { text, note } = cut(redactSecrets(result.content.slice(0, resultLimits.maxBytes * 2)));
  return { ...result, content: frame({ kind: 'result', facts: {}, body: text }) + note };
}

function cut(content: string): { text: string; note: string } {
  const { lines } = takeLines(content.slice(0, resultLimits.maxBytes).split('\n'), resultLimits);
  const text = lines.join('\n');
  const isCut = text.length < content.length;
  return { text, note: isCut ? '\n[The result was too long and is cut here. Ask for less at a time.]' : '' };
}

/** What tools give goes to the model without secrets. */
function redactResult(result: ToolResult): ToolResult {
  const content = redactSecrets(result.content);
  const count = countRedacted(content);
  if (count === 0) return result;
  const said = { reason: 'secret', count, forUser: redactionMessage(count) } as const;
  return {
    ...result,
    content: `${content}\n${redactionNote(count)}`,
    withheld: [...(result.withheld ?? []), said],
  };
}

/** Of an error in anybody's words. */
const longestMessage = 1000;

/** Does it; a failure becomes a result for the model, only an abort is passed on. */
async function asResult<T>(
  name: string,
  { signal }: ToolContext,
  act: () => Promise<T>,
): Promise<T | ToolResult> {
  signal.throwIfAborted();
  try {
    return await act();
  } catch (error) {
    signal.throwIfAborted();
    if (isCancelled(error)) throw error;
    if (error instanceof ToolFailure) return failureResult(error);
    return {
      content: `${name} failed: ${oneLine(messageOf(error), longestMessage)}. Try other arguments, or go on without it.`,
      isError: true,
    };
  }
}

function failureResult({ message, refusal, note }: ToolFailure): ToolResult {
  const result: ToolResult = { content: message, isError: true, ...(note !== undefined && { note }) };
  if (!refusal || !isWithheld(refusal.reason)) return result;
  const { reason, forUser } = refusal;
  return { ...result, withheld: [{ reason, count: 1, forUser }] };
}
