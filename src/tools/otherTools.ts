import { asObject, asText } from '../base/json.ts';

/** A tool that somebody else registered with the editor, as the user sees it. */
export interface OtherTool {
  name: string;
  title: string;
  /** What it does, for the user. */
  detail: string;
  /** The name of the extension or the MCP server it comes from. */
  source: string;
  isFromMcpServer: boolean;
  /** Of the extension; changes when the tool may have. */
  version: string;
}

/** What an extension's manifest says of its tools, as far as it is looked at. */
export interface ToolExtension {
  id: string;
  packageJSON: unknown;
}

interface DeclaredTool {
  title: string;
  detail: string;
  source: string;
  version: string;
}

const mcpName = /^mcp_([^_]+)_(.+)$/;

/**
 * The tools of extensions and MCP servers among all that the editor lists. What neither declares is the editor's own:
 * those run only in its own chat, or would let a model answer its own questions.
 */
export function findOtherTools(
  listed: readonly { name: string; description: string }[],
  extensions: readonly ToolExtension[],
): OtherTool[] {
  // Those that come with the editor serve its own chat.
  const declared = new Map(extensions.filter(({ id }) => !id.startsWith('vscode.')).flatMap(declaredTools));
  return listed.flatMap(({ name, description }): OtherTool[] => {
    const known = declared.get(name);
    if (known) {
      return [{ name, isFromMcpServer: false, ...known, detail: known.detail || description }];
    }
    const [, server, title] = mcpName.exec(name) ?? [];
    if (!server || !title) return [];
    return [{ name, title, detail: description, source: server, isFromMcpServer: true, version: '' }];
  });
}

function declaredTools({ id, packageJSON }: ToolExtension): [string, DeclaredTool][] {
  const manifest = asObject(packageJSON);
  const tools = asObject(manifest?.['contributes'])?.['languageModelTools'];
  if (!Array.isArray(tools)) return [];
  const source = asText(manifest?.['displayName']) ?? id;
  const version = asText(manifest?.['version']) ?? '';
  return tools.flatMap((each): [string, DeclaredTool][] => {
    const tool = asObject(each);
    const name = asText(tool?.['name']);
    if (!name) return [];
    const detail = asText(tool?.['userDescription']) ?? '';
    return [[name, { title: asText(tool?.['displayName']) ?? name, detail, source, version }]];
  });
}

/** How a refusal is remembered: an extension's next version may be another matter. */
export function refusalKey({ name, version }: OtherTool): string {
  return `${name}@${version}`;
}

/** Whether a tool failed because it only runs in the editor's own chat, whose requests carry a token. */
export function refusesOtherCallers(error: unknown): boolean {
  return error instanceof Error && /toolInvocationToken|invocation (context|token)/i.test(error.message);
}
