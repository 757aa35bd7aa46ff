import assert from 'node:assert/strict';
import { AppCalls } from './platform/apps/appCalls.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { readJson } from './testClient.ts';

const good = { boat: 'Möwe', draught: 1.8, harbour: '青い港' };

describe('sandbox apps: the form before the first message', () => {
  let sandbox: Sandbox;
  let calls: AppCalls;
  before(async () => {
    sandbox = await startSandbox();
    calls = new AppCalls(sandbox.platform, sandbox.platform.apps.form);
  });
  after(() => sandbox.stop());

  const refusals: readonly [string, object, RegExp][] = [
    ['a required text that is missing', { boat: undefined }, /^boat is required in input form$/],
    ['a required number that is missing', { draught: undefined }, /^draught is required in input form$/],
    [
      'a text that is too long',
      { boat: 'x'.repeat(21) },
      /^boat in input form must be less than 20 characters$/,
    ],
    ['a text that is none', { boat: 3 }, /^\(type 'text-input'\) boat in input form must be a string$/],
    ['a number that is none', { draught: 'deep' }, /^draught in input form must be a valid number$/],
    [
      'an unknown option',
      { harbour: 'Hull' },
      /^harbour in input form must be one of the following: \['Søndervig'/,
    ],
    ['a file that is none', { chart: 'chart.png' }, /^chart in input form must be a file$/],
    ['files that are no list', { papers: {} }, /^papers in input form must be a list of files$/],
    ['too many files', { papers: [{}, {}, {}] }, /^papers in input form must be less than 2 files$/],
    ['an object that is none', { equipment: '{}' }, /^equipment in input form must be a dict$/],
    [
      'a file nobody uploaded',
      { chart: { type: 'image', transfer_method: 'local_file', upload_file_id: 'none' } },
      /^Invalid upload file$/,
    ],
    [
      'a file of another type',
      { chart: { type: 'video', transfer_method: 'remote_url', url: 'https://example.com/a.mp4' } },
      /^File validation failed for file: a\.mp4$/,
    ],
  ];
  for (const [what, inputs, message] of refusals) {
    it(`refuses ${what}`, async () => {
      const response = await calls.start('Plan', { inputs: { ...good, ...inputs } });
      assert.equal(response.status, 400);
      const body = await readJson<{ code: string; message: string }>(response);
      assert.equal(body.code, 'invalid_param');
      assert.match(body.message, message);
    });
  }

  it('counts characters as people do', async () => {
    await calls.ask('Plan', { inputs: { ...good, boat: '⚓'.repeat(10) + '𝄞'.repeat(10) } });
  });

  it('takes every kind and gives it to the app', async () => {
    const chart = await calls.uploaded('chart.md', 'Depths in metres.');
    const paper = await calls.uploaded('boat.ts', 'export const boat = 1;');
    const file = (id: string, type: string) => ({ type, transfer_method: 'local_file', upload_file_id: id });
    const { text } = await calls.ask('Plan', {
      inputs: {
        ...good,
        crew: 'Ann\nBob',
        weather: 'rough',
        night: true,
        chart: file(chart, 'document'),
        papers: [file(paper, 'custom')],
        equipment: { radar: true },
        route: 'north',
        forecast: 'sent in vain',
        stranger: 'not in the form',
      },
    });
    for (const row of [
      'boat | Möwe',
      'draught | 1.8',
      'harbour | 青い港',
      'crew | Ann Bob',
      'night | true',
    ]) {
      assert.ok(text.includes(`| ${row} |`), row);
    }
    assert.match(text, /\| length \| 9\.5 \|/, 'a default');
    assert.match(text, /\| chart \| chart\.md \|/);
    assert.match(text, /\| papers \| boat\.ts \|/);
    assert.match(text, /\| equipment \| \{"radar":true\} \|/);
    assert.match(text, /\| route \| north \|/);
    assert.match(text, /Depths in metres\./);
    assert.match(text, /export const boat = 1;/);
    assert.doesNotMatch(text, /in vain|not in the form/);
  });

  it('checks and uses the inputs of every message, and keeps those of the first', async () => {
    const { events } = await calls.ask('Plan', { inputs: good });
    const conversation_id = events[0]!.conversation_id;
    const { text } = await calls.ask('Again', { inputs: { ...good, boat: 'Another' }, conversation_id });
    assert.match(text, /\| boat \| Another \|/);
    const refused = await calls.start('Again', { inputs: {}, conversation_id });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /boat is required in input form/);
    const { data } = await readJson<{ data: { id: string; inputs: { boat: string } }[] }>(
      await calls.get('/conversations'),
    );
    assert.equal(data.find(({ id }) => id === conversation_id)?.inputs.boat, 'Möwe');
  });

  it('leaves a chatflow silent when inputs are missing, also in a later message; not streamed, it refuses', async () => {
    const flow = new AppCalls(sandbox.platform, sandbox.platform.apps.formFlow);
    const inputs = { name: 'Ann', count: 1, tone: 'formal' };
    const { events } = await flow.ask('Hello', { inputs });
    const later = { inputs: {}, conversation_id: events[0]!.conversation_id };
    const abort = new AbortController();
    const silent = await flow.start('Again', later, { signal: abort.signal });
    const { value } = await silent.body!.getReader().read();
    assert.deepEqual([silent.status, Buffer.from(value ?? []).toString()], [200, 'event: ping\n\n']);
    abort.abort();
    const refused = await flow.start('Again', { ...later, response_mode: 'blocking' });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /name is required in input form/);
  });

  it('takes numbers and yes or no as text too', async () => {
    const { text } = await calls.ask('Plan', { inputs: { ...good, draught: '2.5', night: 'yes' } });
    assert.match(text, /\| draught \| 2\.5 \|/);
    assert.match(text, /\| night \| true \|/);
  });
});
