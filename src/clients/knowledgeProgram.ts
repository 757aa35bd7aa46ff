import type { ClientFile, Machine, NamedProgram } from './clientProgram.ts';
import type { Edit, Path, Value } from './edit.ts';
import type { FormatName } from './formats/allFormats.ts';
import { type KnowledgeServer, knowledgeServerName } from './knowledgeServer.ts';

/** A program that can search knowledge bases by MCP. Its behaviour was measured with the real one. */
export interface KnowledgeProgram extends NamedProgram {
  serverFile(machine: Machine): ServerFile;
}

/** The user's file that lists the program's MCP servers; those of a project are not written. */
export interface ServerFile {
  path: string;
  format: FormatName;
  refusesMark?: true;
  list: Path;
  entry(server: KnowledgeServer): { readonly [name: string]: Value };
  further?(current: object): readonly Edit[];
}

/** With a server, the file gets its entry; without one, the entry is removed. */
export function knowledgeFile({
  list,
  entry,
  further,
  ...file
}: ServerFile): ClientFile<KnowledgeServer | undefined> {
  const path = [...list, knowledgeServerName];
  return {
    ...file,
    edits: (current, server) =>
      server
        ? [
            ...(further?.(current) ?? []),
            // A server that is switched off stays unused, and another transport comes first.
            ...['disabled', 'enabled', 'url'].map((name) => ({ path: [...path, name] })),
            ...(server.env ? [] : runtimeVariables.map((name) => ({ path: [...path, ...name] }))),
            { path, value: entry(server) },
          ]
        : [{ path }],
  };
}

const runtimeVariables = ['env', 'environment'].map((name) => [name, 'ELECTRON_RUN_AS_NODE']);

export function commandEntry({ command, args, env }: KnowledgeServer): { [name: string]: Value } {
  return { command, args, ...(env && { env }) };
}

export function localEntry({ command, args, env }: KnowledgeServer): { [name: string]: Value } {
  return { type: 'local', command: [command, ...args], ...(env && { environment: env }) };
}
