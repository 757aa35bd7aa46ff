/** The workflows and chatflows that are files of this workspace, and their platforms. Throws `ToolFailure` for a path that is none. */
export interface WorkflowAccess {
  /** The app that a run of this file would run. */
  target(path: string): Promise<{ app: string; server: string }>;
  /** The platform's state of the file's app, in words; `withDsl` adds the draft's DSL. */
  state(path: string, withDsl: boolean, signal: AbortSignal): Promise<string>;
  run(
    path: string,
    given: { inputs: Readonly<Record<string, unknown>>; message?: string | undefined },
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }>;
}

export const pathDescription = 'Of the workflow file, relative to the workspace folder.';
