/** The workflows and chatflows that are files of this workspace, and their platforms. Throws `ToolFailure` for a path that is none. */
export interface WorkflowAccess {
  target(path: string): Promise<{ app: string; server: string }>;
  state(path: string, withDsl: boolean, signal: AbortSignal): Promise<string>;
  run(
    path: string,
    given: { inputs: Readonly<Record<string, unknown>>; message?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}

export const pathDescription = 'Of the workflow file, relative to the workspace folder.';
