import assert from 'node:assert/strict';
import type { KnownFact } from '../../../../src/chat/models/modelProfiles.ts';
import { presentProfile } from '../../../../src/panel/present/presentProfile.ts';
import { serviceForm } from '../../../../src/relay/profile/modelDialect.ts';

const fact = (name: KnownFact['name'], value: unknown): KnownFact => ({ name, value, source: 'list' });
const textOf = (name: KnownFact['name'], value: unknown) => presentProfile([fact(name, value)])[0]?.text;

describe('the profile of a model, for the user', () => {
  it('says each fact in plain words, with who said so', () => {
    const rows = presentProfile([
      { name: 'vision', value: false, source: 'setting' },
      { name: 'contextWindow', value: 128_000, source: 'list' },
      { name: 'reasoning', value: 'all', source: 'refusal', atMs: 0 },
      { name: 'toolCalling', value: true, source: 'answer', atMs: 0 },
      { name: 'refusedParameters', value: ['temperature', 'reasoningEffort=max'], source: 'check', atMs: 0 },
    ]);
    assert.deepEqual(
      rows.map(({ text }) => text),
      [
        'No images',
        'Context window: 128,000 tokens',
        'Every answer is sent back with reasoning',
        'Tools',
        'Not sent: temperature, reasoningEffort=max',
      ],
    );
    assert.deepEqual(
      rows.map(({ source }) => source.replace(/, .*/, '')),
      ['your setting', "the relay's list", 'a refusal', 'an answer', 'a check'],
    );
  });

  it('says which reasoning is sent back', () => {
    assert.deepEqual(
      ['none', 'calls', 'all'].map((value) => textOf('reasoning', value)),
      [
        "Its reasoning isn't sent back",
        'Every tool call is sent back with reasoning',
        'Every answer is sent back with reasoning',
      ],
    );
  });

  it('has words for every departure from the usual form, and none for the form itself', () => {
    const departures: Record<string, unknown> = {
      ...{ stream: false, streamOptions: false, maxTokensField: 'max_completion_tokens', effort: 'budget' },
      ...{
        thinksFromStart: true,
        effortWithTools: false,
        systemRole: false,
        reasoning: 'none',
        signatures: true,
      },
      ...{
        wordAfterResults: true,
        wordBeforeCalls: true,
        pictures: 'newest',
        tools: 'plain',
        history: 'plain',
      },
      ...{ cacheMarks: false },
    };
    for (const name of Object.keys(serviceForm) as (keyof typeof serviceForm)[]) {
      assert.ok(name in departures, name);
      assert.ok(textOf(name, departures[name]), name);
      if (name !== 'maxTokensField') assert.equal(textOf(name, serviceForm[name]), undefined, name);
    }
  });
});
