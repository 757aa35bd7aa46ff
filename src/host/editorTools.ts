import * as vscode from 'vscode';
import { refusesOtherCallers } from '../tools/otherTools.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { ToolFailure } from '../tools/toolFailure.ts';
import { toCancellationToken } from './abort.ts';
import type { ToolSwitches } from './toolSwitches.ts';

/** Tools that other extensions and MCP servers registered with the editor; those the user switched on. */
export function editorTools(switches: ToolSwitches): Tool[] {
  const others = new Map(switches.others().map((tool) => [tool.name, tool]));
  // The editor's order changes from start to start, and with it the beginning of every request would.
  const inOrder = vscode.lm.tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return inOrder.flatMap((listed) => {
    const other = others.get(listed.name);
    return other && switches.isOn(other) ? [toTool(listed, other.title, () => switches.refused(other))] : [];
  });
}

function toTool(
  { name, description, inputSchema }: vscode.LanguageModelToolInformation,
  title: string,
  refused: () => void,
): Tool {
  return {
    name,
    title,
    description,
    parameters: (inputSchema as Record<string, unknown> | undefined) ?? { type: 'object', properties: {} },
    // What it does is not known, so the user is asked.
    risk: 'external',
    bind(input) {
      if (typeof input !== 'object' || input === null) return { problem: 'The arguments must be an object.' };
      return {
        input: input as Record<string, unknown>,
        async run({ signal }) {
          try {
            return await invoke(name, input, signal);
          } catch (error) {
            if (!refusesOtherCallers(error)) throw error;
            refused();
            throw new ToolFailure(
              `${name} runs in the editor's own chat only. It is not offered again; go on without it.`,
            );
          }
        },
      };
    },
  };
}

async function invoke(name: string, input: object, signal: AbortSignal): Promise<ToolResult> {
  const { token, dispose } = toCancellationToken(signal);
  try {
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
    return { content: result.content.map(toText).join('\n'), isError: false };
  } finally {
    dispose();
  }
}

function toText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  return '[a part that is not text]';
}
