import assert from 'node:assert/strict';
import { groupModels } from '../../../src/webview/modelGroups.ts';
import { models } from '../../page/support/states.ts';

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

  it('has apps last, found by name and kind but not by their ids', () => {
    const app = { id: 'app:1f', name: 'Harbour guide', app: 'chatflow' };
    const withApp = models({ options: [app, ...models().options], favourites: [] });
    const last = groupModels(withApp, '').at(-1);
    assert.deepEqual([last?.kind, last?.options], ['apps', [app]]);
    assert.deepEqual(groupModels(withApp, 'FLOW harb'), [last]);
    assert.deepEqual(groupModels(withApp, '1f'), []);
  });

  it('finds every word in name, id or vendor, in any case and order', () => {
    assert.deepEqual(names('MINI open'), [['OpenAI', ['gpt-5.5-mini']]]);
    assert.deepEqual(names('no such model'), []);
  });
});
