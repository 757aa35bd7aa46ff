import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { KeyStore, type Secrets } from '../../../src/connections/keyStore.ts';
import { type ConnectionSettings, PlatformConnections } from '../../../src/connections/serverConnections.ts';
import { RelayConnections } from '../../../src/connections/relayConnections.ts';
import { RelayEditor } from '../../../src/connections/relayEditor.ts';

const relay = 'https://relay.example';
const other = 'https://other.example';

/** An editor with settings, secrets and an environment; changes to all are observed. */
function open(environment: NodeJS.ProcessEnv = {}) {
  const values: Record<string, unknown> = {
    ...{ 'relay.baseUrl': '', 'platform.baseUrl': '', 'relay.headers': {} },
    'relay.connections': [],
  };
  const read: string[] = [];
  const settingsChanged = new Emitter<(name: string) => boolean>();
  const set = (name: string, value: unknown): void => {
    values[name] = value;
    settingsChanged.fire((changed) => changed === name);
  };
  const settings = {
    get: (name: string) => {
      read.push(name);
      return values[name];
    },
    set: async (name: string, value: unknown) => set(name, value),
    onDidChange: settingsChanged.event,
  } as ConnectionSettings;
  const held = new Map<string, string>();
  const secretsChanged = new Emitter<unknown>();
  const secrets: Secrets = {
    get: async (name) => held.get(name),
    store: async (name, value) => {
      held.set(name, value);
      secretsChanged.fire(undefined);
    },
    delete: async (name) => {
      held.delete(name);
      secretsChanged.fire(undefined);
    },
    onDidChange: secretsChanged.event,
  };
  const keys = new KeyStore(secrets);
  const relays = new RelayConnections(settings, keys, environment);
  const editor = new RelayEditor(relays, settings, keys);
  const platforms = new PlatformConnections(settings, keys, environment);
  return { read, set, values, keys, held, relays, editor, platforms, secrets };
}

describe('connections', () => {
  it('are looked for after what makes them: the editor waits for that', async () => {
    const { read, relays, platforms } = open();
    assert.deepEqual(read, []);
    await Promise.all([relays.ready, platforms.ready]);
    assert.deepEqual(new Set(read), new Set(['relay.baseUrl', 'relay.connections', 'platform.baseUrl']));
  });
});

