import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import { isCancelled, messageOf } from '../base/errors/errors.ts';
import { frame } from '../base/text/frame.ts';
import { oneLine } from '../base/text/oneLine.ts';
import { countRedacted, redactSecrets } from '../base/secrets/redactSecrets.ts';
import type { BoundCall, Tool, ToolContext, ToolResult, ToolRule } from './tool.ts';
import { ToolFailure } from './toolFailure.ts';
import { type OutputLimits, takeLines } from './files/truncate.ts';
import { isWithheld } from './policy/verdict.ts';

export interface ToolSetDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

export class ToolSet {
  private readonly tools: ReadonlyMap<string, Tool>;
  readonly definitions: readonly ToolSetDefinition[];

  /** @param tools the first of each name counts */
  constructor(
    tools: readonly Tool[],
    private readonly off: ReadonlySet<string> = new Set(),
  ) {
    this.tools = new Map(tools.toReversed().map((tool) => [tool.name, tool]));
    this.definitions = tools
      .filter((tool) => this.tools.get(tool.name) === tool)
      .map(({ name, description, parameters }) => ({ name, description, parameters }));
  }

  get(name: string): Tool | undefined {
    return this.tools.get(name);
  }

  /** Parses a call; describes problems for the model. The bound call throws only on abort: failures are results. */
  prepare({
    name,
    input,
  }: {
    name: string;
    input: object;
  }): (BoundCall & { tool: Tool }) | { problem: string } {
    const tool = this.tools.get(name);
    if (!tool) return { problem: this.unknownTool(name) };
    const bound = tool.bind(input);
    if ('problem' in bound) {
      const again = `Call ${name} again with arguments that fit its schema.`;
      return { problem: `The arguments of ${name} do not fit: ${bound.problem} ${again}` };
    }
    return { tool, ...guarded(tool, bound) };
  }

  private unknownTool(name: string): string {
    if (this.off.has(name)) return `The user has switched off ${name}. Go on without it.`;
    const names = [...this.tools.keys()].join(', ');
    return `There is no tool ${JSON.stringify(name)}. The tools are: ${names || 'none'}. Use one of them or answer without.`;
  }
}

function guarded({ name, risk }: Tool, bound: BoundCall): BoundCall {
  const { input, propose, judge } = bound;
  return {
    input,
    run: async (context) => {
      const finish = risk === 'external' ? framed : capped;
      return redactResult(await asResult(name, context, async () => finish(await bound.run(context))));
    },
    ...(judge && {
      judge: (toolRule: ToolRule, context: ToolContext) =>
        asResult(name, context, () => judge(toolRule, context)),
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

/** For tools of others; ours stay below. */
const resultLimits: OutputLimits = { maxLines: 5000, maxBytes: 100_000 };

function capped(result: ToolResult): ToolResult {
  const { text, note } = cut(result.content);
  return { ...result, content: text + note };
}

function framed(result: ToolResult): ToolResult {
  // Before cutting: half of a secret isn't recognized.
  const { text, note } = cut(redactSecrets(result.content.slice(0, resultLimits.maxBytes * 2)));
  return { ...result, content: frame({ kind: 'result', facts: {}, body: text }) + note };
}

function cut(content: string): { text: string; note: string } {
  const { lines } = takeLines(content.slice(0, resultLimits.maxBytes).split('\n'), resultLimits);
  const text = lines.join('\n');
  const isCut = text.length < content.length;
  return { text, note: isCut ? '\n[The result was too long and is cut here. Ask for less at a time.]' : '' };
}

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

function redactionNote(count: number): string {
  return `[${count} ${plural(count, 'secret was', 'secrets were')} redacted. Ask the user if one is needed.]`;
}

function redactionMessage(count: number): string {
  return plural(
    count,
    l10n.t('1 secret redacted. To send it, attach the file and choose Send Unredacted.'),
    l10n.t(
      '{0} secrets redacted. To send them, attach the file and choose Send Unredacted.',
      formatNumber(count),
    ),
  );
}

const longestMessage = 1000;

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

/** The message may repeat a long argument. */
function failureResult({ message, refusal, note }: ToolFailure): ToolResult {
  const result = capped({ content: message, isError: true, ...(note !== undefined && { note }) });
  if (!refusal || !isWithheld(refusal.reason)) return result;
  const { reason, forUser } = refusal;
  return { ...result, withheld: [{ reason, count: 1, forUser }] };
}
