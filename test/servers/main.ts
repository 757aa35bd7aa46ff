import { relayKeys } from './relay/keys.ts';
import { startSandbox } from './sandbox.ts';

async function main(): Promise<void> {
  const sandbox = await startSandbox({
    chunkDelayMs: 15,
    pauseMs: 2000,
    platform: { indexing: { stepMs: 600 } },
  });
  const { relay, platform } = sandbox;
  console.log(`Relay      ${relay.url}   key ${relay.key}`);
  console.log(`Platform   ${platform.url}   dataset key ${platform.datasetKey}   app key ${platform.appKey}`);
  console.log('\nOther keys of the relay:');
  for (const [name, key] of Object.entries(relayKeys)) console.log(`  ${name.padEnd(14)} ${key}`);
  console.log('\nModels:');
  for (const { id, describe } of relay.models) console.log(`  ${id.padEnd(36)} ${describe}`);
  console.log('\nCtrl+C stops it.');

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop());
}

void main();
