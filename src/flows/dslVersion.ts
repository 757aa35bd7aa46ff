/** Newest DSL version that was measured. */
export const knownVersion = '0.7.0';

export const versionPattern = /^\d+(?:\.\d+){0,3}$/;

/** Compares versions by their numbers. */
export function isNewerVersion(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  for (let part = 0; part < Math.max(own.length, other.length); part++) {
    const difference = (own[part] ?? 0) - (other[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}
