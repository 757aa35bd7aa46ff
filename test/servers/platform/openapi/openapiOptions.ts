import type { AppName } from '../apps/sandboxApps.ts';

/** A workspace of the account that signs in. */
export interface WorkspaceSpec {
  readonly name: string;
  /** `owner` by default; `normal` and `dataset_operator` may neither export nor import. */
  readonly role?: 'owner' | 'admin' | 'editor' | 'normal' | 'dataset_operator';
  /** Its apps; every app of the sandbox by default in the first workspace, none in the others. */
  readonly apps?: readonly AppName[];
}

/** The user-level API; it is off unless these are given, as on a server that was just installed. */
export interface OpenapiOptions {
  /** False: only `OPENAPI_ENABLED` is set, so that what needs a token is a 500. */
  bearer?: boolean;
  /** One by default, "Harbour office". */
  workspaces?: readonly WorkspaceSpec[];
  /** Workflows and chatflows made of a DSL, in the first workspace, published. */
  flows?: readonly { readonly yaml: string; readonly isPublished?: boolean }[];
  /** Plugins that are installed, as `author/name`; what a DSL needs beyond them is missing. All are, unless given. */
  plugins?: readonly string[];
  /** For each token, over everything; 60 by default. */
  requestsPerMinute?: number;
  /** Seconds between two polls of a sign-in; 5 by default. */
  pollSeconds?: number;
  /** How long a code can be typed in; 900 by default. */
  codeSeconds?: number;
  /** How long a sign-in lasts; 14 by default. */
  sessionDays?: number;
}
