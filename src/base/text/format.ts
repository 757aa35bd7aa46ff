/** A BCP 47 tag; undefined for the system's locale. */
export let locale: string | undefined;
/** By maximum fraction digits; creating a format is slow. */
const formats = new Map<number, Intl.NumberFormat>();

export function setFormatLocale(language: string): void {
  try {
    locale = Intl.getCanonicalLocales(language)[0];
  } catch {
    locale = undefined;
  }
  formats.clear();
}

/** Chooses a form by count. Languages without plurals translate both alike. */
export function plural(count: number, one: string, other: string): string {
  return count === 1 ? one : other;
}

export function formatNumber(value: number, maximumFractionDigits = 0): string {
  const format =
    formats.get(maximumFractionDigits) ?? new Intl.NumberFormat(locale, { maximumFractionDigits });
  formats.set(maximumFractionDigits, format);
  return format.format(value);
}
