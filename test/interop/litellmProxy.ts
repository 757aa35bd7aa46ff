import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { versions } from '../host/cache.ts';
import { freePort } from '../host/ports.ts';
import { startProcess } from '../host/processes.ts';
import { createScratch } from '../host/scratch.ts';
import { waitForServer } from '../host/waitFor.ts';
import { installFromPypi, pythonIn } from './python.ts';

export interface LitellmProxy {
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** A model's name at the proxy and at its vendor. */
export interface ProxiedModel {
  name: string;
  vendorModel: string;
  /** The proxy's provider, which decides the vendor's protocol; `openai` by default. */
  provider?: string;
  vendorKey?: string;
  info?: Record<string, string | number | boolean>;
}

/** The proxy imports much Python. */
const startLimitMs = 120_000;

export function installLitellm(): Promise<string> {
  return installFromPypi(`litellm-${versions.litellm}`, `litellm[proxy]==${versions.litellm}`);
}

/** Starts the proxy on a free loopback port, before a vendor that speaks all its providers' protocols. */
export async function startLitellm(
  vendor: { url: string; key: string },
  models: readonly ProxiedModel[],
): Promise<LitellmProxy> {
  const folder = await installLitellm();
  const scratch = await createScratch();
  const key = 'sk-interop-master';
  const config = join(scratch.folder, 'config.yaml');
  await writeFile(config, JSON.stringify(configOf(vendor, models, key)));
  const port = await freePort();
  // The installed script names the temporary folder of the installation.
  const program = 'import sys; from litellm import run_server; sys.exit(run_server())';
  const args = ['-c', program, '--config', config, '--host', '127.0.0.1', '--port', String(port)];
  const server = startProcess(pythonIn(folder), args, {
    cwd: scratch.folder,
    env: {
      PATH: process.env['PATH'],
      HOME: scratch.folder,
      // Prices come from the package, without a download or telemetry.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      LITELLM_TELEMETRY: 'False',
      LITELLM_LOG: 'ERROR',
      PYTHONUNBUFFERED: '1',
    },
  });
  const stop = async () => {
    await server.stop();
    await scratch.remove();
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitForServer(`${url}/health/liveliness`, server, startLimitMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, key, stop };
}

function configOf(
  vendor: { url: string; key: string },
  models: readonly ProxiedModel[],
  key: string,
): object {
  return {
    model_list: models.map(({ name, vendorModel, provider = 'openai', vendorKey = vendor.key, info }) => ({
      model_name: name,
      litellm_params: {
        model: `${provider}/${vendorModel}`,
        // The proxy adds the version by itself for Anthropic only.
        api_base: provider === 'anthropic' ? vendor.url : `${vendor.url}/v1`,
        api_key: vendorKey,
        max_retries: 0,
      },
      ...(info && { model_info: info }),
    })),
    general_settings: { master_key: key },
    litellm_settings: { num_retries: 0, telemetry: false },
    // No retries: each test is about its own request.
    router_settings: { num_retries: 0, disable_cooldowns: true },
  };
}
