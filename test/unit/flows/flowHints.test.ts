import assert from 'node:assert/strict';
import { readFlow } from '../../../src/flows/dsl/readFlow.ts';
import { flowCompletions, flowHover } from '../../../src/flows/flowHints.ts';
import { flowText, modelNode, plainNodes } from '../../support/flowText.ts';

/** Completions at `|`, as the line reads after each. */
function completions(text: string): string[] {
  const offset = text.indexOf('|');
  assert.ok(offset >= 0);
  const plain = text.replace('|', '');
  return flowCompletions(readFlow(plain), offset)
    .map(({ text: insert, range }) => plain.slice(0, range.start) + insert + plain.slice(range.end))
    .map((changed) =>
      changed
        .slice(changed.lastIndexOf('\n', offset) + 1)
        .split('\n', 1)[0]!
        .trim(),
    );
}

describe('completion and hovers in a DSL file', () => {
  const environment = [{ id: 'k', name: 'KEY', value_type: 'secret', value: '' }];
  const withPrompt = (prompt: string) =>
    flowText({ environment, nodes: [...plainNodes(), modelNode('m', 'More', prompt)] });

  it('offers the variables of the flow in a text, and closes them', () => {
    const found = completions(withPrompt('x {{#|').replace("'x {{#|'", 'x {{#|'));
    const names = found.map((line) => /\{\{#(.*)#\}\}/.exec(line)?.[1]);
    assert.deepEqual(names, ['start.topic', 'llm.text', 'm.text', 'env.KEY']);
    const closed = completions(withPrompt('x {{#sta|#}} y'));
    assert.match(closed[0]!, /x \{\{#start\.topic#\}\} y/);
  });

  it('offers the nodes for an end of an edge', () => {
    assert.deepEqual(completions(flowText().replace('target: end', 'target: |')), [
      'target: start',
      'target: llm',
      'target: end',
    ]);
  });

  it('offers node types for a node alone', () => {
    const types = completions(flowText().replace('type: llm', 'type: ll|'));
    assert.ok(types.includes('type: knowledge-retrieval'));
    assert.deepEqual(completions(flowText().replace('type: text-input', 'type: |')), []);
    assert.deepEqual(completions(flowText().replace('icon_type: emoji', 'icon_type: |')), []);
  });

  it('names the node of an id or a variable, and is silent elsewhere', () => {
    const text = flowText();
    const hover = (part: string) => flowHover(readFlow(text), text.indexOf(part) + part.length - 1)?.text;
    assert.equal(hover('{{#start.topic'), 'topic, output of Start "Start"');
    assert.equal(hover('source: llm'), 'LLM "Write"');
    assert.equal(hover('Be brief'), undefined);
    assert.equal(
      flowHover(readFlow(text.replace('{{#start', '{{#gone')), text.indexOf('{{#start') + 4),
      undefined,
    );
  });
});
