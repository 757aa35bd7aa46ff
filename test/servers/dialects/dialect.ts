import type { Reply } from '../http/reply.ts';
import type { ScriptedModel } from '../script/script.ts';

/** Everything a relay refuses before a model is asked. */
export type GateCase =
  | 'no-key'
  | 'unknown-key'
  | 'disabled'
  | 'expired'
  | 'exhausted'
  | 'banned'
  | 'ip'
  | 'group'
  | 'key-suffix'
  | 'model-not-allowed'
  | 'no-models-allowed'
  | 'unknown-model'
  | 'no-model-given'
  | 'not-json'
  | 'body-too-large'
  | 'no-messages'
  | 'absurd-max-tokens'
  | 'no-balance'
  | 'low-balance'
  | 'low-token-quota';

/** What a refusal may name. */
export interface GateDetails {
  readonly model: string;
  readonly requestId: string;
}

/** How one product speaks: its refusals, its model list, its headers. */
export interface Dialect {
  /** Put on every answer of this product. */
  headers(requestId: string): Record<string, string>;
  refuse(gateCase: GateCase, details: GateDetails): Reply;
  listModels(models: readonly ScriptedModel[]): object;
  /** Whether a key is also taken without `Bearer`, without `sk-`, and cut at a dash. */
  readonly lenientKeys: boolean;
  /** Whether models are served by the messages protocol, too. */
  readonly servesMessages?: boolean;
}

/** Seconds since the epoch that every listed model carries: the relay sends a constant. */
export const listedCreated = 1626777600;

/** The group that the sandbox's tokens belong to. */
export const tokenGroup = 'default';
