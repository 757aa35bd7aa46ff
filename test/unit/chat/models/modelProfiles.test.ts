import assert from 'node:assert/strict';
import { RelayProfiles } from '../../../../src/chat/models/modelProfiles.ts';
import type { Model, ProtocolSetting } from '../../../../src/relay/messages.ts';
import type { ModelOverride } from '../../../../src/relay/list/modelOverrides.ts';
import { Memory } from '../../../../src/settings/memory.ts';
import { createMemento } from '../../../support/memento.ts';

const origin = 'https://a';

function createSession(memento = createMemento()) {
  const said = {
    listed: undefined as Model | undefined,
    override: undefined as ModelOverride | undefined,
    protocol: 'auto' as ProtocolSetting,
  };
  const profiles = new RelayProfiles({
    memory: new Memory(memento, createMemento()),
    listed: () => said.listed,
    override: () => said.override,
    protocol: () => said.protocol,
    now: () => 7,
  });
  return { said, profiles, facts: (id = 'm') => profiles.facts(origin, id), memento };
}

describe('the profile of a model', () => {
  it('joins what was said: settings before what was found out before the list', () => {
    const { said, profiles, facts } = createSession();
    said.listed = { id: 'm', name: 'm', vision: true, contextWindow: 1000, protocol: 'messages' };
    assert.deepEqual(facts(), { vision: true, contextWindow: 1000, protocol: 'messages' });
    profiles
      .of(origin)
      .learn('m', { vision: false, protocol: 'chat-completions', reasoning: 'all' }, 'refusal');
    assert.deepEqual(facts(), {
      ...{ vision: false, contextWindow: 1000, protocol: 'chat-completions', reasoning: 'all' },
    });
    said.override = {
      id: 'm',
      vision: true,
      protocol: 'messages',
      form: { reasoning: 'none' },
      body: { a: 1 },
    };
    assert.equal(facts().vision, true);
    assert.equal(facts().reasoning, 'none');
    assert.deepEqual(profiles.of(origin).extras?.('m')?.body, { a: 1 });
    said.override = { id: 'm', vision: true, protocol: 'messages' };
    assert.equal(facts().protocol, 'messages');
    said.protocol = 'chat-completions';
    assert.equal(profiles.of(origin).chosenProtocol?.('m'), 'messages', 'of this model before that of all');
    const known = profiles.known(origin, 'm').map(({ name, source, atMs }) => [name, source, atMs]);
    assert.deepEqual(known, [
      ['vision', 'setting', undefined],
      ['contextWindow', 'list', undefined],
      ['protocol', 'setting', undefined],
      ['reasoning', 'refusal', 7],
    ]);
  });

  it('lasts between sessions for the model, and for the session for its channel', () => {
    const { profiles, memento, facts } = createSession();
    profiles.of(origin).learn('m', { reasoning: 'all', cacheMarks: false, history: 'plain' }, 'refusal');
    assert.deepEqual(facts(), { reasoning: 'all', cacheMarks: false, history: 'plain' });
    assert.deepEqual(createSession(memento).facts(), { reasoning: 'all' });
  });

  it('is of one model of one relay', () => {
    const { profiles, facts } = createSession();
    profiles.of(origin).learn('m', { vision: false, cacheMarks: false }, 'check');
    assert.deepEqual(facts('other'), {});
    assert.deepEqual(profiles.facts('https://b', 'm'), {});
  });

  it('is forgotten on request, of one model or of all', () => {
    const { profiles, facts } = createSession();
    const learn = (id: string) =>
      profiles.of(origin).learn(id, { vision: false, cacheMarks: false }, 'refusal');
    learn('m');
    learn('n');
    profiles.forget(origin, 'm');
    assert.deepEqual([facts('m'), facts('n')], [{}, { vision: false, cacheMarks: false }]);
    profiles.forget(origin);
    assert.deepEqual(facts('n'), {});
  });

  it('is forgotten where the relay lists the model otherwise, and only there', () => {
    const { profiles, facts } = createSession();
    const listed = (contextWindow: number): Model[] => [
      { id: 'm', name: 'm', contextWindow },
      { id: 'n', name: 'n' },
    ];
    for (const id of ['m', 'n', 'unlisted']) profiles.of(origin).learn(id, { vision: false }, 'refusal');
    profiles.follow(origin, listed(1));
    profiles.follow(origin, listed(1));
    assert.deepEqual(
      [facts('m'), facts('n'), facts('unlisted')],
      [{ vision: false }, { vision: false }, { vision: false }],
    );
    profiles.follow(origin, listed(2));
    assert.deepEqual([facts('m'), facts('n'), facts('unlisted')], [{}, { vision: false }, { vision: false }]);
    profiles.follow(origin, [...listed(2), { id: 'unlisted', name: 'u' }]);
    assert.deepEqual(facts('unlisted'), {});
  });

  it('tells of changes, and of none where nothing is new', () => {
    const { profiles } = createSession();
    let changes = 0;
    profiles.onDidChange(() => changes++);
    const learn = () => profiles.of(origin).learn('m', { refusedParameters: ['temperature'] }, 'refusal');
    learn();
    learn();
    assert.equal(changes, 1);
  });
});
