import * as vscode from 'vscode';
import { titleWithOwner, type OtherTool } from '../../tools/otherTools.ts';
import type { Tool, ToolResult } from '../../tools/tool.ts';
import { refusesOtherCallers, ToolFailure } from '../../tools/toolFailure.ts';
import { toCancellationToken } from '../ui/cancellation.ts';
import type { ToolSwitches } from './toolSwitches.ts';

export function editorTools(switches: ToolSwitches): Tool[] {
  const others = new Map(switches.others().map((tool) => [tool.registeredName, tool]));
  // Sorted: the editor's order varies, which would change the start of every request.
  const inOrder = vscode.lm.tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return inOrder.flatMap((listed) => {
    const other = others.get(listed.name);
    return other && switches.isOn(other) ? [toTool(listed, other, () => switches.refused(other))] : [];
  });
}

function toTool(
  { description, inputSchema }: vscode.LanguageModelToolInformation,
  other: OtherTool,
  refused: () => void,
): Tool {
  const { name, key, registeredName } = other;
  return {
    name,
    key,
    title: titleWithOwner(other),
    description,
    parameters: (inputSchema as Record<string, unknown> | undefined) ?? { type: 'object', properties: {} },
    // Unknown effects need approval.
    risk: 'external',
    bind(input) {
      if (typeof input !== 'object' || input === null) return { problem: 'The arguments must be an object.' };
      return {
        input: input as Record<string, unknown>,
        async run({ signal }) {
          try {
            return await invoke(registeredName, input, signal);
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
