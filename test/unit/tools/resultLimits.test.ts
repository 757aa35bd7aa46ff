import assert from 'node:assert/strict';
import { readFrame } from '../../../src/base/text/frame.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { ToolFailure } from '../../../src/tools/toolFailure.ts';

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

  it('also where they say that a call failed, and repeat what it was given', async () => {
    const tool: Tool = {
      ...{ name: 'own', description: '', parameters: { type: 'object' }, risk: 'read' },
      bind: () => ({
        input: {},
        run: async () => {
          throw new ToolFailure(`There is no ${'x'.repeat(1_000_000)}.`);
        },
      }),
    };
    const call = new ToolSet([tool]).prepare({ name: 'own', input: {} });
    assert.ok(!('problem' in call));
    const { content, isError } = await call.run({ signal });
    assert.ok(isError && content.length < 101_000, String(content.length));
  });

  it('are handed on as they are within it', async () => {
    for (const content of ['', 'a', 'a\n', 'line\n'.repeat(4000)]) {
      const { content: given } = await resultOf(content);
      const { body, end } = readFrame(given) ?? assert.fail();
      assert.deepEqual([body, end], [content, given.length]);
    }
  });
});