describe('the connected relay', () => {
  /** A function, since TypeScript would narrow the property after each assertion. */
  const accessOf = <A>({ current }: { current: A | undefined }): A | undefined => current;

  it('needs an address and a key for the origin of that address', async () => {
    const { set, keys, relays } = open();
    await relays.ready;
    assert.equal(accessOf(relays), undefined);
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    set('relay.baseUrl', other);
    await relays.refresh();
    assert.equal(accessOf(relays), undefined);
    set('relay.baseUrl', `${relay}/v1`);
    await relays.refresh();
    const {
      headers: _,
      headerSecrets: __,
      name: ___,
      ...access
    } = accessOf(relays) ?? assert.fail('not connected');
    assert.deepEqual(access, { baseUrl: relay, origin: relay, key: 'sk-1', fromEnvironment: false });
  });

  it("takes the environment's key for the environment's own origin alone", async () => {
    const environment = { SWITCHBOARD_RELAY_URL: relay, SWITCHBOARD_RELAY_KEY: ' sk-env ' };
    const { set, keys, held, relays } = open(environment);
    await relays.ready;
    assert.deepEqual(
      [accessOf(relays)?.baseUrl, accessOf(relays)?.key, accessOf(relays)?.fromEnvironment],
      [relay, 'sk-env', true],
    );
    for (const elsewhere of [other, `${relay}:8443`, 'http://relay.example', 'https://relay.example.evil']) {
      set('relay.baseUrl', elsewhere);
      await relays.refresh();
      assert.equal(accessOf(relays), undefined, elsewhere);
    }
    set('relay.baseUrl', `${relay}/api/v1`);
    await relays.refresh();
    assert.equal(accessOf(relays)?.key, 'sk-env');
    await keys.set({ kind: 'relay', origin: relay }, 'sk-own');
    await relays.refresh();
    assert.deepEqual([accessOf(relays)?.key, accessOf(relays)?.fromEnvironment], ['sk-own', false]);
    assert.ok(![...held.values()].some((value) => value.includes('sk-env')));
  });

  it('keeps the key of each kind of server for that kind', async () => {
    const { set, keys, relays, platforms } = open({
      ...{ SWITCHBOARD_RELAY_URL: relay, SWITCHBOARD_RELAY_KEY: 'sk-env' },
    });
    set('platform.baseUrl', relay);
    await platforms.refresh();
    assert.equal(accessOf(platforms), undefined);
    await keys.set({ kind: 'dataset', origin: relay }, 'dataset-1');
    await Promise.all([relays.refresh(), platforms.refresh()]);
    assert.deepEqual([accessOf(platforms)?.key, accessOf(relays)?.key], ['dataset-1', 'sk-env']);
  });

  it('puts secrets of that origin alone into headers, and names those that are missing', async () => {
    const { set, keys, relays } = open({ SWITCHBOARD_RELAY_URL: relay, SWITCHBOARD_RELAY_KEY: 'sk-env' });
    set('relay.headers', { 'X-Team': 'a ${secret:team}' });
    await keys.set({ kind: 'header:team', origin: other }, 'of-another-server');
    await relays.refresh();
    assert.deepEqual(accessOf(relays)?.headerSecrets, []);
    assert.ok(!JSON.stringify(accessOf(relays)).includes('of-another-server'));
    await keys.set({ kind: 'header:team', origin: relay }, 'team-secret');
    await relays.refresh();
    assert.deepEqual(accessOf(relays)?.headers, { 'X-Team': 'a team-secret' });
    assert.ok(accessOf(relays)?.headerSecrets.some((secret) => secret.includes('team-secret')));
  });

  it('tells of a change once, and not of what stays as it is', async () => {
    const { set, relays } = open({ SWITCHBOARD_RELAY_URL: relay, SWITCHBOARD_RELAY_KEY: 'sk-env' });
    await relays.ready;
    let changes = 0;
    relays.onDidChange(() => changes++);
    set('relay.baseUrl', `${relay}/`);
    await relays.refresh();
    assert.equal(changes, 0);
    set('relay.baseUrl', other);
    await relays.refresh();
    assert.equal(changes, 1);
  });

  it('is looked for again when its key or its headers change, until all ends', async () => {
    const { set, keys, relays } = open();
    set('relay.baseUrl', relay);
    await relays.ready;
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    await eventually(() => assert.equal(accessOf(relays)?.key, 'sk-1'));
    set('relay.headers', { 'X-Team': 'a' });
    await eventually(() => assert.deepEqual(accessOf(relays)?.headers, { 'X-Team': 'a' }));
    relays.dispose();
    await keys.forget({ kind: 'relay', origin: relay });
    await new Promise(setImmediate);
    assert.equal(accessOf(relays)?.key, 'sk-1');
  });

  it('has no address whose key could not be stored', async () => {
    const { set, secrets, keys, relays, values } = open();
    const { store } = secrets;
    secrets.store = () => Promise.reject(new Error('The keychain is locked'));
    await assert.rejects(relays.save({ baseUrl: relay, origin: relay, key: 'sk-1' }), /locked/);
    assert.equal(values['relay.baseUrl'], '');
    secrets.store = store;
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    set('relay.baseUrl', 'no address at all:');
    set('relay.connections', [{ baseUrl: relay }]);
    await relays.refresh();
    assert.equal(accessOf(relays), undefined, 'a further one does not take its place');
  });

  it('is what was looked for last, however long the look before it takes', async () => {
    const { set, keys, relays, secrets } = open();
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    await keys.set({ kind: 'relay', origin: other }, 'sk-2');
    const { get } = secrets;
    let answer = () => {};
    secrets.get = async (name) => {
      if (name.endsWith(relay)) await new Promise<void>((resolve) => (answer = resolve));
      return get(name);
    };
    set('relay.baseUrl', relay);
    const slow = relays.refresh();
    set('relay.baseUrl', other);
    await relays.refresh();
    answer();
    await slow;
    assert.equal(accessOf(relays)?.key, 'sk-2');
  });

  it('is one of several whose keys are kept, each until it is removed', async () => {
    const { keys } = open();
    const slots = [relay, other].flatMap((origin) =>
      (['relay', 'dataset'] as const).map((kind) => ({ kind, origin })),
    );
    for (const slot of slots) await keys.set(slot, `${slot.kind} key`);
    await keys.set(slots[1]!, 'another key');
    const [first, second, ...rest] = slots;
    assert.deepEqual(await keys.list(), [first, ...rest, second]);
    await keys.forget(first!);
    assert.deepEqual(await keys.list(), [...rest, second]);
    assert.equal(await keys.get(second!), 'another key');
  });

  it('is gone when its key is removed, from the list of slots, too', async () => {
    const { set, keys, held, relays } = open();
    set('relay.baseUrl', relay);
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    await relays.refresh();
    assert.equal(accessOf(relays)?.key, 'sk-1');
    assert.deepEqual(await keys.list(), [{ kind: 'relay', origin: relay }]);
    await keys.forget({ kind: 'relay', origin: relay });
    await relays.refresh();
    assert.equal(accessOf(relays), undefined);
    assert.deepEqual(await keys.list(), []);
    assert.ok(![...held.values()].includes('sk-1'));
  });
});

