import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelOption } from '../../../../src/shared/transcript.ts';
import { groupModels } from '../../../../src/webview/picker/modelGroups.ts';
import { models } from '../../../page/support/states.ts';

describe('groupModels', () => {
  const names = (filter: string) =>
    groupModels(models(), filter).map(({ kind, name, options }) => [
      name || kind,
      options.map(({ id }) => id),
    ]);

  it('has favourites first, then vendors, then models of no known vendor; each model once', () => {
    assert.deepEqual(names(''), [
      ['favourites', ['gpt-5.5']],
      ['Anthropic', ['claude-sonnet-5', 'claude-haiku-5']],
      ['OpenAI', ['gpt-5.5-mini']],
      ['Google', ['gemini-3-pro']],
      ['DeepSeek', ['deepseek-v4']],
      ['others', ['qwen3-coder-480b-a35b-instruct', 'my-finetune']],
    ]);
  });

  it('has those that were used last before the others, where there are too many to see', () => {
    const many = Array.from({ length: 13 }, (_, i) => ({ id: `m${i}`, name: `m${i}` }));
    const shown = (options: typeof many) =>
      groupModels(models({ options, favourites: ['m1'], recent: ['m5', 'gone', 'm1', 'm3'] }), '').map(
        ({ kind, options: own }) => [kind, own.length, own[0]?.id],
      );
    assert.deepEqual(shown(many), [
      ['favourites', 1, 'm1'],
      ['recent', 2, 'm5'],
      ['others', 10, 'm0'],
    ]);
    assert.deepEqual(
      shown(many.slice(0, 6)).map(([kind]) => kind),
      ['favourites', 'others'],
    );
  });

  it('has the models of each relay together, by vendor, and finds them by its name', () => {
    const option = (relay: string, id: string, vendor?: string) => ({
      ...{ id: `relay:https://${relay}/${id}`, plainId: id, name: id, relay },
      ...(vendor && { vendor }),
    });
    const options = [
      option('one', 'a', 'v'),
      option('one', 'b'),
      option('two', 'a', 'v'),
      option('two', 'b'),
    ];
    const several = models({ options, favourites: [] });
    assert.deepEqual(
      groupModels(several, '').map(({ kind, name, relay }) => [relay, name || kind]),
      [
        ['one', 'v'],
        ['one', 'others'],
        ['two', 'v'],
        ['two', 'others'],
      ],
    );
    const found = (filter: string) => groupModels(several, filter).flatMap((group) => group.options);
    assert.deepEqual(found('a'), [options[0], options[2]]);
    assert.deepEqual(found('two a'), [options[2]]);
    const relaysOf = (filter: string, favourites: string[] = []) =>
      groupModels({ ...several, favourites }, filter).map(({ kind, relay }) => `${relay} ${kind}`);
    assert.deepEqual(relaysOf('a'), ['one matches', 'two matches']);
    assert.deepEqual(relaysOf('', [options[2]!.id, options[0]!.id]).slice(0, 2), [
      'one favourites',
      'two favourites',
    ]);
    assert.deepEqual(found('https'), [], 'what names the relay in an id is not a part of its name');
  });

  it('ranks a name by where the word stands in it', () => {
    const options = ['a-g-p-t', 'xgpt', 'a-gpt', 'gpt-a', 'gpt'].map((id) => ({ id, name: id }));
    const [matches] = groupModels(models({ options, favourites: [] }), 'gpt');
    assert.deepEqual(
      matches?.options.map(({ id }) => id),
      options.map(({ id }) => id).toReversed(),
    );
  });

  it('has apps last, found by name and kind but not by their ids', () => {
    const app = { id: 'app:1f', name: 'Harbour guide', app: 'chatflow' };
    const withApp = models({ options: [app, ...models().options], favourites: [] });
    const last = groupModels(withApp, '').at(-1);
    assert.deepEqual([last?.kind, last?.options], ['apps', [app]]);
    assert.deepEqual(groupModels(withApp, 'FLOW harb'), []);
    assert.deepEqual(groupModels(withApp, 'chatf HARB')[0]?.options, [app]);
    assert.deepEqual(groupModels(withApp, '1f'), []);
    const chat = { ...app, app: 'chat app' };
    assert.deepEqual(groupModels(models({ options: [chat] }), 'chat app')[0]?.options, [chat]);
  });
});

