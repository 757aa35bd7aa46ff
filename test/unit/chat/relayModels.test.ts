import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import { RelayModels } from '../../../src/chat/relayModels.ts';
import type { RelayAccess } from '../../../src/connections/relayConnections.ts';
import type { ModelOverride } from '../../../src/relay/models.ts';
import type { ProtocolSetting } from '../../../src/relay/protocol.ts';
import { Memory } from '../../../src/settings/memory.ts';
import { createMemento } from '../../support/memento.ts';

type Setting = 'relay.models' | 'relay.protocol' | 'chat.model';

/** A window in which a relay can be connected; each relay lists one model, which has its origin as name. */
function createWindow() {
  const connected = new Emitter<void>();
  const changed = new Emitter<(name: Setting) => boolean>();
  const relays: { current: RelayAccess | undefined; onDidChange: typeof connected.event } = {
    current: undefined,
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
  const models = new RelayModels({
    relays,
    clients: {
      relay: ({ origin }) =>
        Promise.resolve({
          listModels: () => {
            asked.push(origin);
            return Promise.resolve([{ id: 'listed', name: origin, vendor: 'v' }]);
          },
          streamModel: () => assert.fail('no model is asked'),
          price: () => assert.fail('no price is asked for'),
          balance: () => assert.fail('no balance is asked for'),
        }),
    },
    settings,
    memory: new Memory(createMemento(), createMemento()),
  });
  return {
    models,
    settings,
    asked,
    connect(origin: string | undefined) {
      relays.current = origin === undefined ? undefined : accessTo(origin);
      connected.fire();
      return models.catalog.ensure();
    },
    change: (setting: Setting) => changed.fire((name) => name === setting),
  };
}

function accessTo(origin: string): RelayAccess {
  return {
    ...{ origin, baseUrl: `${origin}/v1`, key: 'sk-a', headers: {}, headerSecrets: [] },
    fromEnvironment: false,
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
    const of = (origin: string) => models.protocolsOf(origin).of('own').protocol;
    assert.equal(of('https://a'), 'chat-completions');
    settings.overrides = [{ id: 'own', protocol: 'messages' }];
    assert.equal(of('https://a'), 'messages');
    models.protocolsOf('https://a').fellBack('own');
    assert.equal(of('https://a'), 'chat-completions');
    assert.equal(of('https://b'), 'messages');
    settings.protocol = 'messages';
    assert.equal(of('https://a'), 'messages');
    settings.protocol = 'auto';
    // What the user sets anew is tried anew.
    change('relay.protocol');
    assert.equal(of('https://a'), 'messages');
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
});
