import assert from 'node:assert/strict';
import { readFlow } from '../../../src/flows/dsl/readFlow.ts';
import { flowProblems, type WorkspaceContents } from '../../../src/flows/flowProblems.ts';
import { brokenFlows } from '../../support/brokenFlows.ts';
import { flowText, modelNode, plainNodes } from '../../support/flowText.ts';

function problems(text: string, workspace?: WorkspaceContents): string[] {
  return [...flowProblems(readFlow(text), workspace)].map(
    ({ start, end, message }) => `${text.slice(start, end).split('\n', 1)[0]!.slice(0, 30)} | ${message}`,
  );
}

const withNode = (node: Record<string, unknown>) => flowText({ nodes: [...plainNodes(), node] });

describe('problems of a DSL file', () => {
  it('has nothing to say of an export', () => {
    assert.deepEqual(problems(flowText()), []);
    const chatflow = flowText({
      app: { mode: 'advanced-chat' },
      nodes: [
        { id: 's', type: 'start', title: 'Start', variables: [] },
        modelNode('m', 'Say', '{{#sys.query#}} {{#env.KEY#}} {{#conversation.mood#}} {{#s.sys.query#}}'),
        { id: 'a', type: 'answer', title: 'Answer', answer: '{{#m.text#}}' },
        { id: 'h', type: 'human-input', title: 'Ask', form_content: '{{#$output.reason#}}' },
        {
          id: 'h2',
          type: 'tool',
          title: 'T',
          tool_parameters: { q: { type: 'mixed', value: '{{#h.reason#}}' } },
        },
      ],
      edges: [
        ['s', 'm'],
        ['m', 'a'],
      ],
      environment: [{ id: 'e', name: 'KEY', value_type: 'secret', value: '' }],
      conversation: [{ id: 'c', name: 'mood', value_type: 'string', value: '' }],
    });
    assert.deepEqual(problems(chatflow), []);
  });

  for (const [what, text, expected] of brokenFlows) {
    it(`finds ${what}, once`, () => {
      const found = problems(text).filter((problem) => expected.test(problem));
      assert.equal(found.length, 1, problems(text).join('\n'));
    });
  }

  it('finds a knowledge base that the connection does not have, and leaves encrypted ids alone', () => {
    const own = '11111111-1111-4111-8111-111111111111';
    const other = '22222222-2222-4222-8222-222222222222';
    const text = withNode({
      id: 'k',
      type: 'knowledge-retrieval',
      title: 'K',
      dataset_ids: [own, other, 'x9Yz/Q=='],
    });
    assert.deepEqual(problems(text), []);
    const found = problems(text, { datasets: new Set([own]) });
    assert.equal(found.length, 1);
    assert.match(found[0]!, /^22222222-.* \| No knowledge base of this connection has the id 22222222-/);
  });

  it('finds a plugin that the platform reported missing', () => {
    const text = flowText({
      dependencies: [{ type: 'marketplace', value: { marketplace_plugin_unique_identifier: 'a/b:1.0@f0' } }],
    });
    assert.deepEqual(problems(text, { missingPlugins: new Set(['c/d']) }), []);
    assert.match(
      problems(text, { missingPlugins: new Set(['a/b']) })[0]!,
      /^a\/b:1.0@f0 \| The platform does not have/,
    );
  });

  it('tells what the platform found, at its node', () => {
    const issues = [
      { message: 'No such model.', severity: 'error' as const, nodeId: 'llm' },
      { message: 'Nothing at all.', severity: 'warning' as const },
    ];
    assert.deepEqual(problems(flowText(), { issues }), [
      'Write | The platform: No such model.',
      'workflow | The platform: Nothing at all.',
    ]);
  });

  it('says nothing of what an alias hides', () => {
    const text = flowText().replace('      selected: false\n', '      <<: *base\n');
    assert.deepEqual(problems(text), []);
  });
});
