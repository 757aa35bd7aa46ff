import type { AppName } from '../apps/sandboxApps.ts';

export interface WorkspaceSpec {
  readonly name: string;
  /** `owner` by default; `normal` and `dataset_operator` may neither export nor import. */
  readonly role?: 'owner' | 'admin' | 'editor' | 'normal' | 'dataset_operator';
  /** Others than the account; their addresses are made of the names. */
  readonly members?: readonly string[];
  /** Every app of the sandbox by default in the first workspace, none in the others. */
  readonly apps?: readonly AppName[];
}

/** The user-level API; off without these options, as on a new server. */
export interface OpenapiOptions {
  /** False: only `OPENAPI_ENABLED` is set, so every request with a token gets a 500. */
  bearer?: boolean;
  /** One by default, "Harbour office". */
  workspaces?: readonly WorkspaceSpec[];
  /** Workflows and chatflows from a DSL, published in the first workspace. */
  flows?: readonly { readonly yaml: string; readonly isPublished?: boolean }[];
  /** Installed plugins as `author/name`; all that a DSL needs by default. */
  plugins?: readonly string[];
  /** Limit of each token over all routes; 60 by default. */
  requestsPerMinute?: number;
  /** Interval between two polls of a sign-in; 5 by default. */
  pollSeconds?: number;
  /** Lifetime of a code; 900 by default. */
  codeSeconds?: number;
  /** Lifetime of a sign-in; 14 by default. */
  sessionDays?: number;
}
