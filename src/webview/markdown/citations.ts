/** Whether a number is that of a source. */
export type IsSource = (n: number) => boolean;

/** The numbers of one citation: `[1]`, `[1, 2]`. */
export function numbersIn(citation: string): number[] {
  return (citation.match(/\d+/g) ?? []).map(Number);
}
