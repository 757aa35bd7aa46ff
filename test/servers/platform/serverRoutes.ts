import type { PlatformContext } from './platformContext.ts';
import { ok, type PlatformRoute } from './platformRoute.ts';

/** What the server tells of itself. */
export function serverRoutes({ version }: PlatformContext): PlatformRoute[] {
  return [
    {
      kind: 'server',
      method: 'GET',
      path: '/v1/?',
      key: 'none',
      answer: () => ok({ welcome: 'Sandbox platform', api_version: 'v1', server_version: version.text }),
    },
  ];
}
