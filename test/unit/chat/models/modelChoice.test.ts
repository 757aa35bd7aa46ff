import assert from 'node:assert/strict';
import { RelayCatalog } from '../../../../src/chat/models/relayCatalog.ts';
import { defaultModel, type ModelChoice } from '../../../../src/chat/models/modelChoice.ts';
import type { Model } from '../../../../src/relay/messages.ts';

const model = (id: string): Model => ({ id, name: id });

describe('the model of a new chat', () => {
  const choose = (parts: Partial<ModelChoice>) =>
    defaultModel({
      ...{ configured: '', shown: undefined, last: undefined, isRelayConnected: true, appIds: [] },
      isMissing: () => false,
      catalog: { state: 'ready', models: [model('first'), model('second')] },
      ...parts,
    });
  const only = [model('only')];

  it('is never the first of several', () => assert.equal(choose({}), undefined));

  it('is the setting, else the one that was selected last', () => {
    assert.equal(choose({ configured: 'set', last: 'used' }), 'set');
    assert.equal(choose({ last: 'used' }), 'used');
    assert.equal(choose({ configured: 'set', shown: 'seen', last: 'used' }), 'set');
    assert.equal(choose({ shown: 'seen', last: 'used' }), 'seen');
    assert.equal(choose({ shown: 'app:gone', last: 'used' }), 'used');
    assert.equal(choose({ shown: 'gone', last: 'used', isMissing: (id) => id === 'gone' }), 'used');
  });

  it('is the only one there is, once the list is there', () => {
    assert.equal(choose({ catalog: { state: 'ready', models: only } }), 'only');
    for (const state of ['none', 'loading', 'failed'] as const) {
      assert.equal(choose({ catalog: { state, models: only } }), undefined, state);
    }
  });

  it('is never one that is not for chat, and the only one that is', () => {
    const other = { ...model('tts'), kind: 'other' as const };
    assert.equal(choose({ catalog: { state: 'ready', models: [other] } }), undefined);
    assert.equal(choose({ catalog: { state: 'ready', models: [other, ...only] } }), 'only');
  });

  it('is no app while a relay is connected, and the only app while none is', () => {
    assert.equal(choose({ appIds: ['guide'] }), undefined);
    const catalog = { state: 'none' as const, models: [] };
    assert.equal(choose({ appIds: ['guide'], isRelayConnected: false, catalog }), 'app:guide');
    assert.equal(choose({ appIds: ['a', 'b'], isRelayConnected: false, catalog }), undefined);
  });

  it('is no model of a relay that is not connected any more', () => {
    const last = 'relay:https://gone.example/m';
    assert.equal(choose({ last, isMissing: (id) => id === last }), undefined);
    assert.equal(choose({ last }), last);
  });

  it('is no app that was removed', () => {
    assert.equal(choose({ last: 'app:gone' }), undefined);
    assert.equal(choose({ last: 'app:here', appIds: ['here'] }), 'app:here');
  });
});

describe("a model that the relay's list lacks", () => {
  const catalogOf = async (listed: Model[], known: string[] = []) => {
    const catalog = new RelayCatalog({
      listModels: async () => listed,
      merge: (models) => [...models, model('override')],
      isKnown: (id) => known.includes(id),
    });
    const before = catalog.isUnlisted('gone');
    await catalog.load();
    return { before, catalog };
  };

  it('is unlisted only when there is a list that could have it', async () => {
    const { before, catalog } = await catalogOf([model('a')], ['typed']);
    assert.equal(before, false);
    const ids = ['a', 'override', 'typed', 'gone'];
    assert.deepEqual(
      ids.filter((id) => catalog.isUnlisted(id)),
      ['gone'],
    );
    assert.equal((await catalogOf([])).catalog.isUnlisted('gone'), false);
  });
});

describe('ensuring that the list is there', () => {
  it('waits for the load that is under way', async () => {
    let release: (models: Model[]) => void = () => {};
    const catalog = new RelayCatalog({
      listModels: () => new Promise((resolve) => (release = resolve)),
      merge: (listed) => listed,
    });
    void catalog.load();
    let isThere = false;
    const ensured = catalog.ensure().then(() => (isThere = true));
    await Promise.resolve();
    assert.equal(isThere, false);
    release([model('a')]);
    await ensured;
    assert.equal(catalog.state.state, 'ready');
  });
});
