/** Records of the user-level API. Source: recorded replies of 1.16.1. */

export interface Workspace {
  id: string;
  name: string;
  /** `owner`, `admin`, `editor`, `normal`, …; only the first three export and import. */
  role: string;
}

export interface Member {
  id: string;
  name: string;
  email: string;
}

export interface Account {
  id: string;
  name: string;
  email: string;
  workspaces: readonly Workspace[];
  defaultWorkspaceId?: string;
}

/** `unknown`: a newer server's mode. */
export const appModes = [
  'chat',
  'agent-chat',
  'advanced-chat',
  'completion',
  'workflow',
  'agent',
  'unknown',
] as const;

export type AppMode = (typeof appModes)[number];

export interface ListedApp {
  id: string;
  name: string;
  description: string;
  mode: AppMode;
  updatedAtMs?: number;
}

export interface AppDescription {
  app: ListedApp;
  parameters: Readonly<Record<string, unknown>>;
}

/** `pending`: the DSL is of another version; nothing is done until `confirmImport`, within ten minutes. */
export interface DslImport {
  id: string;
  status: 'completed' | 'completed-with-warnings' | 'pending';
  appId?: string;
  mode?: AppMode;
  serverVersion: string;
  importedVersion: string;
  warnings: readonly string[];
}

export interface ImportRequest {
  /** At most 10 MB. */
  yaml: string;
  /** The workflow or chatflow that is overwritten; a new app without it. */
  appId?: string;
  name?: string;
  description?: string;
  /** From the export that the import is based on; a server before 1.18 refuses the field. */
  draftHash?: string;
}

export interface Draft {
  text: string;
  /** Absent before 1.18. */
  hash?: string;
}

/** Problem that the server found in a DSL. Documented only (1.18). */
export interface ImportIssue {
  message: string;
  severity: 'error' | 'warning';
  nodeId?: string;
}
