import assert from 'node:assert/strict';
import type { AppClient } from '../../../src/apps/client/appClient.ts';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import type { PlatformConnection } from '../../../src/platform/platformCall.ts';
import { createAppService } from '../../support/appServiceParts.ts';
import { eventually } from '../../support/eventually.ts';
import { createMemoryKeys } from '../../support/memoryKeys.ts';
import { silentLog } from '../../support/silentLog.ts';

const url = 'https://platform.example';

/** Apps over the stored state `kept`. */
function open(environment: NodeJS.ProcessEnv, kept: { apps?: string; secrets: Map<string, string> }) {
  const asked: PlatformConnection[] = [];
  const warnings: string[] = [];
  const apps = createAppService({
    store: {
      read: () => kept.apps && (JSON.parse(kept.apps) as unknown),
      write: (value) => void (kept.apps = JSON.stringify(value)),
    },
    keys: createMemoryKeys(kept.secrets),
    environment,
    log: { ...silentLog, warn: (line) => void warnings.push(line) },
    async createClient(connection) {
      asked.push(connection);
      const info = async () => {
        if (connection.key === 'app-refused') throw new SwitchboardError('key', 'Refused.');
        const kind = 'chatflow' as const;
        return { name: `Named ${connection.key.slice(-1)}`, description: '', kind, tags: [] };
      };
      const site = () => Promise.reject(new SwitchboardError('request', 'No such route.'));
      return { info, site } as Partial<AppClient> as AppClient;
    },
  });
  return { apps, asked, warnings };
}

const nothing = (): { apps?: string; secrets: Map<string, string> } => ({ secrets: new Map() });
const environment = (keys: string, at = url) => ({
  SWITCHBOARD_PLATFORM_URL: at,
  SWITCHBOARD_APP_KEYS: keys,
});

describe('apps of the environment', () => {
  it('are there by themselves, in its order, and their keys are written nowhere', async () => {
    const kept = nothing();
    const { apps, asked } = open(environment(' app-secret1, app-secret2,,app-secret1'), kept);
    let changes = 0;
    apps.onDidChange(() => changes++);
    await eventually(() => assert.equal(apps.apps.length, 2));
    assert.deepEqual(
      apps.apps.map(({ name, kind, origin, isFromEnvironment }) => [name, kind, origin, isFromEnvironment]),
      [
        ['Named 1', 'chatflow', url, true],
        ['Named 2', 'chatflow', url, true],
      ],
    );
    assert.equal(changes, 1);
    assert.doesNotMatch(JSON.stringify([kept.apps, [...kept.secrets]]), /secret/);
    const [app] = apps.apps;
    assert.equal(app && (await apps.hasKey(app)), true);
    await apps.client(app?.id ?? '');
    assert.deepEqual(asked.at(-1), { baseUrl: url, key: 'app-secret1' });
  });

  it('are the same ones in the next window, which asks nobody', async () => {
    const kept = nothing();
    const first = open(environment('app-secret1'), kept);
    await eventually(() => assert.equal(first.apps.apps.length, 1));
    const next = open(environment('app-other2,app-secret1', `${url}/v1/`), kept);
    await next.apps.ready;
    assert.deepEqual(next.apps.apps, first.apps.apps);
    await eventually(() => assert.equal(next.apps.apps.length, 2));
    assert.deepEqual(
      next.asked.map(({ key }) => key),
      ['app-other2'],
    );
  });

  it('are there with their key and their address alone', async () => {
    const kept = nothing();
    const first = open(environment('app-secret1'), kept);
    await eventually(() => assert.equal(first.apps.apps.length, 1));
    const [app] = first.apps.apps;
    assert.ok(app);
    for (const other of [
      {},
      environment('app-other2'),
      environment('app-secret1', 'https://other.example'),
    ]) {
      const { apps } = open(other, kept);
      await apps.ready;
      assert.equal(apps.find(app.id), undefined);
      await assert.rejects(apps.client(app.id), /removed/);
    }
  });

  it('get no key at another address, whatever the kept list says', async () => {
    const kept = nothing();
    const first = open(environment('app-secret1'), kept);
    await eventually(() => assert.equal(first.apps.apps.length, 1));
    // An attacker who can write the list, but not the environment, would redirect it.
    const moved = kept.apps?.replaceAll(url, 'https://evil.example') ?? '';
    const { apps, asked } = open(environment('app-secret1'), { ...nothing(), apps: moved });
    await apps.ready;
    assert.deepEqual(apps.apps, []);
    await eventually(() => assert.equal(asked.length, 1));
    assert.equal(asked[0]?.baseUrl, url);
  });

  it('are listed when they do not say what they are, and asked again the next time', async () => {
    const kept = nothing();
    const { apps, warnings } = open(environment('app-refused'), kept);
    await eventually(() => assert.equal(apps.apps.length, 1));
    assert.deepEqual([apps.apps[0]?.name, apps.apps[0]?.kind], ['platform.example', 'unknown']);
    assert.deepEqual(warnings, ['An app of SWITCHBOARD_APP_KEYS did not say what it is: key']);
    const next = open(environment('app-refused'), kept);
    await eventually(() => assert.equal(next.asked.length, 1));
  });

  it('are not listed twice when the user added them, and stay when the user adds them', async () => {
    const kept = nothing();
    const own = open({}, kept);
    const info = { name: 'Mine', description: '', kind: 'chat' as const, tags: [] };
    await own.apps.add({ baseUrl: url, key: 'app-secret1' }, info);
    const both = open(environment('app-secret1,app-secret2'), kept);
    await eventually(() => assert.equal(both.apps.apps.length, 2));
    assert.deepEqual(
      both.apps.apps.map(({ name }) => name),
      ['Mine', 'Named 2'],
    );
    const second = both.apps.apps[1];
    assert.ok(second);
    await both.apps.setKey(second, 'app-secret2');
    const without = open({}, kept);
    await without.apps.ready;
    const added = without.apps.find(second.id);
    assert.ok(added && !added.isFromEnvironment);
    assert.equal(await without.apps.hasKey(added), true);
  });

  it('are none without an address, or with what can be no key', async () => {
    for (const other of [
      { SWITCHBOARD_APP_KEYS: 'app-secret1' },
      environment('app-secret1', 'not an address at all'),
      environment('app key, ,'),
    ]) {
      const { apps, asked } = open(other, nothing());
      await apps.ready;
      await apps.discover();
      assert.deepEqual([apps.apps, asked], [[], []]);
    }
  });
});
