export interface ServerVersion {
  readonly text: string;
  isAtLeast(version: string): boolean;
}

export function serverVersion(text: string): ServerVersion {
  const own = numbers(text);
  return {
    text,
    isAtLeast(version) {
      const other = numbers(version);
      for (const [index, number] of other.entries()) {
        const difference = (own[index] ?? 0) - number;
        if (difference !== 0) return difference > 0;
      }
      return true;
    },
  };
}

function numbers(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
