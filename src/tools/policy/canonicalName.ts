const plainAscii = /^[\w-]+(\.[\w-]+)*$/;

/** A name as file systems compare it: without case, Windows streams, trailing dots and invisible characters. */
export function canonicalName(name: string): string {
  if (plainAscii.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toLowerCase()
    .replace(/(?!^):.*$/s, '')
    .replace(/[. ]+$/, '');
}

/** The canonical names along a relative path. A backslash also separates, so that the verdict doesn't depend on it. */
export function canonicalNames(relative: string): string[] {
  return relative.split(/[\\/]+/).map(canonicalName);
}
