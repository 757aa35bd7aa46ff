import { type HttpServer, startHttpServer } from '../http/httpServer.ts';
import { platformKeys } from './platformAuth.ts';
import { platformRoutes } from './platformRoutes.ts';

export interface PlatformOptions {
  /** What GET /v1/ tells; 1.14.1 by default. */
  version?: string;
}

/** An application platform. */
export interface PlatformServer extends HttpServer {
  /** A key that opens the knowledge bases. */
  readonly datasetKey: string;
  /** A key that opens the app. */
  readonly appKey: string;
  /** A key for each state a key can be in. */
  readonly keys: typeof platformKeys;
}

/** Starts a platform on a free loopback port. */
export async function startPlatform(options: PlatformOptions = {}): Promise<PlatformServer> {
  const server = await startHttpServer({ routes: platformRoutes({ version: options.version ?? '1.14.1' }) });
  return { ...server, datasetKey: platformKeys.dataset, appKey: platformKeys.app, keys: platformKeys };
}
