import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { readFlow } from '../../../src/flows/dsl/readFlow.ts';
import { hashOfDsl } from '../../../src/flows/flowState.ts';
import { fillSecrets } from '../../../src/flows/sync/fillSecrets.ts';
import { type FlowLink, readLinks, withLink, writeLinks } from '../../../src/flows/sync/flowLinks.ts';
import { pullEach, type PullAllProgress } from '../../../src/flows/sync/pullFlow.ts';
import { flowText } from '../../support/flowText.ts';

const synced = { file: hashOfDsl('a'), platform: hashOfDsl('b') };
const link: FlowLink = {
  ...{ path: 'flows/a.yml', server: 'https://dify.example.com', workspaceId: 'w-1', appId: 'a-1', synced },
};

describe('links of flow files', () => {
  it('come back as they were written, in the order of their paths', () => {
    const other = { ...link, path: 'flows/B.yaml', appId: 'a-2' };
    assert.deepEqual(readLinks(writeLinks([link, other])), [other, link]);
    assert.equal(writeLinks([link, other]), writeLinks([other, link]));
    assert.deepEqual(
      withLink([link], { ...link, appId: 'a-3' }).map(({ appId }) => appId),
      ['a-3'],
    );
  });

  it('of a hostile repository lead nowhere else', () => {
    const written = (change: object) => {
      const { flows } = JSON.parse(writeLinks([link])) as { flows: object[] };
      return readLinks(JSON.stringify({ flows: [{ ...flows[0], ...change }] }));
    };
    assert.equal(written({}).length, 1);
    const wrong = [
      ...[
        '../a.yml',
        'a/../../b.yml',
        '/etc/a.yml',
        'C:/a.yml',
        'a\\b.yml',
        'a.sh',
        './a.yml',
        'a//b.yml',
      ].map((path) => ({ path })),
      ...['https://dify.example.com/x', 'file:///etc', 'nowhere', 'https://u:p@dify.example.com'].map(
        (server) => ({ server }),
      ),
      ...[{ app: '../x' }, { workspace: 'a b' }, { file: 'x' }, { platform: 5 }],
    ];
    for (const change of wrong) assert.deepEqual(written(change), [], JSON.stringify(change));
  });

  it('are none in a file that is none', () => {
    for (const text of [undefined, '', '[]', '{"flows":5}', '{"flows":[null,1]}', '<<<<<<< HEAD'])
      assert.deepEqual(readLinks(text), []);
  });
});

describe('secrets of a pushed flow', () => {
  const variable = (id: string, value: string, more: object = {}) => ({
    id,
    name: id.toUpperCase(),
    value_type: 'secret',
    value,
    ...more,
  });
  const filled = (file: readonly object[], draft: readonly object[]) =>
    fillSecrets(
      readFlow(flowText({ environment: file as never })),
      readFlow(flowText({ environment: draft as never })),
    );
  const valuesIn = (yaml: string) =>
    (
      parse(yaml) as { workflow: { environment_variables: { value: string }[] } }
    ).workflow.environment_variables.map(({ value }) => value);

  it('are filled in by id, whatever they contain, and change nothing else', () => {
    const secret = 'a"b\\c: #\n\té🦊\u2028';
    const { yaml, empty } = filled(
      [variable('x', ''), variable('y', 'mine'), variable('z', '', { value_type: 'string' })],
      [variable('y', 'theirs'), variable('x', secret, { name: 'OLD' })],
    );
    assert.deepEqual(valuesIn(yaml), [secret, 'mine', '']);
    assert.deepEqual(empty, []);
    // Python would read a surrogate pair as two characters.
    assert.match(yaml, /\\U0001f98a/);
    const blanked = yaml.replace(/value: "a.*"/, "value: ''");
    assert.equal(
      blanked,
      flowText({
        environment: [variable('x', ''), variable('y', 'mine'), variable('z', '', { value_type: 'string' })],
      }),
    );
  });

  it('are named where the platform has none', () => {
    const { yaml, empty } = filled([variable('new', '')], [variable('x', 's')]);
    assert.deepEqual(empty, ['NEW']);
    assert.deepEqual(valuesIn(yaml), ['']);
  });

  it('are filled in where nothing is written', () => {
    const text = flowText({ environment: [variable('x', '')] }).replace("value: ''", 'value:');
    const { yaml } = fillSecrets(readFlow(text), readFlow(flowText({ environment: [variable('x', 's')] })));
    assert.deepEqual(valuesIn(yaml), ['s']);
  });
});

describe('pulling many flows', () => {
  const never = new AbortController().signal;
  const limited = (retryAfterMs: number) => new SwitchboardError('rate-limit', 'slow down', { retryAfterMs });

  it('waits out the rate limit, goes on after a failure, and tells the time left', async () => {
    const reports: PullAllProgress[] = [];
    const waits: number[] = [];
    const answers = [undefined, limited(30_000), undefined, new Error('gone'), undefined];
    const pulled: number[] = [];
    const { failed } = await pullEach(
      [1, 2, 3, 4],
      async (item) => {
        const answer = answers.shift();
        if (answer) throw answer;
        pulled.push(item);
      },
      { signal: never, report: (report) => reports.push(report), wait: async (ms) => void waits.push(ms) },
    );
    assert.deepEqual([pulled, waits], [[1, 2, 4], [30_000]]);
    assert.deepEqual(
      failed.map(({ item }) => item),
      [3],
    );
    assert.deepEqual(
      reports.map(({ leftMs }) => leftMs),
      [4000, 3000, 33_000, 2000, 1000],
    );
  });

  it('ends with the sign-in, and waits for no hour', async () => {
    const ended = await pullEach(
      [1, 2],
      async () => Promise.reject(new SwitchboardError('key', 'signed out')),
      { signal: never, report: () => undefined },
    );
    assert.deepEqual(
      ended.failed.map(({ item }) => item),
      [1],
    );
    const late = await pullEach([1], async () => Promise.reject(limited(3_600_000)), {
      ...{ signal: never, report: () => undefined },
      wait: async () => assert.fail('waited'),
    });
    assert.equal(late.failed.length, 1);
  });

  it('stops where it is told to', async () => {
    const controller = new AbortController();
    const pulled: number[] = [];
    const pull = async (item: number) => {
      pulled.push(item);
      controller.abort();
    };
    await assert.rejects(pullEach([1, 2], pull, { signal: controller.signal, report: () => undefined }));
    assert.deepEqual(pulled, [1]);
  });
});
