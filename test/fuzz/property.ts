import type fc from 'fast-check';

/** What must hold for every input, and how inputs are made. */
export interface Property {
  /** So many inputs are tried by `npm test`, as far as there is time. */
  runs: number;
  property: fc.IRawProperty<unknown>;
}

/** The properties of one target, by what they say. Each file `*.fuzz.ts` exports one as `target`. */
export type Target = Readonly<Record<string, Property>>;
