import assert from 'node:assert/strict';
import manifest from '../../../package.json' with { type: 'json' };
import { readSetting, settingSchemas } from '../../../src/settings/readSetting.ts';
import { tightened } from '../../../src/settings/settingLayers.ts';

const value = (name: string, user: unknown, workspace: unknown, folder?: unknown) =>
  tightened(name, {
    ...(user !== undefined && { globalValue: user }),
    defaultValue:
      name === 'tools.approval' || name === 'tools.commands' ? {} : name === 'chat.maxToolRounds' ? 25 : [],
    workspaceValue: workspace,
    workspaceFolderValue: folder,
  })?.value;

describe('settings: what a workspace may change of the settings', () => {
  it('lets no workspace allow a tool', () => {
    assert.deepEqual(value('tools.approval', undefined, { edit_file: 'allow' }), {});
    assert.deepEqual(value('tools.approval', { edit_file: 'ask' }, { edit_file: 'allow' }), {
      edit_file: 'ask',
    });
    assert.deepEqual(value('tools.approval', { edit_file: 'deny' }, { edit_file: 'ask' }), {
      edit_file: 'deny',
    });
    const inherited = JSON.parse('{"__proto__":"allow","constructor":"allow"}') as unknown;
    assert.deepEqual(value('tools.commands', { npm: 'ask' }, { npm: 'allow', ls: 'allow', git: 'deny' }), {
      ...{ npm: 'ask', git: 'deny' },
    });
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

  it('lets a workspace only lower the daily budget, part by part', () => {
    const budget = (user: unknown, workspace: unknown, folder?: unknown) =>
      value('chat.dailyBudget', user, workspace, folder);
    assert.deepEqual(budget({ money: 5 }, { money: 50, tokens: 100 }), { money: 5, tokens: 100 });
    assert.deepEqual(budget({ money: 5, tokens: 50 }, { money: 1 }, { money: 3, tokens: 9 }), {
      money: 1,
      tokens: 9,
    });
    assert.deepEqual(budget({ money: 5 }, { money: -1 }, 'none'), { money: 5 });
    assert.deepEqual(budget({ money: 5, tokens: 'few' }, undefined), { money: 5 });
    assert.deepEqual(budget(undefined, { money: 0 }), { money: 0 });
    assert.deepEqual(budget(undefined, undefined), {});
  });

  it('lets a workspace only lower what is uploaded on its own', () => {
    const user = { maxFiles: 10, maxMegabytes: 5 };
    assert.deepEqual(value('knowledge.autoSync', user, { maxFiles: 99, maxMegabytes: 1 }), {
      ...{ maxFiles: 10, maxMegabytes: 1 },
    });
    const layers = { defaultValue: user, workspaceValue: { maxFiles: 3, maxMegabytes: 99 } };
    assert.deepEqual(tightened('knowledge.autoSync', layers), { value: { maxFiles: 3, maxMegabytes: 5 } });
  });

  it('takes the stricter mode, and the strictest for what is none', () => {
    const mode = (user: unknown, workspace: unknown) =>
      tightened('chat.mode', { globalValue: user, defaultValue: 'agent', workspaceValue: workspace })?.value;
    assert.equal(mode('ask', 'agent'), 'ask');
    assert.equal(mode('plan', 'agent'), 'plan');
    assert.equal(mode(undefined, 'plan'), 'plan');
    assert.equal(mode('agent', 'ask'), 'ask');
    assert.equal(mode('agent', 'yolo'), 'ask');
    assert.equal(mode('yolo', undefined), 'agent');
  });

  it('takes the less of what is told of the active editor, and nothing for what is no level', () => {
    const level = (user: unknown, workspace: unknown) =>
      tightened('chat.activeEditor', {
        globalValue: user,
        defaultValue: 'suggest',
        workspaceValue: workspace,
      })?.value;
    assert.equal(level('always', 'suggest'), 'suggest');
    assert.equal(level('never', 'always'), 'never');
    assert.equal(level(undefined, 'always'), 'suggest');
    assert.equal(level('selection', 'all'), 'never');
    assert.equal(level('all', undefined), 'suggest');
  });

  it('keeps the rules of the user beside what cannot be read, however it was written', () => {
    assert.deepEqual(value('tools.exclude', ['a'], ['b', 5, null], 'c'), ['a', 'b', 'c']);
    assert.deepEqual(value('tools.exclude', ['a', 5], undefined), ['a']);
    assert.deepEqual(value('tools.approval', { a: 'deny', b: 'never' }, { a: 'no', c: 1 }, [3]), {
      ...{ a: 'deny', b: 'ask', c: 'ask' },
    });
    assert.deepEqual(value('tools.approval', 'allow', { a: 'deny' }), { a: 'deny' });
    assert.equal(value('chat.maxToolRounds', 5, 0.5, -1), 5);
    assert.equal(value('chat.maxToolRounds', 5, 0), 5);
    assert.equal(value('chat.maxToolRounds', 'many', 1000), 25);
  });

  it('says what the user wrote wrong, and not what a workspace did', () => {
    const schema = settingSchemas(manifest)['tools.exclude'] ?? {};
    const problemOf = (user: unknown, workspaceValue: unknown) =>
      readSetting('tools.exclude', schema, { defaultValue: [], globalValue: user, workspaceValue }, user)
        .problem;
    assert.match(problemOf(['a', 5], ['b']) ?? '', /at \[1\]/);
    assert.equal(problemOf(['a'], [5]), undefined);
  });

  it('leaves other settings to the editor', () => {
    assert.equal(tightened('chat.stream', { globalValue: true, workspaceValue: false }), undefined);
  });

  it('keeps workspaces out of what is said to models and believed of them', () => {
    const properties = Object.assign(
      {},
      ...manifest.contributes.configuration.map(({ properties: some }) => some),
    ) as Record<string, { scope?: string }>;
    for (const name of [
      ...['chat.instructions', 'chat.fallbackModels', 'completions.model', 'completions.languages'],
      ...['relay.models', 'relay.connections', 'relay.protocol'],
    ]) {
      assert.equal(properties[`switchboard.${name}`]?.scope, 'application', name);
    }
  });
});
