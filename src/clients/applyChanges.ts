import {
  type FileChange,
  type FileProblem,
  planChanges,
  writeChanges,
  type WrittenFile,
} from './clientFiles.ts';
import type { ClientFile, NamedProgram } from './clientProgram.ts';

export interface ApplyDependencies {
  dialogs: {
    confirmChanges(program: NamedProgram, changes: readonly FileChange[]): Promise<boolean>;
  };
  /** Reason not to write any of these files now: unsaved changes, or an untrusted workspace. */
  objectionTo(path: string): FileProblem | undefined;
  now(): Date;
}

/** Writes what the user agreed to. Undefined without consent; empty if all is right already. */
export async function applyChanges<Wanted>(
  { dialogs, objectionTo, now }: ApplyDependencies,
  program: NamedProgram,
  files: readonly ClientFile<Wanted>[],
  wanted: Wanted,
): Promise<WrittenFile[] | undefined> {
  const object = () => {
    for (const { path } of files) {
      const objection = objectionTo(path);
      if (objection) throw objection;
    }
  };
  object();
  const changes = await planChanges(files, wanted);
  if (changes.length === 0) return [];
  if (!(await dialogs.confirmChanges(program, changes))) return undefined;
  // The user may have started editing while the question was open.
  object();
  return writeChanges(changes, now());
}
