/**
 * How much of a text is formatted at once and at all, so that whatever a model writes is read in time that grows with
 * its length, in steps that leave the page free. What is beyond a limit is shown as plain text, never left out.
 */
export interface Limits {
  /** Characters that are read in one step. */
  readonly window: number;
  /** Characters of a block that cannot be read in parts: a quotation, or one item of a list with all that is in it. */
  readonly block: number;
  /** Items of a list or rows of a table in one element; more go on in another one, since laying out one costs all of it. */
  readonly items: number;
}

export const limits: Limits = { window: 4000, block: 32_000, items: 200 };

/** Characters of a paragraph, a heading or a cell. */
export const longestInline = 8000;
/** Levels of quotations and lists; each item of a list is a level of its own. */
export const deepestBlock = 20;
/** Levels of emphasis. */
export const deepestInline = 20;
/** Columns of a table: rows may be as short as two characters and still have a cell for each. */
export const mostColumns = 32;
/**
 * What the reading of one block may cost, and again that of the words in it: its characters tell little about that. The
 * unit is one rule that looks at one place.
 */
export const mostBlockSteps = 10_000;
export const mostInlineSteps = 4000;
/**
 * A block in a block is an element to be drawn, which costs more than to find it; a cell of a table is a small one, and
 * the box of a task one more with a picture in it.
 */
export const stepsPerBlock = 10;
export const stepsPerTask = 8;
export const stepsPerCell = 3;
/** Empty cells at the end of a row; more are one cell. */
export const mostEmptyCells = 3;
