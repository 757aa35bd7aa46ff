import { isInstalled } from './runProgram.ts';

export const knowledgeServerName = 'switchboard-knowledge';

/** A stdio server of the Model Context Protocol, as programs are configured for it. Nothing in it is secret. */
export interface KnowledgeServer {
  name: typeof knowledgeServerName;
  command: string;
  /** The script, and a generated configuration ID by which the editor tells programs apart. */
  args: readonly [script: string, configurationId: string];
  /** Only if the editor's own runtime runs the script. */
  env?: Readonly<{ ELECTRON_RUN_AS_NODE: '1' }>;
}

export interface PreparedServer {
  server: KnowledgeServer;
  /** To be called once the program's files are written: from then on the window listens and knows the program. */
  confirm(): Promise<void>;
  /** To be called when the files are undone. */
  withdraw(): Promise<void>;
  remove(): Promise<void>;
}

/** A program that was configured before gets the same server again. */
export type PrepareServer = (program: { id: string; name: string }) => Promise<PreparedServer>;

export interface Runtime {
  execPath: string;
  isElectron: boolean;
}

/** Run by the program's own `node`, looked up by its name as its path changes with updates; else by the editor's. */
export function knowledgeServer(
  script: string,
  configurationId: string,
  { execPath, isElectron }: Runtime,
  hasNode = isInstalled({ command: 'node' }),
): KnowledgeServer {
  return {
    name: knowledgeServerName,
    command: hasNode ? 'node' : execPath,
    args: [script, configurationId],
    ...(!hasNode && isElectron && { env: { ELECTRON_RUN_AS_NODE: '1' } as const }),
  };
}
