import assert from 'node:assert/strict';
import { AccountApps, recordsOf, sessionFor } from '../../../src/apps/accountApps.ts';
import { AppRegistry } from '../../../src/apps/appRegistry.ts';
import { type PlatformSession, PlatformSessions } from '../../../src/connections/platformSessions.ts';
import type { ListedApp } from '../../../src/platform/openapi/openapiRecords.ts';
import { createAppService } from '../../support/appServiceParts.ts';
import { createMemoryKeys } from '../../support/memoryKeys.ts';

const day = 24 * 60 * 60_000;
const session: PlatformSession = {
  ...{ baseUrl: 'https://dify.example.com', token: 'dfoa_0123456789', expiresAtMs: 14 * day },
  account: { id: 'a1', name: 'Ann', email: 'ann@example.com' },
  workspace: { id: 'w1', name: 'Harbour' },
};
const listed = (id: string, name: string): ListedApp => ({ id, name, description: '', mode: 'workflow' });

describe('the apps of a sign-in', () => {
  it('are used by the sign-in of their account, until it ends', async () => {
    const keys = createMemoryKeys();
    await new PlatformSessions(keys).save(session);
    const [app] = recordsOf(session, [listed('1', 'Summarise')], 0);
    assert.ok(app);
    assert.deepEqual(await sessionFor(app, keys, 11 * day), { session, isEnding: false });
    assert.equal((await sessionFor(app, keys, 12 * day + 1))?.isEnding, true);
    assert.equal(await sessionFor(app, keys, 14 * day), undefined);
    const other = { ...app, account: { accountId: 'a2', appId: '1', workspace: 'Harbour' } };
    assert.equal(await sessionFor(other, keys, 0), undefined, "another account's");
  });

  it('are asked for again in the last two days, or in the last seventh of a shorter time', async () => {
    const keys = createMemoryKeys();
    const [app] = recordsOf(session, [listed('1', 'Summarise')], 0);
    assert.ok(app);
    const isEnding = async (expiresAtMs: number, now: number) => {
      await new PlatformSessions(keys).save({ ...session, signedInAtMs: 100 * day, expiresAtMs });
      return (await sessionFor(app, keys, now))?.isEnding;
    };
    assert.equal(await isEnding(114 * day, 111.9 * day), false);
    assert.equal(await isEnding(114 * day, 112.1 * day), true);
    assert.equal(await isEnding(101 * day, 100 * day), false, 'of one day, at its begin');
    assert.equal(await isEnding(101 * day, 100.9 * day), true);
  });

  it('tell of the end of their sign-in once, and again after the next sign-in', async () => {
    const keys = createMemoryKeys();
    const sessions = new PlatformSessions(keys);
    let now = 13 * day;
    let told = 0;
    const apps = new AccountApps({
      ...{ keys, now: () => now, onSignInEnding: () => told++ },
      createAccountClient: () => Promise.reject(new Error('asks nothing')),
    });
    const [first, second] = recordsOf(session, [listed('1', 'Summarise'), listed('2', 'Translate')], 0);
    assert.ok(first && second);
    const use = async () => {
      for (const app of [first, second, first]) await apps.token(app);
      return told;
    };
    await sessions.save(session);
    assert.equal(await use(), 1);
    const another = { ...session.account, id: 'a2' };
    const [other] = recordsOf({ ...session, account: another }, [listed('1', 'Summarise')], 0);
    await apps.token(other ?? first);
    assert.equal(await use(), 2, 'of each account');
    await sessions.save({ ...session, expiresAtMs: 28 * day });
    assert.equal(await use(), 2);
    now = 27 * day;
    assert.equal(await use(), 3);
  });

  it('never get a sign-in that was saved for another origin', async () => {
    const stored = new Map<string, string>();
    const keys = createMemoryKeys(stored);
    await new PlatformSessions(keys).save(session);
    const moved = JSON.stringify({ ...session, baseUrl: 'https://evil.example.com' });
    stored.set('session https://dify.example.com', moved);
    assert.equal(await new PlatformSessions(keys).read('https://dify.example.com'), undefined);
    stored.set('session https://dify.example.com', 'no JSON');
    assert.deepEqual(await new PlatformSessions(keys).all(), []);
  });

  it('keep their id over sign-ins, and another one for each account', () => {
    const idOf = (of: PlatformSession) => recordsOf(of, [listed('1', 'Summarise')], 0)[0]?.id;
    const later = { ...session, token: 'dfoa_another', workspace: { id: 'w2', name: 'Pilots' } };
    assert.equal(idOf(later), idOf(session));
    assert.notEqual(idOf({ ...session, account: { ...session.account, id: 'a2' } }), idOf(session));
  });

  it('are the same as an app with a key only if nothing else could be', () => {
    let stored: unknown;
    let ids = 0;
    const registry = new AppRegistry(
      { read: () => stored, write: (value) => void (stored = value) },
      () => `own${++ids}`,
      () => 5,
    );
    const { origin } = new URL(session.baseUrl);
    const own = (name: string, kind: 'chat' | 'workflow' = 'workflow', baseUrl = session.baseUrl) =>
      registry.add({ baseUrl, info: { name, description: '', kind, tags: [] } });
    const twins = () => [...registry.twins()].map(([id, { account }]) => [id, account?.appId]);
    registry.replaceAccountApps(
      origin,
      recordsOf(session, [listed('1', 'One'), listed('2', 'Two'), listed('3', 'Two')], 1),
    );
    const one = own('One');
    own('Two');
    own('Three');
    assert.deepEqual(twins(), [[one.id, '1']], 'there are two of the name "Two"');
    const again = own('One');
    assert.deepEqual(twins(), [], 'two keys');
    registry.remove(again.id);
    own('One', 'chat');
    own('One', 'workflow', 'https://other.example.com');
    assert.deepEqual(twins(), [[one.id, '1']], 'of another kind, or platform');
    registry.rename(one.id, 'Mine');
    assert.deepEqual(twins(), [], "its platform's name is unknown");
  });

  it('are left out of the list where the key of the app is there', async () => {
    const keys = createMemoryKeys();
    const apps = createAppService({ keys, newId: () => 'own' });
    await apps.ready;
    const records = recordsOf(session, [listed('1', 'One'), listed('2', 'Two')], 1);
    await apps.keepAccountApps(new URL(session.baseUrl).origin, records);
    const info = { name: 'One', description: '', kind: 'workflow' as const, tags: [] };
    const own = await apps.add({ baseUrl: session.baseUrl, key: 'app-one' }, info);
    // An editor tells of the changed key, and the list is read again.
    await apps.refresh(own.id, info);
    const names = () => apps.listed.map(({ id }) => apps.find(id)?.account?.appId ?? id);
    assert.deepEqual(names(), ['2', 'own']);
    const isFound = async (baseUrl: string, key: string) => (await apps.findByKey({ baseUrl, key }))?.id;
    assert.equal(await isFound(session.baseUrl, 'app-one'), 'own');
    assert.equal(await isFound('https://other.example.com', 'app-one'), undefined);
    await new PlatformSessions(keys).save({ ...session, expiresAtMs: Number.MAX_SAFE_INTEGER });
    assert.equal(await isFound(session.baseUrl, session.token), undefined, 'a sign-in is no key');
    assert.equal(apps.twinOf('own')?.account?.appId, '1');
    assert.equal(apps.find(records[0]?.id ?? '')?.name, 'One', 'conversations with it go on');
    await keys.forget({ kind: 'app:own', origin: own.origin });
    await apps.keepAccountApps(new URL(session.baseUrl).origin, records);
    assert.deepEqual(names(), ['own', '1', '2'], 'without its key it is no way to the app');
  });

  it('take the place of those listed before, beside apps with a key', () => {
    let stored: unknown;
    const store = { read: () => stored, write: (value: object) => void (stored = value) };
    const registry = new AppRegistry(
      store,
      () => 'own',
      () => 5,
    );
    const info = { name: 'Keyed', description: '', kind: 'chat' as const, tags: [] };
    registry.add({ baseUrl: session.baseUrl, info });
    const { origin } = new URL(session.baseUrl);
    const elsewhere = { ...session, baseUrl: 'https://other.example.com' };
    registry.replaceAccountApps(elsewhere.baseUrl, recordsOf(elsewhere, [listed('1', 'Elsewhere')], 1));
    const before = [listed('1', 'One'), listed('2', 'Two'), listed('4', 'Four')];
    registry.replaceAccountApps(origin, recordsOf(session, before, 1));
    const first = registry.all.find(({ name }) => name === 'One');
    registry.rename(first?.id ?? '', 'Mine');
    registry.refresh(first?.id ?? '', { ...info, look: { icon: '🤖' } });
    const pin = { field: 'text', output: 'insert' } as const;
    registry.pin(first?.id ?? '', pin);
    const after = [listed('1', 'Renamed there'), listed('3', 'Three'), listed('4', 'Renamed, too')];
    for (const at of [2, 3]) {
      registry.replaceAccountApps(origin, recordsOf(session, after, at));
      assert.deepEqual(
        registry.all.map(({ name, addedAtMs, look }) => [name, addedAtMs, look?.icon]),
        [
          ['Keyed', 5, undefined],
          ['Elsewhere', 1, undefined],
          ['Mine', 1, '🤖'],
          ['Three', 2, undefined],
          ['Renamed, too', 1, undefined],
        ],
      );
    }
    const again = new AppRegistry(
      store,
      () => 'own',
      () => 5,
    );
    assert.equal(again.find(first?.id ?? '')?.account?.appId, '1', 'it is read again as it was written');
    assert.deepEqual(again.find(first?.id ?? '')?.pin, pin, 'it stays pinned');
    registry.replaceAccountApps(origin, []);
    assert.deepEqual(
      registry.all.map(({ name }) => name),
      ['Keyed', 'Elsewhere'],
    );
  });
});
