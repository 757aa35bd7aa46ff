import { type Dialect, serviceForm } from './modelDialect.ts';
import type { Protocol } from '../messages.ts';

export type ModelForm = Partial<Omit<Dialect, 'responses'>> & Pick<ModelFacts, 'refusedParameters'>;

/** Everything known about serving a model; absent fields are unknown. Replies are never stored here. */
export interface ModelFacts extends Partial<Dialect> {
  protocol?: Protocol;
  /** The model needs the responses protocol, but the relay doesn't serve it. */
  lacksResponses?: true;
  /** False: refused tools. True: called one. */
  toolCalling?: boolean;
  vision?: boolean;
  contextWindow?: number;
  refusedParameters?: readonly string[];
}

export type FactName = keyof ModelFacts;

export type FactSource = 'refusal' | 'answer' | 'check';

export const channelFacts: ReadonlySet<FactName> = new Set<FactName>([
  'cacheMarks',
  'wordBeforeCalls',
  'lacksResponses',
  'responses',
  'history',
]);

export interface RequestExtras {
  body?: Readonly<Record<string, unknown>> | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface ModelProfiles {
  facts(modelId: string): ModelFacts;
  learn(modelId: string, facts: ModelFacts, source: FactSource): void;
  chosenProtocol?(modelId: string): Protocol | undefined;
  extras?(modelId: string): RequestExtras | undefined;
}

export function createProfiles(known: ReadonlyMap<string, ModelFacts> = new Map()): ModelProfiles {
  const profiles = new Map(known);
  const facts = (modelId: string) => profiles.get(modelId) ?? {};
  return { facts, learn: (modelId, learnt) => void profiles.set(modelId, { ...facts(modelId), ...learnt }) };
}

export function dialectOf(facts: ModelFacts): Dialect {
  return { ...serviceForm, ...facts };
}