describe('several relays', () => {
  const third = 'https://third.example';
  const shown = ({ all }: RelayConnections) => all.map(({ name, baseUrl, key }) => [name, baseUrl, key]);
  const typed = (baseUrl: string, key: string) => ({ baseUrl, origin: new URL(baseUrl).origin, key });

  it('are that of relay.baseUrl and those of relay.connections, each with the key of its own origin', async () => {
    const { set, keys, relays } = open();
    set('relay.baseUrl', relay);
    set('relay.connections', [
      { baseUrl: `${other}/v1/`, name: 'Second' },
      { baseUrl: third },
      { baseUrl: `${other}/again` },
    ]);
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    await relays.refresh();
    assert.deepEqual(shown(relays), [['relay.example', relay, 'sk-1']]);
    await keys.set({ kind: 'relay', origin: other }, 'sk-2');
    await keys.set({ kind: 'dataset', origin: third }, 'dataset-3');
    await relays.refresh();
    assert.deepEqual(shown(relays), [
      ['relay.example', relay, 'sk-1'],
      ['Second', other, 'sk-2'],
    ]);
    assert.equal(relays.current, relays.all[0]);
    await keys.forget({ kind: 'relay', origin: relay });
    await relays.refresh();
    assert.deepEqual([relays.current, shown(relays)], [undefined, [['Second', other, 'sk-2']]]);
    assert.deepEqual(
      relays.known.map(({ name, isDefault }) => [name, isDefault]),
      [
        ['relay.example', true],
        ['Second', false],
        ['third.example', false],
      ],
    );
  });

  it('send a key nowhere but to its origin, whatever addresses settings have', async () => {
    const environment = { SWITCHBOARD_RELAY_URL: relay, SWITCHBOARD_RELAY_KEY: 'sk-env' };
    const { set, keys, relays } = open(environment);
    await keys.set({ kind: 'relay', origin: other }, 'sk-2');
    const near = [
      `${other}:8443`,
      'http://other.example',
      'https://other.example.evil',
      `${relay}.evil`,
      third,
    ];
    set('relay.baseUrl', third);
    set(
      'relay.connections',
      near.map((baseUrl) => ({ baseUrl })),
    );
    await relays.refresh();
    assert.deepEqual(shown(relays), []);
    set('relay.connections', [{ baseUrl: `${relay}/api` }, { baseUrl: `${other}/api` }]);
    await relays.refresh();
    assert.deepEqual(shown(relays), [
      ['relay.example', `${relay}/api`, 'sk-env'],
      ['other.example', `${other}/api`, 'sk-2'],
    ]);
  });

  it('have headers and secrets of their own', async () => {
    const { set, keys, relays, editor } = open();
    set('relay.baseUrl', relay);
    set('relay.headers', { 'X-Plain': 'of the first', 'X-Team': '${secret:team}' });
    set('relay.connections', [{ baseUrl: other, headers: { 'X-Own': '${secret:team}' } }]);
    for (const origin of [relay, other]) await keys.set({ kind: 'relay', origin }, 'sk');
    await keys.set({ kind: 'header:team', origin: relay }, 'secret of the first');
    await relays.refresh();
    assert.deepEqual(
      relays.all.map(({ headers }) => headers),
      [{ 'X-Plain': 'of the first', 'X-Team': 'secret of the first' }, { 'X-Own': '${secret:team}' }],
    );
    const tried = await editor.place().accessFor(typed(third, 'sk-3'));
    assert.deepEqual(tried.headers, {}, 'one that is only tried gets none of them');
  });

  it('have headers that go to no other origin that is typed in the place of the default', async () => {
    const { set, values, keys, relays, editor } = open();
    set('relay.baseUrl', relay);
    set('relay.headers', { 'X-Plain': 'of the first' });
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    await relays.refresh();
    const first = editor.place(relays.known[0]);
    assert.deepEqual((await first.accessFor(typed(`${relay}/api`, 'sk-1'))).headers, {
      'X-Plain': 'of the first',
    });
    assert.deepEqual((await first.accessFor(typed(other, 'sk-2'))).headers, {});
    await first.save(typed(`${relay}/api`, 'sk-1b'));
    assert.deepEqual(relays.current?.headers, { 'X-Plain': 'of the first' });
    await editor.place(relays.known[0]).save(typed(other, 'sk-2'));
    assert.deepEqual([relays.current?.origin, relays.current?.headers], [other, {}]);
    assert.deepEqual(values['relay.headers'], {});
    set('relay.headers', { 'X-Plain': 'of the other' });
    await editor.remove(relays.known[0]!);
    await editor.place().save(typed(third, 'sk-3'));
    assert.deepEqual([relays.current?.origin, relays.current?.headers], [third, {}]);
  });

  it('keep an access as it is while nothing of it changes, so that what its client learns stays', async () => {
    const { set, keys, relays } = open();
    set('relay.baseUrl', relay);
    for (const origin of [relay, other]) await keys.set({ kind: 'relay', origin }, 'sk');
    await relays.refresh();
    const [first] = relays.all;
    set('relay.connections', [{ baseUrl: other }]);
    await relays.refresh();
    assert.equal(relays.all[0], first);
    assert.equal(relays.current, first);
    assert.equal(relays.all.length, 2);
  });

  it('change places with the default without a key or a header that goes elsewhere', async () => {
    const { set, values, keys, relays, editor } = open();
    set('relay.baseUrl', relay);
    set('relay.headers', { 'X-Plain': 'of the first' });
    set('relay.connections', [
      { baseUrl: `${other}/api`, name: 'Second', headers: { 'X-Own': 'of the second' } },
      { baseUrl: relay, name: 'First', headers: { 'X-More': 'of the first' } },
    ]);
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    await keys.set({ kind: 'relay', origin: other }, 'sk-2');
    await relays.refresh();
    const sent = () => relays.all.map(({ name, baseUrl, key, headers }) => [name, baseUrl, key, headers]);
    const first = [...['First', relay, 'sk-1'], { 'X-Plain': 'of the first', 'X-More': 'of the first' }];
    const second = [...['Second', `${other}/api`, 'sk-2'], { 'X-Own': 'of the second' }];
    assert.deepEqual(sent(), [first, second]);
    const seen: unknown[] = [];
    relays.onDidChange(() => seen.push(...sent()));
    await editor.makeDefault(relays.known[1]!);
    assert.deepEqual([sent(), relays.current?.name], [[second, first], 'Second']);
    assert.deepEqual([values['relay.baseUrl'], values['relay.headers']], [`${other}/api`, {}]);
    await editor.makeDefault(relays.known[1]!);
    assert.deepEqual([sent(), relays.current?.name], [[first, second], 'First']);
    for (const [name, , key, headers] of seen as (typeof first)[]) {
      assert.equal(key, name === 'First' ? 'sk-1' : 'sk-2');
      assert.ok(
        !JSON.stringify(headers).includes(name === 'First' ? 'second' : 'first'),
        'nor on the way there',
      );
    }
  });

  it('may be one server with several keys, each for its own connection and for that server alone', async () => {
    const { set, values, keys, relays, editor } = open();
    await editor.place().save(typed(relay, 'sk-1'));
    assert.equal(await editor.saveBeside(typed(`${relay}/api`, 'sk-2')), `${relay}#2`);
    assert.equal(await editor.saveBeside(typed(relay, 'sk-3')), `${relay}#3`);
    assert.deepEqual(shown(relays), [
      ['relay.example', relay, 'sk-1'],
      ['relay.example (2)', `${relay}/api`, 'sk-2'],
      ['relay.example (3)', relay, 'sk-3'],
    ]);
    await editor.rename(relays.known[1]!, 'Team');
    await editor.place(relays.known[1]).save(typed(relay, 'sk-2b'));
    assert.deepEqual(
      shown(relays)[1],
      ['Team', relay, 'sk-2b'],
      'another key is for the one that is changed',
    );
    const { origin } = relays.all[1]!;
    await editor.makeDefault(relays.known[1]!);
    assert.deepEqual(
      [values['relay.baseUrl'], shown(relays)[0], relays.current?.origin],
      [`${relay}#2`, ['Team', relay, 'sk-2b'], origin],
    );
    assert.equal(relays.baseUrl, relay, 'the number is no part of what is called');
    await editor.place(relays.known[0]).save(typed(relay, 'sk-2c'));
    assert.deepEqual(shown(relays)[0], ['Team', relay, 'sk-2c']);
    await editor.remove(relays.known.find((known) => known.origin === relay)!);
    assert.deepEqual(
      [relays.all.map(({ key }) => key), (await keys.list()).map((slot) => slot.origin).toSorted()],
      [
        ['sk-2c', 'sk-3'],
        [`${relay}#2`, `${relay}#3`],
      ],
    );
    // No settings lead a key to another server.
    set('relay.baseUrl', `${other}#2`);
    set('relay.connections', [
      { baseUrl: `${relay}.evil#2` },
      { baseUrl: `${relay}:8443#3` },
      { baseUrl: relay },
    ]);
    await relays.refresh();
    assert.deepEqual(relays.all, []);
  });

  it('are added, changed, named and removed, each with its key', async () => {
    const { set, values, keys, relays, editor } = open();
    await editor.place().save(typed(relay, 'sk-1'));
    assert.deepEqual([values['relay.baseUrl'], values['relay.connections']], [relay, []], 'the first');
    await editor.place().save(typed(`${other}/api`, 'sk-2'));
    assert.deepEqual(values['relay.connections'], [{ baseUrl: `${other}/api` }]);
    const [, second] = relays.known;
    await editor.rename(second!, 'Second');
    set('relay.connections', [{ baseUrl: `${other}/api`, name: 'Second', headers: { 'X-A': 'b' } }]);
    await editor.place().save(typed(other, 'sk-2b'));
    assert.deepEqual(
      values['relay.connections'],
      [{ baseUrl: other, name: 'Second', headers: { 'X-A': 'b' } }],
      'what has the origin of a known one is that one',
    );
    assert.deepEqual(shown(relays).at(-1), ['Second', other, 'sk-2b']);
    await editor.place(relays.known[1]).save(typed(third, 'sk-3'));
    assert.deepEqual(
      values['relay.connections'],
      [{ baseUrl: third }],
      'its headers were for another origin',
    );
    await editor.place().save(typed(relay, 'sk-1b'));
    assert.deepEqual(shown(relays), [
      ['relay.example', relay, 'sk-1b'],
      ['third.example', third, 'sk-3'],
    ]);
    await editor.rename(relays.known[0]!, 'First');
    assert.equal(relays.current?.name, 'First');
    await editor.rename(relays.known[1]!, 'Third');
    await editor.rename(relays.known[1]!, '');
    assert.deepEqual(values['relay.connections'], [{ baseUrl: third }, { baseUrl: relay, name: 'First' }]);
    await editor.place(relays.known[0]).save(typed(other, 'sk-2c'));
    assert.deepEqual(
      shown(relays).map(([name]) => name),
      ['other.example', 'third.example'],
      'the name went with the relay that was changed',
    );
    await keys.set({ kind: 'header:team', origin: third }, 'secret');
    await editor.remove(relays.known[1]!);
    assert.deepEqual(values['relay.connections'], []);
    assert.ok((await keys.list()).every(({ origin }) => origin !== third));
    await editor.remove(relays.known[0]!);
    assert.deepEqual([values['relay.baseUrl'], relays.all], ['', []]);
  });

  it('stand in the settings once, and the default in its own alone', async () => {
    const { set, values, relays, editor } = open();
    set('relay.baseUrl', relay);
    set('relay.connections', [{ baseUrl: other }, { baseUrl: third, name: ' ' }]);
    await editor.place().save(typed(`${relay}/api`, 'sk-1'));
    assert.deepEqual(
      [values['relay.baseUrl'], values['relay.connections']],
      [`${relay}/api`, [{ baseUrl: other }, { baseUrl: third, name: ' ' }]],
    );
    await editor.place(relays.known[1]).save(typed(third, 'sk-3'));
    assert.deepEqual(values['relay.connections'], [{ baseUrl: third }]);
    assert.deepEqual(shown(relays), [
      ['relay.example', `${relay}/api`, 'sk-1'],
      ['third.example', third, 'sk-3'],
    ]);
    set('relay.headers', { 'X-Plain': 'of the setting', 'X-Other': 'of the setting' });
    set('relay.connections', [{ baseUrl: relay, name: ' ', headers: { 'X-Plain': 'of the entry' } }]);
    await relays.refresh();
    assert.equal(relays.current?.name, 'relay.example');
    assert.deepEqual(relays.current?.headers, { 'X-Plain': 'of the entry', 'X-Other': 'of the setting' });
    await editor.makeDefault(relays.known[0]!);
    assert.deepEqual(values['relay.headers'], { 'X-Plain': 'of the setting', 'X-Other': 'of the setting' });
  });

  it('leave the key of the platform of the same server when they are removed', async () => {
    const { keys, relays, editor } = open();
    await editor.place().save(typed(relay, 'sk-1'));
    await keys.set({ kind: 'dataset', origin: relay }, 'dataset-1');
    await editor.remove(relays.known[0]!);
    assert.deepEqual(await keys.list(), [{ kind: 'dataset', origin: relay }]);
  });

  it('are numbered as we number them, and otherwise have no number', async () => {
    const { set, keys, relays } = open();
    await keys.set({ kind: 'relay', origin: relay }, 'sk-1');
    set('relay.baseUrl', `${relay}#02`);
    await relays.refresh();
    assert.equal(relays.current?.key, 'sk-1');
  });
});
