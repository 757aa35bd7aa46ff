import type { PlatformOptions } from './platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from './platform/platformServer.ts';
import { type RelayOptions, type RelayServer, startRelay } from './relay/relayServer.ts';

export interface Sandbox {
  readonly relay: RelayServer;
  readonly platform: PlatformServer;
  /** Ends every answer and socket of both at once; resolves when their ports are free. */
  stop(): Promise<void>;
}

/** The relay's options, and the platform's under its name. */
export interface SandboxOptions extends RelayOptions {
  platform?: PlatformOptions;
}

export async function startSandbox({
  platform: platformOptions,
  ...relayOptions
}: SandboxOptions = {}): Promise<Sandbox> {
  const [relay, platform] = await Promise.all([startRelay(relayOptions), startPlatform(platformOptions)]);
  return {
    relay,
    platform,
    stop: async () => void (await Promise.all([relay.stop(), platform.stop()])),
  };
}

export { startRelay, type RelayOptions, type RelayServer } from './relay/relayServer.ts';
export { startPlatform, type PlatformServer } from './platform/platformServer.ts';
