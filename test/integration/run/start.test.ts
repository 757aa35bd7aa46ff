import assert from 'node:assert/strict';
import { startServices } from '../../run/start.ts';
import { appUnderTest } from '../../support/appUnderTest.ts';
import { platformUnderTest } from '../../support/platformUnderTest.ts';
import { relayUnderTest } from '../../support/relayUnderTest.ts';

const never = new AbortController().signal;

describe('what npm start hands over to its editor', () => {
  it('is servers that answer, with a model, a knowledge base and apps to try at once', async () => {
    const { editor, stop } = await startServices({});
    const { env, settings } = editor;
    const relay = relayUnderTest({ baseUrl: env.SWITCHBOARD_RELAY_URL, key: env.SWITCHBOARD_RELAY_KEY });
    const baseUrl = env.SWITCHBOARD_PLATFORM_URL;
    const platform = platformUnderTest({ baseUrl, key: env.SWITCHBOARD_DATASET_KEY });
    const apps = env.SWITCHBOARD_APP_KEYS.split(',').map((key) => appUnderTest({ baseUrl, key }));
    try {
      const models = (await relay.list()).map(({ id }) => id);
      assert.ok(models.includes(settings['switchboard.chat.model'] ?? ''), models.join());
      const [harbour] = await platform.client.datasets.list(never);
      assert.deepEqual([harbour?.name, (harbour?.documentCount ?? 0) > 0], ['Harbour', true]);
      const infos = await Promise.all(apps.map(({ client }) => client.info(never)));
      const names = infos.map(({ name }) => name);
      for (const name of ['Guide', 'Passage planner', 'Summarise'])
        assert.ok(names.includes(name), names.join());
    } finally {
      for (const { http } of [relay, platform, ...apps]) http.dispose();
      await stop();
    }
  });

  it('is the servers that the environment names, and no other beside them', async () => {
    const given = {
      SWITCHBOARD_RELAY_URL: 'https://relay.example.com/v1',
      SWITCHBOARD_RELAY_KEY: 'sk-own',
      SWITCHBOARD_PLATFORM_URL: 'https://platform.example.com',
      SWITCHBOARD_DATASET_KEY: 'dataset-own',
      SWITCHBOARD_APP_KEYS: 'app-one,app-two',
    };
    const { editor, relay, platform } = await startServices(given);
    assert.deepEqual(editor, { settings: {}, env: given });
    assert.deepEqual([relay.isSandbox, platform.isSandbox], [false, false]);
  });
});
