export function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error(`--${name} takes a number, not ${text}.`);
  return value;
}
