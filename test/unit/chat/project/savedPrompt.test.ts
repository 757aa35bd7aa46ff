import assert from 'node:assert/strict';
import { readFrontMatter } from '../../../../src/base/text/frontMatter.ts';
import { promptFileText, promptNameOf } from '../../../../src/chat/project/promptFiles.ts';

describe('a message saved as a prompt', () => {
  it('is offered by its first words', () => {
    assert.equal(promptNameOf('Explain: the "tides" of today, please'), 'explain-the-tides-of');
    assert.equal(promptNameOf('解释这段代码'), '解释这段代码');
    assert.equal(promptNameOf('???'), '');
    assert.equal(promptNameOf('a'.repeat(90)).length, 40);
  });

  it('is read back word for word, whatever it begins with', async () => {
    for (const text of ['---\nagent: x\n---\nEdit', 'Say "a": b\n\\d', '/other']) {
      const { fields, body } = await readFrontMatter(promptFileText(text));
      assert.deepEqual([Object.keys(fields), body.trim()], [['description'], text]);
    }
  });
});
