import { type Address } from '../base/address.ts';
import { withoutLastSlashes } from '../base/urls.ts';

/** The hosted platform. Others with two hosts are asked about. Source: docs.dify.ai, cli/quick-start; not recorded. */
const hosted = { api: 'https://api.dify.ai', console: 'https://cloud.dify.ai' };

export function overHttps({ baseUrl }: Address): Address {
  const url = new URL(baseUrl);
  url.protocol = 'https:';
  return { baseUrl: url.origin + withoutLastSlashes(url.pathname), origin: url.origin };
}

const mostShorter = 6;

/** Candidate base addresses of the same origin for a pasted page address: each parent path, nearest first, and `/api`. */
export function shorterAddresses({ baseUrl, origin }: Address): Address[] {
  const parts = baseUrl.slice(origin.length).split('/').slice(1, mostShorter);
  const above = parts.map((_, index) => [origin, ...parts.slice(0, index)].join('/')).toReversed();
  return [...new Set([...above, `${origin}/api`])]
    .filter((candidate) => candidate !== baseUrl)
    .map((candidate) => ({ baseUrl: candidate, origin }));
}

/** Where one signs in to the platform of an API's address; undefined if that is not known. */
export function consoleOf(baseUrl: string): string | undefined {
  return new URL(baseUrl).origin === hosted.api ? hosted.console : undefined;
}

export function apiOf(baseUrl: string): string {
  return new URL(baseUrl).origin === hosted.console ? hosted.api : baseUrl;
}
