import assert from 'node:assert/strict';
import { modeOf, readFlow, variablesOf } from '../../../src/flows/dsl/readFlow.ts';
import { splitFlow } from '../../../src/flows/dsl/splitFlow.ts';
import { referencesOf } from '../../../src/flows/dsl/references.ts';
import { flowText, largeFlow, plainNodes } from '../../support/flowText.ts';

describe('reading a DSL file', () => {
  it('reads nodes and edges with their places', () => {
    const text = flowText();
    const flow = readFlow(text);
    assert.equal(modeOf(flow), 'workflow');
    assert.deepEqual(
      flow.nodes.map(({ id, type, title }) => [id, type, title]),
      [
        ['start', 'start', 'Start'],
        ['llm', 'llm', 'Write'],
        ['end', 'end', 'End'],
      ],
    );
    const [first] = flow.edges;
    assert.equal(`${first?.from?.text()} ${first?.to?.text()}`, 'start llm');
    for (const { value, range } of flow.nodes) {
      const title = value!.get('data')!.get('title')!;
      assert.equal(text.slice(title.range.start, title.range.end), title.text());
      assert.match(text.slice(range.start, range.end), /^- data:/);
    }
    const viewport = flow.root!.get('workflow')!.get('graph')!.get('viewport')!.get('zoom')!;
    assert.equal(text.slice(viewport.range.start, viewport.range.end), '1');
    assert.equal(viewport.range.start, text.lastIndexOf('zoom: 1') + 6);
  });

  it('cuts every item out and nothing else', () => {
    const text = largeFlow(20);
    const { frame, nodes, edges } = splitFlow(text);
    assert.equal(nodes.length, 20);
    assert.equal(edges.length, 19);
    assert.equal(
      frame.length + [...nodes, ...edges].reduce((sum, piece) => sum + piece.text.length, 0),
      text.length,
    );
    for (const piece of [...nodes, ...edges]) {
      assert.equal(text.slice(piece.start, piece.start + piece.text.length), piece.text);
    }
  });

  it('reads other ways of writing: flow style, indented lists, comments, Windows line ends, a byte order mark', () => {
    const plain = flowText();
    const json = JSON.stringify({
      ...{ app: { mode: 'workflow', name: 'x' }, version: '0.7.0' },
      workflow: { graph: { nodes: plainNodes().map(({ id, ...data }) => ({ id, data })), edges: [] } },
    });
    const indented = plain
      .replace(/^ {4}(?=edges:|nodes:)/gm, '    ')
      .replace(/^ {4}(- |  )(?!edges|nodes|viewport)/gm, '      $1');
    const commented = plain.replace('    nodes:\n', '    nodes: # all of them\n# between\n');
    const forms = [json, indented, commented, plain.replaceAll('\n', '\r\n'), `\u{feff}${plain}`];
    for (const text of forms) {
      const flow = readFlow(text);
      assert.deepEqual(
        flow.nodes.map(({ id }) => id),
        ['start', 'llm', 'end'],
        text.slice(0, 60),
      );
      assert.deepEqual(
        flow.nodes.map(({ title }) => title),
        ['Start', 'Write', 'End'],
      );
      assert.deepEqual(flow.frameProblems, []);
    }
  });

  it('takes what has not changed from the reading before', () => {
    const before = readFlow(largeFlow(5));
    for (const node of before.nodes) assert.ok(node.value);
    const after = readFlow(
      largeFlow(5, (n) => (n === 3 ? 'Other.' : `Do step ${n}. `.repeat(30))),
      before,
    );
    assert.deepEqual(
      after.nodes.map(({ isParsed }) => isParsed),
      [true, true, true, false, true],
    );
    // Positions refer to the new text.
    const last = after.nodes[4]!.data!.get('title')!;
    assert.equal(after.text.slice(last.range.start, last.range.end), 'Step 4');
  });

  it('finds the variables that a node uses', () => {
    const flow = readFlow(flowText());
    const used = flow.nodes.flatMap((node) =>
      referencesOf(node).map(({ node: id, variable }) => `${id}.${variable}`),
    );
    assert.deepEqual(used, ['start.topic', 'llm.text']);
  });

  it('reads variables, and skips those without a name', () => {
    const environment = [
      { id: 'v1', name: 'KEY', value_type: 'secret', value: '' },
      { id: 'v2' },
      'x' as never,
    ];
    const [variable, ...others] = variablesOf(readFlow(flowText({ environment })), 'environment');
    assert.deepEqual(others, []);
    assert.deepEqual([variable?.id, variable?.name, variable?.type], ['v1', 'KEY', 'secret']);
  });

  it('gives what can be read of anything', () => {
    for (const text of [
      '',
      'just text',
      '[',
      'a: [',
      '- a',
      'workflow:\n  graph:\n    nodes:\n    - ',
      '\0',
      '&a *a',
      '? ? ?',
    ])
      assert.doesNotThrow(() => readFlow(text).nodes.map(({ id, title, type }) => [id, title, type]), text);
  });

  it('refuses depth and size that would stop the editor', () => {
    assert.equal(readFlow('['.repeat(100_000)).frame.refused, 'depth');
    assert.equal(readFlow('- '.repeat(1000)).frame.refused, 'depth');
    assert.equal(readFlow(`app:\n  description: ${'a'.repeat(500_000)}`).frame.refused, 'size');
    const bomb = [
      'a: &a [x, x]',
      ...Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n ? `b${n - 1}` : 'a'}, *a]`),
    ];
    assert.equal(readFlow(bomb.join('\n')).root?.get('b29')?.canonical(), '[*b28,*a]');
  });
});
