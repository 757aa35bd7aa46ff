import assert from 'node:assert/strict';
import { readCall } from '../../../../src/chat/calls/readCall.ts';

const read = (text: string) => readCall({ id: 'call', name: 'tool', arguments: text }, false, () => 'id');

describe('chat: the arguments of a call', () => {
  it('are repaired where nothing of them is guessed', async () => {
    for (const text of ["{'path': 'a.ts',}", '```json\n{"path": "a.ts"}\n```']) {
      assert.deepEqual((await read(text)).input, { path: 'a.ts' }, text);
    }
  });

  it('are not repaired where a repair would leave something out or make something up', async () => {
    for (const text of ['{"path": "a.ts" /* or b.ts */}', '{"path": "a.ts"', '{"path": "a.ts", "line": }']) {
      const { input, problem } = await read(text);
      assert.deepEqual(input, {}, text);
      assert.match(problem ?? '', /not valid JSON/);
    }
  });
});
