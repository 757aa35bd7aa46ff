import type { Protocol } from '../relay/messages.ts';
import type { Edit } from './edit.ts';
import type { FormatName } from './formats/allFormats.ts';

/** Place of the key: a variable set by the user, the program's file, or a terminal opened with it. */
export type KeyPlace = 'environment' | 'file' | 'terminal';

export interface ClientModel {
  id: string;
  name: string;
  contextWindow?: number;
  maxTokens?: number;
}

export interface Target {
  baseUrl: string;
  /** The first is the default. */
  models: readonly [ClientModel, ...ClientModel[]];
  protocol: Protocol;
  /** Variable of the key: one per relay, so no key goes to another relay. */
  variable: string;
  /** The key, if it goes into the file; otherwise the file refers to the variable. */
  keyInFile?: string;
  auth?: GatewayAuth;
}

export type GatewayAuth = 'api-key' | 'bearer';

export interface Endpoint {
  suffix: '' | '/v1';
  path: string;
  keyHeader: 'authorization' | 'x-api-key';
  /** Name and default of the output limit it sends; absent if it sends none. */
  limit?: { field: 'max_tokens' | 'max_completion_tokens'; unset?: number };
}

export interface Machine {
  home: string;
  environment: NodeJS.ProcessEnv;
  exists(path: string): boolean;
}

export interface ClientFile<Wanted = Target> {
  path: string;
  /** Absent for an empty file that only has to exist. */
  format?: FormatName;
  /** The program ignores a file that begins with a byte order mark. */
  refusesMark?: true;
  /** Edits of the file. `current`: its value now; `earlier`: values of the program's files before it. */
  edits(current: object, wanted: Wanted, earlier: readonly object[]): readonly Edit[];
}

export interface NamedProgram {
  id: string;
  name: string;
  command?: string;
}

/** A program that can use a relay. Its behaviour was measured with the real one. */
export interface ClientProgram extends NamedProgram {
  /** Protocols, preferred first. */
  endpoints: Readonly<Partial<Record<Protocol, Endpoint>>>;
  /** Places of the key, preferred first. */
  keyPlaces: readonly KeyPlace[];
  /** Variable of the key; absent if the file names it. */
  variable?: string;
  hasManyModels?: boolean;
  writesLimits?: boolean;
  asksForAuth?: boolean;
  files(machine: Machine): readonly ClientFile[];
  /** Variables that replace the files, except for the key. */
  variables?(target: Target): Readonly<Record<string, string>>;
  /** Variables to clear, because they would send another key as well. */
  cleared?: readonly string[];
  /** Settings of a file that override these variables. */
  overrides?(current: object, variables: Readonly<Record<string, string>>): readonly string[];
  /** Arguments for one answer, or for a check without a model. Absent if a run would leave traces. */
  check?: { arguments: readonly string[]; asksModel: boolean };
}

/** Endpoint of the protocol that serves the model, else of the program's preferred one. */
export function endpointFor(
  { endpoints }: Pick<ClientProgram, 'endpoints'>,
  served: Protocol,
): { protocol: Protocol; endpoint: Endpoint } {
  const known = Object.entries(endpoints) as [Protocol, Endpoint][];
  const [protocol, endpoint] = known.find(([each]) => each === served) ?? known[0]!;
  return { protocol, endpoint };
}

export function addressFor({ endpoints }: Pick<ClientProgram, 'endpoints'>, target: Target): string {
  return `${target.baseUrl}${endpoints[target.protocol]?.suffix ?? ''}`;
}

export const chatEndpoint: Endpoint = {
  suffix: '/v1',
  path: '/chat/completions',
  keyHeader: 'authorization',
};

export const responsesEndpoint: Endpoint = { suffix: '/v1', path: '/responses', keyHeader: 'authorization' };

export const messagesEndpoint: Endpoint = {
  suffix: '',
  path: '/v1/messages',
  keyHeader: 'x-api-key',
  limit: { field: 'max_tokens' },
};

export const messagesBelowVersion: Endpoint = { ...messagesEndpoint, suffix: '/v1', path: '/messages' };
