import { heightAt, type Tide } from './tides.ts';

const stepMs = 10 * 60 * 1000;

/** The first moment after `from` at which a boat of this draught clears the sill, or undefined. */
export function earliestDeparture(tides: Tide[], draughtMetres: number, from: Date): Date | undefined {
  const last = tides.at(-1);
  if (!last) return undefined;
  for (let time = from.getTime(); time < last.time.getTime(); time += stepMs) {
    const moment = new Date(time);
    const height = heightAt(tides, moment);
    // TODO: the margin should depend on the swell
    if (height !== undefined && height > draughtMetres + 0.3) return moment;
  }
  return undefined;
}
