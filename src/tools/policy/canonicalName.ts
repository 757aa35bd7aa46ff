const plainAscii = /^[\w-]+(\.[\w-]+)*$/;

/**
 * A name as file systems compare it, for judging by name: without regard to case and to how accents are encoded,
 * and as Windows and macOS would understand it: without its stream, trailing dots and spaces, and the invisible
 * characters that some file systems skip.
 */
export function canonicalName(name: string): string {
  if (plainAscii.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toLowerCase()
    .replace(/(?!^):.*$/s, '')
    .replace(/[. ]+$/, '');
}

/** The canonical names along a relative path. A backslash separates too: a verdict must not hang on which one it is. */
export function canonicalNames(relative: string): string[] {
  return relative.split(/[\\/]+/).map(canonicalName);
}
