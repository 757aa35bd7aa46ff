import assert from 'node:assert/strict';
import {
  readAgentStep,
  readFile,
  readRun,
  readSources,
  readThought,
  readUsage,
} from '../../../../src/apps/client/appWire.ts';

const baseUrl = 'https://platform.example/sub';

/** Without fields that are undefined. */
const plain = (value: object): unknown => JSON.parse(JSON.stringify(value));

describe('readFile', () => {
  it('reads a file by any of its names, ids and addresses', () => {
    const named = (file: object) => {
      const { id, name, address } = readFile({ ...file }, baseUrl);
      return [id, name, address];
    };
    assert.deepEqual(
      named({ id: 'f', filename: 'a.pdf', name: 'b', url: '/files/f', remote_url: '/other' }),
      ['f', 'a.pdf', 'https://platform.example/files/f'],
    );
    assert.deepEqual(
      named({ related_id: 5, upload_file_id: 'u', name: 'b', remote_url: 'https://a.example/b' }),
      ['5', 'b', 'https://a.example/b'],
    );
    assert.deepEqual(named({ upload_file_id: 'u', preview_url: 'http://a.example/x/c.png?sign=1' }), [
      ...['u', 'c.png', 'http://a.example/x/c.png?sign=1'],
    ]);
    assert.deepEqual(named({ url: 'https://a.example/' }), [
      ...[undefined, 'https://a.example/', 'https://a.example/'],
    ]);
  });

  it('gives an address of the web alone, and what was said as the name of another', () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'http://[', 'vscode://a/b']) {
      assert.deepEqual(plain(readFile({ url }, baseUrl)), { name: url });
    }
    assert.deepEqual(plain(readFile({}, baseUrl)), { name: '' });
  });

  it('knows its size, which files with only an address lack', () => {
    const sizes = [3, '4', 0, -1, 'large', null].map((size) => readFile({ size }, baseUrl).size);
    assert.deepEqual(sizes, [3, 4, 0, undefined, undefined, undefined]);
  });
});

describe('readSources', () => {
  it('names a document by either name, with slashes', () => {
    const names = (...sources: object[]) => readSources(sources).map(({ documentName }) => documentName);
    assert.deepEqual(names({ document_name: 'docs∕a.md', title: 'b' }, { title: 'c∕d' }, {}), [
      ...['docs/a.md', 'c/d', undefined],
    ]);
    assert.deepEqual(readSources({ document_name: 'a' }), []);
  });
});

describe('readUsage', () => {
  it('is none without a count or a price', () => {
    assert.equal(readUsage({ latency: 1 }), undefined);
    assert.equal(readUsage('7'), undefined);
    assert.deepEqual(plain(readUsage({ total_tokens: '7' }) ?? {}), { totalTokens: 7 });
    assert.deepEqual(plain(readUsage({ total_price: 0.5, currency: 'USD' }) ?? {}), {
      ...{ price: '0.5', currency: 'USD' },
    });
  });
});

describe('readThought', () => {
  const whole = {
    ...{ id: 't', position: 2, thought: 'Look.', tool: 'wiki', observation: 'Found.' },
    ...{ tool_labels: { wiki: { en_US: 'Encyclopedia' } }, tool_input: '{"q":"tides"}' },
  };
  const told = (tool: string, input: unknown, observation: unknown) => {
    const wire = {
      id: 't',
      tool,
      tool_input: JSON.stringify(input),
      observation: JSON.stringify(observation),
    };
    const { toolInput, observation: result } = readThought(wire);
    return [toolInput, result];
  };

  it('is shown without the name of the only tool around it', () => {
    assert.deepEqual(told('tides', { tides: { at: 'noon' } }, { tides: 'High.\nVery.' }), [
      '{"at":"noon"}',
      'High.\nVery.',
    ]);
    assert.deepEqual(told('tides', { tides: {} }, { tides: { high: true } }), ['{}', '{"high":true}']);
  });

  it('is left as it is where the names are needed, or are those of arguments', () => {
    const both = { tides: { at: 'noon' }, winds: {} };
    assert.deepEqual(told('tides;winds', both, both), [JSON.stringify(both), JSON.stringify(both)]);
    assert.deepEqual(told('q', { q: 'npm' }, { npm: 'a manager' }), ['{"q":"npm"}', '{"npm":"a manager"}']);
  });

  it('keeps what an earlier event said', () => {
    const known = readThought(whole);
    assert.deepEqual(plain(known), {
      ...{ id: 't', position: 2, thought: 'Look.', tool: 'wiki', toolLabel: 'Encyclopedia' },
      ...{ toolInput: '{"q":"tides"}', observation: 'Found.' },
    });
    assert.deepEqual(readThought({}, known), known);
    assert.deepEqual(plain(readThought({})), { id: '', position: 0, thought: '' });
    const later = {
      position: 3,
      thought: 'Again.',
      tool: 'wiki',
      tool_input: { wiki: { at: 1 } },
      observation: 'x',
    };
    assert.deepEqual(plain(readThought({ ...later, id: 'u' }, known)), {
      ...{ id: 'u', position: 3, thought: 'Again.', tool: 'wiki', toolLabel: 'Encyclopedia' },
      ...{ toolInput: '{"at":1}', observation: 'x' },
    });
  });

  it('labels several tools, in whatever form their labels are', () => {
    const labels = { wiki: { en_US: 'Encyclopedia', zh_Hans: '百科' }, sea: 'Sea', air: { zh_Hans: '空' } };
    const labelOf = (tool: string) => readThought({ tool, tool_labels: labels }).toolLabel;
    assert.deepEqual(['wiki;sea', 'sea', 'air', 'none'].map(labelOf), [
      ...['Encyclopedia, Sea', 'Sea', undefined, undefined],
    ]);
  });
});

describe('readAgentStep', () => {
  const nobody = () => undefined;

  it('keeps the title, the depth and the detail that an earlier event gave', () => {
    const known = readAgentStep({ id: 'a', label: 'CALL', status: 'start', data: { n: 1, s: 'x' } }, nobody);
    assert.deepEqual(known, {
      ...{ id: 'a', title: 'CALL', kind: 'agent', status: 'running', depth: 1, detail: 'n: 1\ns: x' },
    });
    const deep = { ...known, depth: 3 };
    assert.deepEqual(
      readAgentStep({ id: 'a', status: 'success' }, (id) => (id === 'a' ? deep : undefined)),
      { ...deep, status: 'succeeded' },
    );
  });

  it('gives a single text as it is, and other data by its names', () => {
    const detailOf = (data: unknown) => readAgentStep({ id: 'a', data }, nobody).detail;
    assert.deepEqual([{ output: 'Found.' }, { n: 1 }, { a: 'x', b: 'y' }, {}, 'x'].map(detailOf), [
      ...['Found.', 'n: 1', 'a: x\nb: y', undefined, undefined],
    ]);
  });
});

describe('readRun', () => {
  it('has the state that a server gives', () => {
    const states = [
      'scheduled',
      'running',
      'succeeded',
      'partial-succeeded',
      'failed',
      'stopped',
      'paused',
      'x',
    ];
    assert.deepEqual(
      states.map((status) => readRun({ status }).status),
      ['running', 'running', 'succeeded', 'partly-succeeded', 'failed', 'stopped', 'paused', 'unknown'],
    );
    assert.equal(readRun({}).status, 'unknown');
  });
});