describe('what is not for chat', () => {
  const other = (id: string): ModelOption => ({ id, name: id, vendor: 'openai', kind: 'other' });
  const app = { id: 'app:1f', name: 'Guide', app: 'chatflow' };
  const options = [other('tts-1'), { id: 'my-tts-1', name: 'my-tts-1' }, app, other('gpt-tts')];
  const groups = (filter: string, favourites: string[] = []) =>
    groupModels(models({ options, favourites }), filter).map(({ kind, options: own }) => [
      kind,
      own.map(({ id }) => id).join(),
    ]);

  it('stands together at the end, unless it is a favourite', () => {
    const rest = [
      ['others', 'my-tts-1'],
      ['apps', 'app:1f'],
    ];
    assert.deepEqual(groups(''), [...rest, ['notForChat', 'tts-1,gpt-tts']]);
    assert.deepEqual(groups('', ['gpt-tts']), [['favourites', 'gpt-tts'], ...rest, ['notForChat', 'tts-1']]);
  });

  it('is found after the rest, but first by its exact name', () => {
    assert.deepEqual(groups('tts'), [
      ['matches', 'my-tts-1'],
      ['notForChat', 'tts-1,gpt-tts'],
    ]);
    assert.deepEqual(groups('TTS-1')[0], ['notForChat', 'tts-1']);
    assert.deepEqual(groups('my-tts-1')[0], ['matches', 'my-tts-1']);
    assert.deepEqual(groups('gpt'), [['notForChat', 'gpt-tts']]);
  });
});

describe('a filter', () => {
  const option = (id: string, name = id, vendor?: string): ModelOption => ({
    ...{ id, name },
    ...(vendor && { vendor }),
  });
  const find = (filter: string, options: ModelOption[], favourites: string[] = []) =>
    groupModels(models({ options, favourites }), filter).flatMap((group) =>
      group.options.map(({ id }) => id),
    );

  it('has the exact name or id first, then names that begin with it, then words, then the rest', () => {
    const listed = ['my-gpt-4o', 'chatgpt-4o', 'gpt-4o-mini', 'gpt-4o', 'gpt4o-old', 'other'].map((id) =>
      option(id),
    );
    assert.deepEqual(find('gpt-4o', listed), [
      'gpt-4o',
      'gpt-4o-mini',
      'my-gpt-4o',
      'chatgpt-4o',
      'gpt4o-old',
    ]);
    assert.deepEqual(find('GPT-4O', listed)[0], 'gpt-4o');
  });

  it('finds names however they are separated, and by several words in any order', () => {
    const listed = [option('claude-sonnet-4-5', 'Claude Sonnet 4.5'), option('gpt-4o')];
    assert.deepEqual(find('gpt4o', listed), ['gpt-4o']);
    assert.deepEqual(find('4.5 sonnet', listed), ['claude-sonnet-4-5']);
    assert.deepEqual(find('sonnet 4o', listed), []);
  });

  it('is not met by a vendor whose name is in everything', () => {
    // A relay that names itself as the vendor of all models.
    const listed = ['gpt-4o', 'gemini-pro', 'qwen-max'].map((id) => option(id, id, 'gpt-proxy'));
    assert.deepEqual(find('gpt', listed), ['gpt-4o']);
    const prefixed = [
      option('openai/gpt-4o', 'OpenAI: GPT-4o', 'openai'),
      option('x/openai-like', 'Like', 'x'),
    ];
    assert.deepEqual(find('openai', prefixed), ['x/openai-like']);
  });

  it('has the models of a vendor where no model has such a name, and a vendor beside a name', () => {
    const listed = [
      option('openai/gpt-4o', 'OpenAI: GPT-4o', 'openai'),
      option('openai/o3', 'OpenAI: o3', 'openai'),
      option('google/gemini-flash', 'Gemini Flash', 'google'),
    ];
    assert.deepEqual(find('openai', listed), ['openai/gpt-4o', 'openai/o3']);
    assert.deepEqual(find('openai 4o', listed), ['openai/gpt-4o']);
    assert.deepEqual(find('openai/o', listed), ['openai/o3']);
    assert.deepEqual(find('oogle', listed), []);
  });

  it('has favourites first among equals only', () => {
    const listed = ['gpt-4o-mini', 'gpt-4o-max', 'gpt-4o'].map((id) => option(id));
    assert.deepEqual(find('gpt-4o', listed, ['gpt-4o-max']), ['gpt-4o', 'gpt-4o-max', 'gpt-4o-mini']);
  });

  it('has each that holds it in its name once, the exact one before all others', () => {
    const id = fc.string({
      unit: fc.constantFrom(...'a b A 1 - / .'.split(' '), ' '),
      minLength: 1,
      maxLength: 8,
    });
    const trimmed = id.map((text) => text.trim()).filter((text) => text !== '');
    fc.assert(
      fc.property(fc.uniqueArray(trimmed, { minLength: 1, maxLength: 8 }), fc.nat(), (ids, nth) => {
        const listed = ids.map((each) => option(each));
        const wanted = ids[nth % ids.length] ?? '';
        const found = find(wanted, listed);
        assert.equal(new Set(found).size, found.length);
        assert.equal(found[0]?.toLowerCase(), wanted.toLowerCase());
        for (const each of ids) {
          if (each.toLowerCase().includes(wanted.toLowerCase())) assert.ok(found.includes(each), each);
        }
      }),
    );
  });
});
