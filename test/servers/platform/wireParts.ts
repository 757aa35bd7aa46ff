export const account = '6f1d3c1e-6b0a-4d0e-9b53-0a7f5f0c9a11';

/** Times on the wire are whole seconds since the epoch. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
