import type { SwitchboardError } from '../base/errors.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';
import {
  type FileChange,
  type FileProblem,
  planChanges,
  readClientFile,
  writeChanges,
  type WrittenFile,
} from './clientFiles.ts';
import {
  addressFor,
  type ClientFile,
  type ClientModel,
  type ClientProgram,
  type ClientProtocol,
  endpointFor,
  type GatewayAuth,
  type KeyPlace,
  type Machine,
  type Target,
} from './clientProgram.ts';
import { tryClient, type TryContext } from './tryClient.ts';

/** A program with what is known of it here. */
export interface FoundProgram {
  program: ClientProgram;
  files: readonly ClientFile[];
  hasFile: boolean;
}

/** What the user is asked. Undefined: the user left. */
export interface ClientDialogs {
  /** One, or several of which the first is asked by default. */
  chooseModels(program: ClientProgram): Promise<Target['models'] | undefined>;
  /** Adds the limits that nobody knows. */
  askLimits(model: ClientModel): Promise<ClientModel | undefined>;
  chooseAuth(): Promise<GatewayAuth | undefined>;
  /** @param variable that the key would be in */
  chooseKeyPlace(found: FoundProgram, variable: string): Promise<KeyPlace | undefined>;
  /** The key would lie where everything that runs as the user can read it. */
  confirmKeyInFile(files: readonly ClientFile[]): Promise<boolean>;
  /** Shows what becomes of the files. */
  confirmChanges(program: ClientProgram, changes: readonly FileChange[]): Promise<boolean>;
}

export interface ConfigureDependencies {
  /** `variable`: the one for its key, where the program leaves the choice. */
  relay: { baseUrl: string; key: string; variable: string };
  dialogs: ClientDialogs;
  /** How the relay serves a model. */
  protocolOf(modelId: string): ClientProtocol;
  /** Why none of these files may be written now: it has unsaved changes, or belongs to a workspace without trust. */
  objectionTo(path: string): FileProblem | undefined;
  net(): Promise<TryContext>;
  /** While a request runs. */
  withProgress<T>(address: string, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
  now(): Date;
}

/** A program that is set up now. */
export interface Configured {
  program: ClientProgram;
  target: Target;
  place: KeyPlace;
  /** Of what it is to be started in; null clears one. */
  variables: Readonly<Record<string, string | null>>;
  /** None, where everything was as it should be, or is in the variables. */
  written: readonly WrittenFile[];
  /** Why the relay does not answer as the program asks; undefined: it does. */
  failure?: SwitchboardError;
}

/** What a file sets over the variables of a terminal, so that the key might go to another server. */
export interface Overridden {
  program: ClientProgram;
  path: string;
  names: readonly string[];
}

/**
 * Points a program at the relay, step by step with the user's consent, and tries what came of it. Undefined: the user left,
 * and nothing was changed.
 * @throws FileProblem
 */
export async function configureClient(
  deps: ConfigureDependencies,
  found: FoundProgram,
): Promise<Configured | Overridden | undefined> {
  const { relay, dialogs } = deps;
  const { program, files } = found;
  const models = await chooseModels(program, dialogs);
  if (!models) return undefined;
  const auth = program.asksForAuth ? await dialogs.chooseAuth() : undefined;
  if (program.asksForAuth && !auth) return undefined;
  const { variable = relay.variable } = program;
  const place = await dialogs.chooseKeyPlace(found, variable);
  if (!place || (place === 'file' && !(await dialogs.confirmKeyInFile(files)))) return undefined;

  const { protocol } = endpointFor(program, deps.protocolOf(models[0].id));
  const target: Target = {
    ...{ baseUrl: relay.baseUrl, models, protocol, variable },
    ...(place === 'file' && { keyInFile: relay.key }),
    ...(auth && { auth }),
  };
  const needsNoFile = place === 'terminal' && program.variables !== undefined;
  const overridden = needsNoFile ? await findOverrides(found, target) : undefined;
  if (overridden) return overridden;
  const written = needsNoFile ? [] : await change(deps, program, files, target);
  if (!written) return undefined;
  return {
    ...{ program, target, place, written },
    variables: {
      ...Object.fromEntries((program.cleared ?? []).map((name) => [name, null])),
      ...(needsNoFile && program.variables?.(target)),
      ...(place !== 'file' && { [variable]: relay.key }),
    },
    ...(await tryOut(deps, program, target)),
  };
}

export function findProgram(program: ClientProgram, machine: Machine): FoundProgram {
  const files = program.files(machine);
  return { program, files, hasFile: files.some(({ path }) => machine.exists(path)) };
}

async function chooseModels(
  program: ClientProgram,
  dialogs: ClientDialogs,
): Promise<Target['models'] | undefined> {
  const chosen = await dialogs.chooseModels(program);
  if (!chosen || !program.writesLimits) return chosen;
  const models: ClientModel[] = [];
  for (const model of chosen) {
    const isKnown = model.contextWindow !== undefined && model.maxTokens !== undefined;
    const limited = isKnown ? model : await dialogs.askLimits(model);
    if (!limited) return undefined;
    models.push(limited);
  }
  const [first, ...others] = models;
  return first && [first, ...others];
}

async function findOverrides(
  { program, files }: FoundProgram,
  target: Target,
): Promise<Overridden | undefined> {
  const [file] = files;
  if (!file || !program.overrides) return undefined;
  const names = program.overrides(await readClientFile(file), program.variables?.(target) ?? {});
  return names.length > 0 ? { program, path: file.path, names } : undefined;
}

/** Undefined: the user did not agree. */
async function change(
  { dialogs, objectionTo, now }: ConfigureDependencies,
  program: ClientProgram,
  files: readonly ClientFile[],
  target: Target,
): Promise<WrittenFile[] | undefined> {
  const object = () => {
    for (const { path } of files) {
      const objection = objectionTo(path);
      if (objection) throw objection;
    }
  };
  object();
  const changes = await planChanges(files, target);
  if (changes.length === 0) return [];
  if (!(await dialogs.confirmChanges(program, changes))) return undefined;
  // The user may have begun to edit while the question stood.
  object();
  return writeChanges(changes, now());
}

async function tryOut(
  { net, withProgress, relay }: ConfigureDependencies,
  program: ClientProgram,
  target: Target,
): Promise<{ failure?: SwitchboardError }> {
  try {
    const context = await net();
    await withProgress(addressFor(program, target), (signal) =>
      tryClient(context, program, target, relay.key, signal),
    );
    return {};
  } catch (error) {
    return { failure: toSwitchboardError(error) };
  }
}
