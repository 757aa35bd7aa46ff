import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { toCancellationToken } from './abort.ts';

/** Tools that other extensions and MCP servers registered with the editor; those the person switched on. */
export function editorTools(switchedOn: readonly string[]): Tool[] {
  return vscode.lm.tools.filter(({ name }) => switchedOn.includes(name)).map(toTool);
}

function toTool({ name, description, inputSchema }: vscode.LanguageModelToolInformation): Tool {
  return {
    name,
    description,
    parameters: (inputSchema as Record<string, unknown> | undefined) ?? { type: 'object', properties: {} },
    // What it does is its own affair, so the person is asked.
    risk: 'external',
    bind(input) {
      if (typeof input !== 'object' || input === null) return { problem: 'The arguments must be an object.' };
      return {
        input: input as Record<string, unknown>,
        summary: JSON.stringify(input).slice(0, 200),
        run: ({ signal }) => invoke(name, input, signal),
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

/** Lets the person switch tools of others on and off. Returns the names that are on, or undefined if dismissed. */
export async function chooseEditorTools(switchedOn: readonly string[]): Promise<string[] | undefined> {
  const { tools } = vscode.lm;
  if (tools.length === 0) {
    void vscode.window.showInformationMessage(
      l10n.t("No tools from other extensions or MCP servers. Switchboard's own tools are always available."),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    tools.map(({ name, description }) => ({
      label: name,
      detail: description,
      picked: switchedOn.includes(name),
    })),
    {
      title: l10n.t('Tools of Other Extensions'),
      placeHolder: l10n.t('Select tools models can use. Each call needs approval'),
      canPickMany: true,
      matchOnDetail: true,
    },
  );
  return picked?.map(({ label }) => label);
}
