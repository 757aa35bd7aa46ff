/**
 * The hosted platform, whose console has another host than its API. Source: docs.dify.ai, cli/quick-start; not recorded.
 * Other platforms with two hosts are asked about.
 */
const hosted = { api: 'https://api.dify.ai', console: 'https://cloud.dify.ai' };

/** Where one signs in to the platform of an API's address; undefined if that is not known. */
export function consoleOf(baseUrl: string): string | undefined {
  return new URL(baseUrl).origin === hosted.api ? hosted.console : undefined;
}

/** Address of the API that belongs to a console. */
export function apiOf(baseUrl: string): string {
  return new URL(baseUrl).origin === hosted.console ? hosted.api : baseUrl;
}
