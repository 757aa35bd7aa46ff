import type fc from 'fast-check';

export interface Property {
  /** Number of inputs that `npm test` tries, as far as time allows. */
  runs: number;
  property: fc.IRawProperty<unknown>;
}

/** The properties of one target by name. Each `*.fuzz.ts` exports one as `target`. */
export type Target = Readonly<Record<string, Property>>;
