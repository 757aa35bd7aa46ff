import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/emitter.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { RelayModels } from '../../../../src/chat/models/relayModels.ts';
import type { RelayAccess } from '../../../../src/connections/relayConnections.ts';
import type { ModelRequest, ProtocolSetting } from '../../../../src/relay/messages.ts';
import type { ModelOverride } from '../../../../src/relay/list/modelOverrides.ts';
import { Memory } from '../../../../src/settings/memory.ts';
import { createMemento } from '../../../support/memento.ts';

type Setting = 'relay.models' | 'relay.protocol' | 'chat.model';

/** A window for relays that each list one model, named by its origin. */
function createWindow() {
  const connected = new Emitter<void>();
  const changed = new Emitter<(name: Setting) => boolean>();
  const relays = {
    baseUrl: undefined as string | undefined,
    current: undefined as RelayAccess | undefined,
    all: [] as RelayAccess[],
    ready: Promise.resolve(),
    onDidChange: connected.event,
  };
  const settings = {
    overrides: [] as ModelOverride[],
    protocol: 'auto' as ProtocolSetting,
    get(name: string): never {
      return (name === 'relay.models' ? this.overrides : this.protocol) as never;
    },
    onDidChange: changed.event,
  };
  const asked: string[] = [];
  const failing = new Set<string>();
  const requests: { origin: string; request: ModelRequest }[] = [];
  const models = new RelayModels({
    relays,
    clients: {
      relay: ({ origin }) =>
        Promise.resolve({
          async listModels() {
            asked.push(origin);
            if (failing.has(origin)) throw new SwitchboardError('offline', 'Not there.');
            return [{ id: 'listed', name: origin, vendor: 'v' }];
          },
          async ask(request) {
            requests.push({ origin, request });
          },
          price: () => assert.fail('no price is asked for'),
          balance: () => assert.fail('no balance is asked for'),
        }),
    },
    settings,
    memory: new Memory(createMemento(), createMemento()),
  });
  const connectUnasked = (origin: string) => {
    const current = accessTo(origin);
    Object.assign(relays, { current, all: [current], baseUrl: current.baseUrl });
    connected.fire();
  };
  const connectAll = (current: RelayAccess | undefined, all: RelayAccess[]) => {
    Object.assign(relays, { current, all, baseUrl: current?.baseUrl });
    connected.fire();
    return models.catalog.ensure();
  };
  return {
    models,
    settings,
    asked,
    failing,
    requests,
    connectAll,
    connectUnasked,
    /** The relay of `relay.baseUrl`, and others. */
    connect(origin: string | undefined, ...others: string[]) {
      const [current, ...rest] = [...(origin === undefined ? [] : [origin]), ...others].map(accessTo);
      return origin === undefined
        ? connectAll(undefined, [...(current ? [current] : []), ...rest])
        : connectAll(current, current ? [current, ...rest] : rest);
    },
    change: (setting: Setting) => changed.fire((name) => name === setting),
    async ask(model: string, messages: ModelRequest['messages'] = []) {
      const { signal } = new AbortController();
      await models.ask({ model, messages, stream: true }, signal, () => undefined);
    },
  };
}

function accessTo(origin: string): RelayAccess {
  return {
    ...{ origin, baseUrl: `${origin}/v1`, key: 'sk-a', headers: {}, headerSecrets: [] },
    ...{ name: new URL(origin).host, fromEnvironment: false },
  };
}

