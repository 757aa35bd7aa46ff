import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import { tightened } from '../../../src/host/tightened.ts';

const value = (name: string, user: unknown, workspace: unknown, folder?: unknown) =>
  tightened(name, {
    ...(user !== undefined && { globalValue: user }),
    defaultValue: name === 'tools.approval' ? {} : name === 'chat.maxToolRounds' ? 25 : [],
    workspaceValue: workspace,
    workspaceFolderValue: folder,
  })?.value;

describe('host: what a workspace may change of the settings', () => {
  it('lets no workspace allow a tool', () => {
    assert.deepEqual(value('tools.approval', undefined, { edit_file: 'allow' }), {});
    assert.deepEqual(value('tools.approval', { edit_file: 'ask' }, { edit_file: 'allow' }), {
      edit_file: 'ask',
    });
    assert.deepEqual(value('tools.approval', { edit_file: 'deny' }, { edit_file: 'ask' }), {
      edit_file: 'deny',
    });
    const inherited = JSON.parse('{"__proto__":"allow","constructor":"allow"}') as unknown;
    assert.deepEqual(value('tools.approval', {}, inherited), {});
  });

  it('lets a workspace ask and deny where the user does not', () => {
    const user = { edit_file: 'allow', read_file: 'allow' };
    assert.deepEqual(value('tools.approval', user, { edit_file: 'ask' }, { read_file: 'deny', x: 'ask' }), {
      edit_file: 'ask',
      read_file: 'deny',
      x: 'ask',
    });
  });

  it('adds up what is left out and what is protected', () => {
    for (const name of ['tools.exclude', 'tools.protected', 'knowledge.exclude']) {
      assert.deepEqual(value(name, ['a', 'b'], ['b', 'c'], ['d']), ['a', 'b', 'c', 'd']);
      assert.deepEqual(value(name, ['a'], []), ['a']);
      assert.deepEqual(value(name, undefined, ['c']), ['c']);
    }
  });

  it('takes the smaller number of rounds', () => {
    assert.equal(value('chat.maxToolRounds', undefined, 1000), 25);
    assert.equal(value('chat.maxToolRounds', 50, 10), 10);
    assert.equal(value('chat.maxToolRounds', 50, undefined), 50);
  });

  it('hands on what the user wrote wrong, so that it is said', () => {
    assert.equal(value('tools.approval', 'allow', { a: 'deny' }), 'allow');
    assert.equal(value('tools.exclude', 3, ['a']), 3);
  });

  it('leaves other settings to the editor', () => {
    assert.equal(tightened('chat.stream', { globalValue: true, workspaceValue: false }), undefined);
  });

  it('keeps workspaces out of what is said to models and believed of them', () => {
    const properties = Object.assign(
      {},
      ...manifest.contributes.configuration.map(({ properties: some }) => some),
    ) as Record<string, { scope?: string }>;
    for (const name of ['chat.instructions', 'relay.models']) {
      assert.equal(properties[`switchboard.${name}`]?.scope, 'application', name);
    }
  });
});
