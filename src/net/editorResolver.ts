import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ResolveProxy } from './httpClient.ts';

/**
 * The editor's resolver of proxies, which follows its settings, the system's and PAC files. No API gives it, but the editor
 * leaves it for extensions at the module with which it patches `node:http`. Undefined where it is not there: requests then
 * try the direct way first and the patched `node:http` after it.
 *
 * Of an answer with several proxies it gives the first as an address: `http:`, `https:`, `socks:` or `socks4a:`.
 * @param appRoot the editor's folder (`vscode.env.appRoot`)
 */
export function findEditorResolver(appRoot: string): ResolveProxy | undefined {
  const load = createRequire(join(appRoot, 'package.json'));
  for (const folder of ['node_modules', 'node_modules.asar']) {
    try {
      const agent = load(join(appRoot, folder, '@vscode', 'proxy-agent')) as {
        resolveProxyURL?: ResolveProxy;
      };
      if (typeof agent.resolveProxyURL === 'function') return agent.resolveProxyURL;
    } catch {
      // It is not there.
    }
  }
  return undefined;
}
