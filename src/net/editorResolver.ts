import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ResolveProxy } from './httpClient.ts';

/**
 * The editor's proxy resolver, which follows its settings, the system's and PAC files. No API exposes it; it lies at
 * the module that patches `node:http`. If undefined, requests try the direct way, then the patched `node:http`. It
 * returns the first proxy's address: `http:`, `https:`, `socks:` or `socks4a:`.
 * @param appRoot `vscode.env.appRoot`
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
      // Not in this folder.
    }
  }
  return undefined;
}
