import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppInfo, AppParameters } from '../../src/apps/app.ts';
import type { AppClient } from '../../src/apps/client/appClient.ts';
import { readParameters } from '../../src/apps/client/readParameters.ts';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import { PictureFiles } from '../../src/base/files/pictureFiles.ts';
import type { PlatformConnection } from '../../src/platform/platformCall.ts';
import { createAppService } from '../support/appServiceParts.ts';
import { eventually } from '../support/eventually.ts';
import { createMemoryKeys } from '../support/memoryKeys.ts';

const baseUrl = 'https://platform.example';
const never = new AbortController().signal;
const info: AppInfo = { name: 'Helper', description: '', kind: 'chat', tags: [] };

/** Windows of one user: what they store is shared, as are the keys. */
function windows() {
  let stored: unknown;
  const writes = { count: 0 };
  const store = {
    read: () => stored,
    write(value: object) {
      stored = structuredClone(value);
      writes.count++;
    },
  };
  const keys = createMemoryKeys();
  const asked: { connection: PlatformConnection; user: string }[] = [];
  const said: Pick<AppParameters, 'transcribes' | 'speaks'> = {};
  const user = { name: 'me' };
  const open = (pictureFolder = '/none') =>
    createAppService({
      ...{ store, keys, pictureFolder, user: () => user.name },
      async createClient(connection, name) {
        asked.push({ connection, user: name });
        const parameters = async () => ({ ...readParameters({}), ...said });
        return { parameters } as Partial<AppClient> as AppClient;
      },
    });
  return { open, keys, asked, said, user, writes };
}

describe('AppService', () => {
  it('keeps the client of an app until its key or the user changes', async () => {
    const { open, asked, user } = windows();
    const apps = open();
    const app = await apps.add({ baseUrl, key: 'app-1' }, info);
    const first = await apps.client(app.id);
    assert.equal(await apps.client(app.id), first);
    user.name = 'you';
    assert.notEqual(await apps.client(app.id), first);
    await apps.setKey(app, 'app-2');
    await apps.client(app.id);
    assert.deepEqual(
      asked.map(({ connection, user: name }) => [connection.key, name]),
      [
        ['app-1', 'me'],
        ['app-1', 'you'],
        ['app-2', 'you'],
      ],
    );
    const opened = await apps.open(app.id);
    assert.equal(await apps.open(app.id), opened);
  });

  it('has nothing left of a removed app, neither its key nor a client', async () => {
    const { open, keys } = windows();
    const apps = open();
    const app = await apps.add({ baseUrl, key: 'app-1' }, info);
    await apps.client(app.id);
    const opened = await apps.open(app.id);
    await apps.remove(app);
    assert.equal(await keys.get({ kind: `app:${app.id}`, origin: app.origin }), undefined);
    await assert.rejects(apps.client(app.id), (error) => {
      return error instanceof SwitchboardError && error.code === 'key' && /removed/.test(error.message);
    });
    assert.notEqual(await apps.open(app.id), opened);
  });

  it('says which app lacks its key, and offers those that have one', async () => {
    const { open, keys } = windows();
    const apps = open();
    const keyed = await apps.add({ baseUrl, key: 'app-1' }, info);
    const lacking = await apps.add({ baseUrl, key: 'app-2' }, { ...info, name: 'Lacking' });
    await keys.forget({ kind: `app:${lacking.id}`, origin: lacking.origin });
    await assert.rejects(apps.client(lacking.id), /no saved key for the app "Lacking"/);
    assert.deepEqual(
      (await apps.keyed(apps.apps)).map(({ id }) => id),
      [keyed.id],
    );
  });

  it('has what another window added', async () => {
    const { open } = windows();
    const [one, other] = [open(), open()];
    await one.ready;
    let changes = 0;
    one.onDidChange(() => changes++);
    const app = await other.add({ baseUrl, key: 'app-1' }, info);
    await eventually(() => assert.deepEqual([one.find(app.id)?.name, changes > 0], ['Helper', true]));
    one.dispose();
    const later = await other.add({ baseUrl, key: 'app-2' }, info);
    assert.equal(one.find(later.id), undefined);
  });

  it('notes what an app speaks and hears, once for each change', async () => {
    const { open, said, writes } = windows();
    const apps = open();
    const app = await apps.add({ baseUrl, key: 'app-1' }, info);
    const client = await apps.client(app.id);
    const before = writes.count;
    for (const news of [{}, { speaks: true }, { speaks: true }, { transcribes: true }] as const) {
      Object.assign(said, { speaks: undefined, transcribes: undefined }, news);
      await client.parameters(never);
      const { transcribes = false, speaks = false } = said;
      assert.deepEqual(apps.find(app.id)?.audio, { transcribes, speaks });
    }
    assert.equal(writes.count - before, 3);
  });

  it('removes the picture of an app with the last app that shows it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-looks-'));
    try {
      const apps = windows().open(folder);
      const file = await new PictureFiles(folder).keep({ bytes: Buffer.from('png'), type: 'image/png' });
      const look = { picture: { file, id: 'f1' } };
      const one = await apps.add({ baseUrl, key: 'app-1' }, { ...info, look });
      const other = await apps.add({ baseUrl, key: 'app-2' }, { ...info, look });
      assert.equal(apps.pictureFile(one), join(folder, file));
      assert.deepEqual(await apps.readPicture(one), Buffer.from('png'));
      assert.equal(apps.pictureFile({ ...one, look: { icon: '🤖' } }), undefined);
      await apps.remove(one);
      assert.ok(existsSync(join(folder, file)));
      await apps.remove(other);
      assert.ok(!existsSync(join(folder, file)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
