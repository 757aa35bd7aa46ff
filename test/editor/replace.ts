const restores: (() => void)[] = [];

/** Puts a value or a function of a test in the place of the editor's, until `restoreAll`. */
export function replace<T extends object>(target: T, name: keyof T, value: unknown): void {
  const original = Object.getOwnPropertyDescriptor(target, name)!;
  Object.defineProperty(target, name, { ...original, ...(original.get ? { get: () => value } : { value }) });
  restores.push(() => Object.defineProperty(target, name, original));
}

export function restoreAll(): void {
  for (const restore of restores.splice(0).toReversed()) restore();
}
