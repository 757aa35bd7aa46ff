/** One predicted high or low water. */
export interface Tide {
  time: Date;
  heightMetres: number;
}

/**
 * The water's height at a moment, between the two tides around it.
 * The rule of twelfths is close enough for a harbour without a bar.
 */
export function heightAt(tides: Tide[], moment: Date): number | undefined {
  const next = tides.findIndex((tide) => tide.time > moment);
  const before = tides[next - 1];
  const after = tides[next];
  if (!before || !after) return undefined;
  const fraction = (moment.getTime() - before.time.getTime()) / (after.time.getTime() - before.time.getTime());
  const share = (1 - Math.cos(fraction * Math.PI)) / 2;
  return before.heightMetres + share * (after.heightMetres - before.heightMetres);
}

// TODO: correct for air pressure, one centimetre for each hectopascal from 1013
