import * as l10n from '@vscode/l10n';
import { asObject } from '../base/json.ts';

/** A server in the editor's MCP configuration. Only its name is taken from there: the rest can hold secrets. */
export interface McpServer {
  name: string;
  /** The editor's ids that the server can have. Only those of the user are not certain. */
  ids: readonly [string, ...string[]];
  /** The file that defines it. */
  place: string;
}

/** Each `servers` is a value of the setting `mcp.servers`. */
export interface McpConfiguration {
  user: unknown;
  /** Absent in a window without a workspace file. */
  workspace?: { file: string; servers: unknown };
  folders: readonly { index: number; name: string; servers: unknown }[];
}

/** The ids were read in VS Code 1.106 and 1.139. The user's file has another one on the machine of a remote window. */
export function configuredServers({ user, workspace, folders }: McpConfiguration): McpServer[] {
  return [
    ...folders.flatMap(({ index, name: folder, servers }) =>
      namesOf(servers).map((name): McpServer => ({
        name,
        ids: [`mcp.config.ws${index}.${name}`],
        place: `${folder}/.vscode/mcp.json`,
      })),
    ),
    ...namesOf(workspace?.servers).map((name): McpServer => ({
      name,
      ids: [`mcp.config.workspace.${name}`],
      place: workspace?.file ?? '',
    })),
    ...namesOf(user).map((name): McpServer => ({
      name,
      ids: [`mcp.config.usrlocal.${name}`, `mcp.config.usrremote.${name}`],
      place: l10n.t('User mcp.json'),
    })),
  ];
}

/**
 * Servers without a tool in the editor's list, which also has tools of servers that ran before and start when called.
 * @param toolOf a tool that each server had when started: tools bear the server's own name, not the configuration's
 */
export function serversWithoutTools(
  servers: readonly McpServer[],
  toolNames: readonly string[],
  toolOf: ReadonlyMap<string, string>,
): McpServer[] {
  const prefixes = servers.map(({ name }) => toolPrefix(name)).toSorted((a, b) => b.length - a.length);
  const listed = new Set(toolNames);
  const prefixesWithTools = new Set(
    toolNames.map((tool) => prefixes.find((prefix) => tool.startsWith(prefix))),
  );
  return servers.filter(
    ({ name }) => !prefixesWithTools.has(toolPrefix(name)) && !listed.has(toolOf.get(name) ?? ''),
  );
}

const longestStem = 13;

/** The editor's rule for the names of a server's tools. */
function toolPrefix(name: string): string {
  const stem = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '_')
    .slice(0, longestStem);
  return `mcp_${stem.replaceAll('.', '_')}_`;
}

function namesOf(servers: unknown): string[] {
  return Object.keys(asObject(servers) ?? {});
}
