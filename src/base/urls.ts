const longestAddress = 2000;

export function pageAddress(text: string): URL | undefined {
  const typed = text.trim();
  if (typed.length > longestAddress || !/^https:\/\/\S+$/i.test(typed)) return undefined;
  const url = URL.parse(typed);
  return url && !url.username && !url.password ? url : undefined;
}

/** An address without user, password, query and fragment, safe to show and to log. */
export function shownAddress(address: string | URL): string {
  try {
    const url = new URL(address);
    if (url.origin !== 'null') return url.origin + withoutLastSlashes(url.pathname);
  } catch {
    // Not a URL: shown as it is, without its secrets.
  }
  // Text that is not a URL can still contain a password.
  return String(address)
    .replace(/[?#].*$/s, '')
    .replace(/^((?:[a-z][a-z0-9+.-]*:)?\/\/)?[^/]*@/i, '$1');
}

export function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}
