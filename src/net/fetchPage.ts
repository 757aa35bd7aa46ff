import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/urls.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { createTextDecoder } from '../base/text/textDecoder.ts';
import type { RoutedHttpClient } from './httpClient.ts';
import type { HttpResponse } from './httpResponse.ts';
import { localNetworkError, isPublicAddress, mayBePublic } from './publicAddresses.ts';
import { lookUp } from './sockets.ts';

export interface FetchedPage {
  /** After redirects. */
  url: URL;
  isHtml: boolean;
  text: string;
  isCut: boolean;
}

export interface PageFetch {
  /** Its direct connections look up names by `publicLookup`. */
  client: Pick<RoutedHttpClient, 'send' | 'wayTo'>;
  /** Asks the user about a host, first the page's, then those it redirects to. */
  mayLoad(url: URL): Promise<boolean>;
  signal: AbortSignal;
  clock?: Clock;
  find?: typeof lookUp;
}

const mostRedirects = 5;
/** The limit of a page's source; its text is a small part of that. */
const mostBytes = 2_000_000;
const limitMs = 30_000;
const timeouts = { connectMs: 10_000, firstTokenMs: 20_000, idleMs: 10_000 };
const headers = {
  accept: 'text/html, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.1',
  'user-agent': 'Switchboard',
};

/** Loads a public page over HTTPS, without cookies or keys. Undefined if the user refused a host. */
export async function fetchPage(address: URL, fetch: PageFetch): Promise<FetchedPage | undefined> {
  let url = address;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    checkAddress(url);
    if (!(await fetch.mayLoad(url))) return undefined;
    const loaded = await withinLimit(url, fetch, (signal) => load(url, { ...fetch, signal }));
    if (!(loaded instanceof URL)) return loaded;
    url = loaded;
  }
  throw failed(l10n.t('{0} redirects too often.', shownAddress(address)));
}

/** Throws if the page may not be loaded whatever its name resolves to. */
export function checkAddress(url: URL): void {
  if (url.protocol !== 'https:' || url.username || url.password) {
    throw failed(l10n.t('{0} is not a plain https:// address.', shownAddress(url)));
  }
  if (!mayBePublic(url.hostname)) throw localNetworkError(url.hostname);
}

async function load(url: URL, { client, signal, find = lookUp }: PageFetch): Promise<FetchedPage | URL> {
  const { route } = await client.wayTo(url, signal);
  // A proxy looks the name up by itself. That it finds another server than we do is left to the certificate.
  if (route.type === 'proxy') {
    const found = await find(url.hostname, signal).catch(() => []);
    if (!found.every(({ address }) => isPublicAddress(address))) throw localNetworkError(url.hostname);
  }
  const response = await client.send({
    ...{ method: 'GET', url: url.href, headers, timeouts, signal },
    redirects: 'return',
  });
  try {
    const { location } = response.headers;
    const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
    if (isRedirect && location && URL.canParse(location, url.href)) return new URL(location, url);
    return await read(url, response);
  } finally {
    response.close();
  }
}

async function read(url: URL, response: HttpResponse): Promise<FetchedPage> {
  const { status, contentType, headers: got } = response;
  if (status < 200 || status > 299) {
    throw failed(l10n.t('{0} answered with status {1}.', url.host, status));
  }
  const isHtml = contentType === 'text/html' || contentType === 'application/xhtml+xml';
  if (!isHtml && !/^text\/|[/+](?:json|xml|yaml|javascript)$/.test(contentType)) {
    throw failed(l10n.t("{0} isn't a page of text.", shownAddress(url)));
  }
  const { bytes, isCut } = await readBytes(response);
  return { url, isHtml, text: decode(bytes, got['content-type'] ?? '', isHtml), isCut };
}

async function readBytes({ body }: HttpResponse): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.byteLength;
    if (size > mostBytes) break;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, mostBytes), isCut: size > mostBytes };
}

/** By a byte order mark, the header, or the page's own `meta`; else as UTF-8. */
function decode(bytes: Uint8Array, contentType: string, isHtml: boolean): string {
  const [, ofHeader] = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType) ?? [];
  const head = isHtml ? Buffer.from(bytes.subarray(0, 1024)).toString('latin1') : '';
  const [, ofPage] = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]+)/i.exec(head) ?? [];
  const [first, second] = bytes;
  const ofMark =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff && 'utf-16be';
  for (const label of [ofMark, ofHeader, ofPage]) {
    try {
      if (label) return createTextDecoder(label).decode(bytes);
    } catch {
      // An unknown label; the next one may be known.
    }
  }
  return new TextDecoder().decode(bytes);
}

/** The user's answers take none of the time. */
async function withinLimit<T>(
  url: URL,
  { signal, clock = systemClock }: PageFetch,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const end = () =>
    ending.abort(
      new SwitchboardError('timeout-idle', l10n.t('{0} took too long to load.', shownAddress(url))),
    );
  const timer = clock.after(limitMs, end);
  try {
    return await work(AbortSignal.any([signal, ending.signal]));
  } finally {
    timer.dispose();
  }
}

function failed(message: string): SwitchboardError {
  return new SwitchboardError('request', message);
}
