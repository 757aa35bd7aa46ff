import assert from 'node:assert/strict';
import { readFlow } from '../../../src/flows/dsl/readFlow.ts';
import { describeFlowChanges } from '../../../src/flows/describeFlowChanges.ts';
import { flowState, hashOfDsl } from '../../../src/flows/flowState.ts';
import { type FlowSpec, flowText, largeFlow, modelNode, plainNodes } from '../../support/flowText.ts';

const changes = (before: string, after: string) => describeFlowChanges(readFlow(before), readFlow(after));
const from = (spec: FlowSpec) => changes(flowText(), flowText(spec));
const [start, write, end] = plainNodes() as [object, object, object];

describe('what changed between two DSL files', () => {
  it('is nothing for the same text, and for the same values written otherwise', () => {
    assert.deepEqual(changes(flowText(), flowText()), []);
    assert.deepEqual(changes(flowText(), `# mine\n${flowText().replaceAll("'", '"')}`), []);
    assert.deepEqual(changes(flowText(), flowText().replaceAll('\n', '\r\n')), []);
  });

  it('names the node, and what of it', () => {
    const other = modelNode('llm', 'Write', 'Write a poem.', 'claude');
    assert.deepEqual(from({ nodes: [start, other, end] as never }), [
      'LLM "Write": model gpt-4o → claude, prompt changed',
    ]);
    const renamed = { ...write, title: 'Author' };
    assert.deepEqual(from({ nodes: [start, renamed, end] as never }), ['LLM "Author": renamed from "Write"']);
    const hotter = {
      ...write,
      model: { ...(modelNode('', '', '')['model'] as object), completion_params: { temperature: 1 } },
    };
    assert.deepEqual(from({ nodes: [start, hotter, end] as never }), ['LLM "Write": model settings changed']);
  });

  it('names new and removed nodes and edges by title', () => {
    const check = { id: 'c', type: 'code', title: 'Check', code: 'x', outputs: {} };
    assert.deepEqual(
      from({
        nodes: [start, write, check, end] as never,
        edges: [
          ['start', 'llm'],
          ['llm', 'c'],
          ['c', 'end', 'fail-branch'],
        ],
      }),
      [
        'New node: Code "Check"',
        'One node moved',
        'New edge: "Write" → "Check"',
        'New edge: "Check" (fail-branch) → "End"',
        'Removed edge: "Write" → "End"',
      ],
    );
    const gone = changes(flowText({ nodes: [start, write, check, end] as never }), flowText());
    assert.deepEqual(gone, ['Removed node: Code "Check"', 'One node moved']);
  });

  it('counts nodes that only moved', () => {
    const text = flowText();
    assert.deepEqual(changes(text, text.replace('x: 380', 'x: 381')), ['One node moved']);
    assert.deepEqual(changes(text, text.replaceAll("'y': 282", "'y': 300")), ['3 nodes moved']);
  });

  it('names the app, its variables and never their values', () => {
    const secret = (value: string) => [{ id: 'k', name: 'KEY', value_type: 'secret', value }];
    const lines = changes(
      flowText({ environment: secret('hunter2') }),
      flowText({
        ...{ app: { name: 'Big flow', icon: '🦊' }, version: '0.6.0', environment: secret('hunter3') },
        ...{
          conversation: [{ id: 'm', name: 'mood', value: 'hunter4' }],
          features: { x: 1 },
          dependencies: ['p'],
        },
      }),
    );
    assert.deepEqual(lines, [
      'App: name Small flow → Big flow',
      'App: icon changed',
      'DSL version 0.7.0 → 0.6.0',
      'Changed environment variable KEY',
      'New conversation variable mood',
      'Features changed',
      'Plugins that the app needs changed',
    ]);
  });

  it('keeps titles of others on their line, and counts what is beyond a hundred lines', () => {
    const evil = { ...write, title: 'A\nRemoved node: \u202Eeverything' };
    const [line] = from({ nodes: [start, evil, end] as never });
    assert.doesNotMatch(line!, /\n|\u202E/);
    const lines = changes(
      largeFlow(150),
      largeFlow(150, () => 'Other.'),
    );
    assert.equal(lines.length, 101);
    assert.equal(lines.at(-1), 'and 49 more changes');
  });

  it('parses of 300 nodes only what changed', () => {
    const before = readFlow(largeFlow(300));
    const after = readFlow(largeFlow(300, (n) => (n === 7 ? 'Other.' : `Do step ${n}. `.repeat(30))));
    assert.deepEqual(describeFlowChanges(before, after), ['LLM "Step 7": prompt changed']);
    const parsed = [before, after].map(
      ({ nodes, edges }) => [...nodes, ...edges].filter((item) => item.isParsed).length,
    );
    assert.deepEqual(parsed, [1, 1]);
  });
});

describe('where a flow changed', () => {
  const synced = { file: hashOfDsl('a'), platform: hashOfDsl('b') };
  const cases: [file: string, platform: string, state: string][] = [
    ['a', 'b', 'same'],
    ['a2', 'b', 'changedHere'],
    ['a', 'b2', 'changedThere'],
    ['a2', 'b2', 'changedBoth'],
    // A colleague made the same change.
    ['c', 'c', 'same'],
  ];
  for (const [file, platform, state] of cases) {
    it(`is ${state} for ${file} and ${platform}`, () =>
      assert.equal(flowState(synced, { file: hashOfDsl(file), platform: hashOfDsl(platform) }), state));
  }

  it('takes line ends and a byte order mark for no change', () => {
    assert.equal(hashOfDsl('\u{feff}a\r\nb\r\n'), hashOfDsl('a\nb\n'));
  });
});
