import assert from 'node:assert/strict';
import { callTexts, isSeenWhole } from '../../../../src/chat/calls/callTexts.ts';
import type { Proposal } from '../../../../src/tools/tool.ts';

const textOf = (name: string, value: unknown) => callTexts({ name: 'tool', input: { [name]: value } })[0];

describe('chat: the texts of a call', () => {
  it('keep the words of a command and the items of a list apart', () => {
    assert.equal(textOf('command', ['rm', '-rf', 'a b', ''])?.value, 'rm -rf "a b" ""');
    assert.deepEqual(textOf('paths', ['a', 'b']), { name: 'paths', value: 'a\nb', kind: 'list' });
    for (const value of [
      ['a\nb', 'c'],
      ['a\rb', 'c'],
      ['a', { b: 'c' }],
    ]) {
      const text = JSON.stringify(value, null, 2);
      assert.deepEqual(textOf('paths', value), { name: 'paths', value: text });
      assert.deepEqual(textOf('command', ['a', { b: 'c' }])?.kind, undefined);
    }
  });

  it('are seen at once up to twenty lines, the names among them', () => {
    const lines = (count: number) => ({ id: 'call', name: 'tool', input: { a: 'x\n'.repeat(count) } });
    assert.equal(isSeenWhole(lines(19)), true);
    assert.equal(isSeenWhole(lines(20)), false);
  });

  it('are not seen at once where one of several paths is too long', () => {
    const files = ['a.ts', 'b'.repeat(1000)].map((path) => ({ path }));
    const proposal = { files } as unknown as Proposal;
    assert.equal(isSeenWhole({ id: 'call', name: 'edit_files', input: {}, proposal }), false);
  });
});
