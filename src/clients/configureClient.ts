import type { SwitchboardError } from '../base/errors/errors.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import { applyChanges, type ApplyDependencies } from './applyChanges.ts';
import { readClientFile, type WrittenFile } from './clientFiles.ts';
import {
  addressFor,
  type ClientFile,
  type ClientModel,
  type ClientProgram,
  endpointFor,
  type GatewayAuth,
  type KeyPlace,
  type Machine,
  type Target,
} from './clientProgram.ts';
import type { Protocol } from '../relay/messages.ts';
import { tryClient, type TryContext } from './tryClient.ts';

export interface FoundProgram {
  program: ClientProgram;
  files: readonly ClientFile[];
  hasFile: boolean;
}

export interface ClientDialogs extends Pick<ApplyDependencies['dialogs'], 'confirmChanges'> {
  /** Chooses one model, or several with the default first. */
  chooseModels(program: ClientProgram): Promise<Target['models'] | undefined>;
  askLimits(model: ClientModel): Promise<ClientModel | undefined>;
  chooseAuth(): Promise<GatewayAuth | undefined>;
  chooseKeyPlace(found: FoundProgram, variable: string): Promise<KeyPlace | undefined>;
  /** Confirms that the key goes into a file that any of the user's programs can read. */
  confirmKeyInFile(files: readonly ClientFile[]): Promise<boolean>;
}

export interface ConfigureDependencies extends ApplyDependencies {
  /** `variable`: for the key, if the program leaves the choice. */
  relay: { baseUrl: string; key: string; variable: string };
  dialogs: ClientDialogs;
  protocolOf(modelId: string): Protocol;
  net(): Promise<TryContext>;
  withProgress<T>(address: string, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface Configured {
  program: ClientProgram;
  target: Target;
  place: KeyPlace;
  /** Variables of its terminal; null clears one. */
  variables: Readonly<Record<string, string | null>>;
  written: readonly WrittenFile[];
  failure?: SwitchboardError;
}

/** Names the settings of a file that override a terminal's variables and might send the key elsewhere. */
export interface Overridden {
  program: ClientProgram;
  path: string;
  names: readonly string[];
}

/** Asks consent at each step, then tests. Undefined, with nothing changed, if dismissed. Throws `FileProblem`. */
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
  const written = needsNoFile ? [] : await applyChanges(deps, program, files, target);
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