describe('RelayModels', () => {
  it('lists the models of the relay that is connected, and of no other', async () => {
    const { models, connect, asked } = createWindow();
    await models.catalog.ensure();
    assert.deepEqual(models.catalog.state.models, []);
    await connect('https://a');
    assert.equal(models.catalog.find('listed')?.name, 'https://a');
    await connect('https://b');
    assert.equal(models.catalog.find('listed')?.name, 'https://b');
    await connect(undefined);
    assert.deepEqual(models.catalog.state.models, []);
    assert.deepEqual(asked, ['https://a', 'https://b']);
  });

  it('lists nothing before somebody wants a model, and then what is connected from then on', async () => {
    const { models, connectUnasked, asked } = createWindow();
    connectUnasked('https://a');
    await Promise.resolve();
    assert.deepEqual(asked, []);
    await models.catalog.ensure();
    assert.deepEqual(asked, ['https://a']);
    connectUnasked('https://b');
    await models.catalog.ensure();
    assert.deepEqual(asked, ['https://a', 'https://b']);
  });

  it('remembers for each relay what was picked, though its list lacks it', async () => {
    const { models, connect } = createWindow();
    await connect('https://a');
    assert.ok(models.catalog.isUnlisted('new'));
    models.picked('new');
    assert.ok(!models.catalog.isUnlisted('new'));
    assert.equal(models.last, 'new');
    await connect('https://b');
    assert.equal(models.last, undefined);
    assert.ok(models.catalog.isUnlisted('new'));
    await connect('https://a');
    assert.equal(models.last, 'new');
    assert.ok(!models.catalog.isUnlisted('new'));
  });

  it('remembers for each relay the windows it named and the models that called tools', async () => {
    const { models, connect } = createWindow();
    models.windows.set('listed', 4096);
    await connect('https://a');
    assert.equal(models.windows.get('listed'), undefined, 'nothing is known of no relay');
    models.windows.set('listed', 8192);
    models.toolCallers.add('listed');
    await connect('https://b');
    assert.equal(models.windows.get('listed'), undefined);
    assert.ok(!models.toolCallers.has('listed'));
    await connect('https://a');
    assert.equal(models.windows.get('listed'), 8192);
    assert.ok(models.toolCallers.has('listed'));
  });

  it('asks each model by the protocol that the user or the list says, and remembers for each relay where that failed', async () => {
    const { models, connect, settings, change } = createWindow();
    await connect('https://a');
    const of = (origin: string) => models.profiles.facts(origin, 'own').protocol;
    assert.equal(of('https://a'), undefined);
    settings.overrides = [{ id: 'own', protocol: 'messages' }];
    assert.equal(of('https://a'), 'messages');
    assert.equal(of('https://b'), undefined, 'an id without a relay is of the one that is connected');
    settings.overrides = [];
    models.profiles.of('https://a').learn('own', { protocol: 'chat-completions' }, 'refusal');
    assert.equal(of('https://a'), 'chat-completions');
    settings.protocol = 'messages';
    assert.equal(of('https://a'), 'messages');
    settings.protocol = 'auto';
    // A changed setting is tried again.
    change('relay.protocol');
    assert.equal(of('https://a'), undefined);
  });

  it('knows apps, which no relay lists', async () => {
    const { models, connect } = createWindow();
    await connect('https://a');
    assert.ok(!models.catalog.isUnlisted('app:1'));
  });

  it('takes up what settings say of models without asking the relay again', async () => {
    const { models, connect, settings, change, asked } = createWindow();
    await connect('https://a');
    let told = 0;
    models.catalog.onDidChange(() => told++);
    settings.overrides = [{ id: 'own', contextWindow: 1000 }];
    change('relay.models');
    assert.equal(told, 1);
    assert.equal(models.catalog.find('own')?.contextWindow, 1000);
    assert.deepEqual(asked, ['https://a']);
    models.dispose();
    change('relay.models');
    assert.equal(told, 1);
  });

  it('names the models of further relays by the origin of theirs, and those of the first by their ids alone', async () => {
    const { models, connect, settings, change } = createWindow();
    await connect('https://a', 'https://b');
    assert.deepEqual(
      models.catalog.state.models.map(({ id, name, relay }) => [id, name, relay]),
      [
        ['listed', 'https://a', 'a'],
        ['relay:https://b/listed', 'https://b', 'b'],
      ],
    );
    assert.equal(models.catalog.find('relay:https://a/listed')?.id, 'listed');
    assert.ok(models.catalog.isUnlisted('relay:https://b/new'));
    models.picked('relay:https://b/new');
    assert.ok(!models.catalog.isUnlisted('relay:https://b/new'));
    assert.ok(models.catalog.isUnlisted('new'));
    settings.overrides = [{ id: 'relay:https://b/listed', contextWindow: 1000 }];
    change('relay.models');
    assert.equal(models.catalog.find('relay:https://b/listed')?.contextWindow, 1000);
    assert.equal(models.catalog.find('listed')?.contextWindow, undefined);
    await connect('https://b');
    assert.deepEqual(
      models.catalog.state.models.map(({ id, relay }) => [id, relay]),
      [['listed', undefined]],
    );
    assert.equal(models.catalog.find('relay:https://b/listed')?.name, 'https://b');
  });

  it('keeps the list of a relay that stays, and asks the others alone', async () => {
    const { models, connectAll, asked } = createWindow();
    const [a, b] = [accessTo('https://a'), accessTo('https://b')];
    await connectAll(a, [a]);
    await connectAll(a, [a, b]);
    await connectAll(b, [b]);
    assert.deepEqual(asked, ['https://a', 'https://b']);
    assert.equal(models.catalog.state.state, 'ready');
  });

  it('lists what the others have when one relay fails, and names that', async () => {
    const { models, connect, failing } = createWindow();
    failing.add('https://b');
    await connect('https://a', 'https://b');
    const { state, error, failedRelay, models: listed } = models.catalog.state;
    assert.deepEqual([state, error?.code, failedRelay, listed.length], ['ready', 'offline', 'b', 1]);
    failing.add('https://a');
    await models.catalog.load();
    assert.equal(models.catalog.state.state, 'failed');
  });

  it('asks the relay that an id names, by the id that the relay has for the model', async () => {
    const { connect, ask, requests } = createWindow();
    await connect('https://a', 'https://b');
    const said = (model: string) => ({ role: 'assistant' as const, model, content: 'said' });
    const messages = [said('listed'), said('relay:https://b/listed'), said('relay:https://a/listed')];
    await ask('relay:https://b/listed', messages);
    await ask('listed', messages);
    assert.deepEqual(
      requests.map(({ origin, request }) => [origin, request.model]),
      [
        ['https://b', 'listed'],
        ['https://a', 'listed'],
      ],
    );
    // Reasoning goes back to its own model, and not to the one of another relay.
    const own = requests.map(({ request }) =>
      request.messages.map((message) => message.role === 'assistant' && message.model === request.model),
    );
    assert.deepEqual(own, [
      [false, true, false],
      [true, false, true],
    ]);
  });

  it('asks nobody for a model that the list lacks, or whose relay is not connected', async () => {
    const { models, connect, ask, requests } = createWindow();
    await assert.rejects(ask('listed'), { code: 'key', message: 'No relay is connected.' });
    await connect('https://a', 'https://b');
    const message = '"gone" is no longer listed for your key.';
    await assert.rejects(ask('gone'), { code: 'model', message });
    await assert.rejects(ask('relay:https://b/gone'), { code: 'model', message });
    await assert.rejects(ask('relay:https://c/listed'), {
      code: 'key',
      message: "The relay c isn't connected.",
    });
    assert.equal(models.catalog.missingRelay('relay:https://c/listed'), 'c');
    assert.equal(models.catalog.missingRelay('relay:https://b/listed'), undefined);
    await connect(undefined, 'https://b');
    assert.equal(models.catalog.missingRelay('listed'), '', 'no other relay takes the place of the first');
    await assert.rejects(ask('listed'), { message: 'No relay is connected.' });
    assert.deepEqual(requests, []);
  });

  it('remembers what it learns of a model for the relay that it is of', async () => {
    const { models, connect } = createWindow();
    await connect('https://a', 'https://b');
    models.windows.set('relay:https://b/listed', 8192);
    models.toolCallers.add('relay:https://b/listed');
    assert.deepEqual([models.windows.get('listed'), models.toolCallers.has('listed')], [undefined, false]);
    models.windows.set('relay:https://c/listed', 1);
    assert.equal(models.windows.get('relay:https://c/listed'), undefined, 'of a relay that is not there');
    await connect('https://b');
    assert.deepEqual([models.windows.get('listed'), models.toolCallers.has('listed')], [8192, true]);
  });
});
