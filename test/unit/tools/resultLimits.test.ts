import assert from 'node:assert/strict';
import { readFrame } from '../../../src/base/frame.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import type { Tool } from '../../../src/tools/tool.ts';

const { signal } = new AbortController();

function resultOf(content: string): Promise<{ content: string }> {
  const tool: Tool = {
    name: 'foreign',
    description: '',
    parameters: { type: 'object' },
    risk: 'external',
    bind: () => ({ input: {}, run: async () => ({ content, isError: false }) }),
  };
  const call = new ToolSet([tool]).prepare({ name: 'foreign', input: {} });
  assert.ok(!('problem' in call));
  return call.run({ signal });
}

describe('tools: results have a limit', () => {
  for (const [name, content] of [
    ['one long line', 'x'.repeat(50_000_000)],
    ['many short lines', 'a\n'.repeat(1_000_000)],
    ['characters of several bytes', '潮'.repeat(90_000)],
  ] as const) {
    it(`also of tools of others: ${name}`, async () => {
      const { content: given } = await resultOf(content);
      assert.ok(Buffer.byteLength(given) < 101_000, String(given.length));
      assert.match(given, /\n\[The result was too long and is cut here\. Ask for less at a time\.\]$/);
    });
  }

  it('are handed on as they are within it', async () => {
    for (const content of ['', 'a', 'a\n', 'line\n'.repeat(4000)]) {
      const { content: given } = await resultOf(content);
      const { body, end } = readFrame(given) ?? assert.fail();
      assert.deepEqual([body, end], [content, given.length]);
    }
  });
});
