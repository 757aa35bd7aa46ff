/** The console has another host than the API. Source: docs.dify.ai, cli/quick-start; not recorded. */
const hosted = { api: 'https://api.dify.ai', console: 'https://cloud.dify.ai' };

export function consoleOf(baseUrl: string): string | undefined {
  return new URL(baseUrl).origin === hosted.api ? hosted.console : undefined;
}

export function apiOf(baseUrl: string): string {
  return new URL(baseUrl).origin === hosted.console ? hosted.api : baseUrl;
}
