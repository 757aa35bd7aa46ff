import type { PlatformContext } from './platformContext.ts';
import { ok, type PlatformRoute } from './platformRoute.ts';

/** What the server tells of itself, and of the app behind an app key. */
export function serverRoutes({ version }: PlatformContext): PlatformRoute[] {
  return [
    {
      kind: 'server',
      method: 'GET',
      path: '/v1/?',
      key: 'none',
      answer: () => ok({ welcome: 'Sandbox platform', api_version: 'v1', server_version: version.text }),
    },
    {
      kind: 'appInfo',
      method: 'GET',
      path: '/v1/info',
      key: 'app',
      answer: () =>
        ok({
          name: 'Sandbox app',
          description: 'A scripted app of the sandbox.',
          tags: [],
          mode: 'chat',
          author_name: 'sandbox',
        }),
    },
  ];
}
