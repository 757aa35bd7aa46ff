import type { Env as AnyEnv } from 'markdown-it';

/** Limits keep reading linear and its steps short for any text; text beyond them is plain, never dropped. */
export interface Limits {
  readonly window: number;
  /** Characters of a block that can't be read in parts: a quotation, or a list item with its content. */
  readonly block: number;
  /** Items or rows per element; more continue in another one, since layout visits all of it. */
  readonly items: number;
}

export const limits: Limits = { window: 4000, block: 32_000, items: 200 };

/** Characters of a paragraph, heading or cell. */
export const longestInline = 8000;
/** Levels of quotations and lists; list items count separately. */
export const deepestBlock = 20;
export const deepestInline = 20;
export const mostColumns = 32;
/** Budgets for a block and its inline text, in rules tried at a position; length alone says little about the cost. */
export const mostBlockSteps = 10_000;
export const mostInlineSteps = 4000;
/** A nested block costs more to draw than to find; a cell is a small one; a task adds a box with an icon. */
export const stepsPerBlock = 10;
export const stepsPerTask = 8;
export const stepsPerCell = 3;
/** More empty cells at the end of a row are merged. */
export const mostEmptyCells = 3;

export type References = Record<string, { href: string; title: string }>;

export interface Env extends AnyEnv {
  references: References;
  steps: number;
  columns: number;
  surplus: Map<number, string[]>;
  /** The text continues after this part. */
  isCut: boolean;
}

export function newEnv(references: References, isCut = false): Env {
  return { references, steps: 0, columns: 0, surplus: new Map(), isCut };
}
