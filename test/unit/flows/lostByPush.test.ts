import assert from 'node:assert/strict';
import { readFlow } from '../../../src/flows/dsl/readFlow.ts';
import { firstLostText } from '../../../src/flows/lostByPush.ts';
import { flowText, modelNode, plainNodes } from '../../support/flowText.ts';

/** The text that a push and a pull lose. */
function lost(text: string): string | undefined {
  const range = firstLostText(readFlow(text));
  return range && text.slice(range.start, range.end);
}

describe('what a push loses of a DSL file', () => {
  it('is nothing of an export, whatever its prompts and code look like', () => {
    const prompt = 'Intro\n\n# Heading\n\n  # indented #1\nend # not a comment';
    const text = flowText({
      nodes: [...plainNodes(), modelNode('m', 'M # 1', prompt)],
      environment: [{ id: 'e', name: 'E', value_type: 'string', value: 'a\n# b' }],
    });
    assert.match(text, /^\s*# Heading$/m);
    assert.equal(lost(text), undefined);
    const block = text.replace(/text: Be brief\./, 'text: |\n            # Heading\n            Be brief.');
    assert.match(block, /^ +# Heading\n +Be brief/m);
    assert.equal(lost(block), undefined);
  });

  it('is a comment, before the file, in a node, behind a value', () => {
    const text = flowText();
    assert.equal(lost(`# by hand\n${text}`), '# by hand');
    assert.equal(lost(text.replace('title: Write', 'title: Write # mine')), '# mine');
    assert.equal(lost(text.replace('kind: app\n', 'kind: app\n# between\n')), '# between');
    assert.equal(lost(text.replace(/(\n +)title: Write/, '$1# in the node$1title: Write')), '# in the node');
    const prompt = flowText({ nodes: [...plainNodes(), modelNode('m', 'M', 'a\n# b')] });
    assert.equal(lost(`${prompt}# at the end\n`), '# at the end');
  });

  it('is the order of keys that was made by hand', () => {
    const text = flowText();
    assert.equal(
      lost(text.replace(/^(app:\n(?: .*\n)+)/m, '').concat(/^app:\n(?: .*\n)+/m.exec(text)![0])),
      'app',
    );
    assert.equal(lost(text.replace(/^( +)(height: 90\n) +(id: llm\n)/m, '$1$3$1$2')), 'height');
    assert.equal(lost(text.replace(/^( +)(source: llm\n) +(sourceHandle: source\n)/m, '$1$3$1$2')), 'source');
  });
});
