import type { Protocol } from '../relay/protocol.ts';
import type { Edit } from './edit.ts';
import type { FormatName } from './formats/formats.ts';

/** What programs of others ask a relay by. */
export type ClientProtocol = Protocol | 'responses';

/** Where a program finds the key: in a variable that the user sets, in its file, or in a terminal opened with it. */
export type KeyPlace = 'environment' | 'file' | 'terminal';

export interface ClientModel {
  id: string;
  name: string;
  /** Tokens. */
  contextWindow?: number;
  /** Tokens. */
  maxTokens?: number;
}

/** What a program is to be pointed at. */
export interface Target {
  /** Of the relay, without `/v1`. */
  baseUrl: string;
  /** The first one is asked by default. */
  models: readonly [ClientModel, ...ClientModel[]];
  protocol: ClientProtocol;
  /** The variable that holds the key: each relay has one of its own, so that no key goes to another one. */
  variable: string;
  /** The key itself, where it is to lie in the file; else the file refers to the variable. */
  keyInFile?: string;
  /** How an agent gateway sends the key. */
  auth?: GatewayAuth;
}

export type GatewayAuth = 'api-key' | 'bearer';

/** How a program calls a protocol. */
export interface Endpoint {
  /** What its base address has behind the relay's. */
  suffix: '' | '/v1';
  /** What it adds to its base address. */
  path: string;
  keyHeader: 'authorization' | 'x-api-key';
  /** How it calls its limit of output, and what it sends where none is written; neither, if it sends none. */
  limit?: { field: 'max_tokens' | 'max_completion_tokens'; unset?: number };
}

/** The machine that programs run on, as they see it. */
export interface Machine {
  home: string;
  environment: NodeJS.ProcessEnv;
  exists(path: string): boolean;
}

/** A file that a program reads. */
export interface ClientFile {
  path: string;
  /** Absent: an empty file, whose being there is all. */
  format?: FormatName;
  /**
   * @param current what it holds now
   * @param earlier what the program's files before it will hold
   */
  edits(current: object, target: Target, earlier: readonly object[]): readonly Edit[];
}

/** A program that a relay can be used from. What it reads, sends and destroys was measured with the real one. */
export interface ClientProgram {
  id: string;
  name: string;
  /** What it is started by; absent for programs that nothing is known of. */
  command?: string;
  /** The one that is preferred first. */
  endpoints: Readonly<Partial<Record<ClientProtocol, Endpoint>>>;
  /** Where the key may be; the one that is preferred first. */
  keyPlaces: readonly KeyPlace[];
  /** The variable that it takes the key from; absent, where its file says which one. */
  variable?: string;
  hasManyModels?: boolean;
  /** Its models have limits written, which it sends or plans by. */
  writesLimits?: boolean;
  asksForAuth?: boolean;
  files(machine: Machine): readonly ClientFile[];
  /** Variables that do instead of the files, but for the key. */
  variables?(target: Target): Readonly<Record<string, string>>;
  /** Variables that would have it send another key, too. */
  cleared?: readonly string[];
  /** Names of what a file sets over these variables, and otherwise. */
  overrides?(current: object, variables: Readonly<Record<string, string>>): readonly string[];
  /** Arguments for one answer, or for a check that asks no model. Absent: it can't be run without leaving something behind. */
  check?: { arguments: readonly string[]; asksModel: boolean };
}

/** The endpoint of the protocol that the model is served by, else of the one that the program prefers. */
export function endpointFor(
  { endpoints }: Pick<ClientProgram, 'endpoints'>,
  served: ClientProtocol,
): { protocol: ClientProtocol; endpoint: Endpoint } {
  const known = Object.entries(endpoints) as [ClientProtocol, Endpoint][];
  const [protocol, endpoint] = known.find(([each]) => each === served) ?? known[0]!;
  return { protocol, endpoint };
}

/** The base address as the program is given it. */
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

/** Of programs whose base address has the version in it. */
export const messagesBelowVersion: Endpoint = { ...messagesEndpoint, suffix: '/v1', path: '/messages' };
