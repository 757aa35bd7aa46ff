import type fc from 'fast-check';

export interface Property {
  /** Number of inputs that `npm test` tries, as far as time allows. */
  runs: number;
  property: fc.IRawProperty<unknown>;
}

/** Properties by name. Each `*.fuzz.ts` exports its properties as `target`. */
export type Target = Readonly<Record<string, Property>>;
