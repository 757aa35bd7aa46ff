const longestAddress = 2000;

export function pageAddress(text: string): URL | undefined {
  const typed = text.trim();
  if (typed.length > longestAddress || !/^https:\/\/\S+$/i.test(typed)) return undefined;
  const url = URL.parse(typed);
  return url && !url.username && !url.password ? url : undefined;
}
