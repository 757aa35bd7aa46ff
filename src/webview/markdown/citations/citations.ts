export type IsSource = (n: number) => boolean;

export function numbersIn(citation: string): number[] {
  return (citation.match(/\d+/g) ?? []).map(Number);
}
