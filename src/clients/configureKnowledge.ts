import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import type { SwitchboardError } from '../base/errors/errors.ts';
import { applyChanges, type ApplyDependencies } from './applyChanges.ts';
import {
  FileProblem,
  planChanges,
  readClientFile,
  undoChanges,
  writeChanges,
  type WrittenFile,
} from './clientFiles.ts';
import type { Machine } from './clientProgram.ts';
import { valueAt } from './edit.ts';
import { knowledgeFile, type KnowledgeProgram, type ServerFile } from './knowledgeProgram.ts';
import {
  type KnowledgeServer,
  knowledgeServerName,
  type PreparedServer,
  type PrepareServer,
} from './knowledgeServer.ts';
import type { TriedServer } from './tryServer.ts';

export interface ConfigureKnowledgeDependencies extends ApplyDependencies {
  prepare: PrepareServer;
  tryServer(server: KnowledgeServer): Promise<TriedServer>;
}

export interface ConfiguredKnowledge {
  program: KnowledgeProgram;
  file: ServerFile;
  prepared: PreparedServer;
  /** Empty if the program was configured like this before. */
  written: readonly WrittenFile[];
  tried?: TriedServer;
  failure?: SwitchboardError;
}

/** Writes the entry that the user agreed to, then tries the server. Undefined without consent. Throws `FileProblem`. */
export async function configureKnowledge(
  deps: ConfigureKnowledgeDependencies,
  program: KnowledgeProgram,
  machine: Machine,
): Promise<ConfiguredKnowledge | undefined> {
  const file = program.serverFile(machine);
  const prepared = await deps.prepare(program);
  const written = await applyChanges(deps, program, [knowledgeFile(file)], prepared.server);
  if (!written) return undefined;
  await prepared.confirm();
  return { program, file, prepared, written, ...(await tryOut(deps, prepared.server)) };
}

export async function isConfigured(file: ServerFile): Promise<boolean> {
  return valueAt(await readClientFile(file), [...file.list, knowledgeServerName]) !== undefined;
}

/** Takes the entry out, after the user agreed. False without consent or an entry. Throws `FileProblem`. */
export async function removeKnowledge(
  deps: ApplyDependencies,
  { program, file, prepared }: Pick<ConfiguredKnowledge, 'program' | 'file' | 'prepared'>,
): Promise<boolean> {
  const written = await applyChanges(deps, program, [knowledgeFile(file)], undefined);
  if (!written || written.length === 0) return false;
  await prepared.remove();
  return true;
}

/** Restores the file's bytes, or removes only the entry if the program has rewritten the file. Throws `FileProblem`. */
export async function undoKnowledge(
  { objectionTo, now }: Pick<ApplyDependencies, 'objectionTo' | 'now'>,
  { file, prepared, written }: Pick<ConfiguredKnowledge, 'file' | 'prepared' | 'written'>,
): Promise<'restored' | 'entryRemoved'> {
  const objection = objectionTo(file.path);
  if (objection) throw objection;
  let undone: 'restored' | 'entryRemoved' = 'restored';
  try {
    await undoChanges(written);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    await writeChanges(await planChanges([knowledgeFile(file)], undefined), now());
    undone = 'entryRemoved';
  }
  await prepared.withdraw();
  return undone;
}

async function tryOut(
  { tryServer }: ConfigureKnowledgeDependencies,
  server: KnowledgeServer,
): Promise<Pick<ConfiguredKnowledge, 'tried' | 'failure'>> {
  try {
    return { tried: await tryServer(server) };
  } catch (error) {
    return { failure: toSwitchboardError(error) };
  }
}
