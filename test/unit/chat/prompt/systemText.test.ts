import assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { systemText } from '../../../../src/chat/prompt/systemText.ts';
import { ownToolNames } from '../../../../src/tools/ownToolNames.ts';
import { toChatBody } from '../../../../src/relay/protocols/chatRequest.ts';
import { ownDefinitions } from '../../../support/ownDefinitions.ts';

describe('chat/systemText', () => {
  it('has a sentence about a tool only if that tool is sent', () => {
    const without = systemText([]);
    for (const name of ownToolNames) {
      assert.ok(!without.includes(name), name);
      const others = ownToolNames.filter((other) => other !== name);
      assert.ok(!systemText(others).includes(name), name);
    }
    assert.match(systemText(['edit_file', 'run_command']), /check: run_command for the tests/);
    assert.match(without, /cannot change files here/);
    assert.doesNotMatch(systemText(['edit_file']), /cannot change files here/);
  });

  it('is the same for the same tools, and has nothing in it that changes from day to day', () => {
    const text = systemText(ownToolNames);
    assert.equal(systemText([...ownToolNames]), text);
    assert.doesNotMatch(text, /\b20\d\d\b/);
  });

  it('takes 500 to 900 tokens, and with all tools at most 2,500', () => {
    const tools = ownDefinitions();
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), [...ownToolNames].toSorted());
    const text = systemText(tools.map(({ name }) => name));
    const own = encode(text).length;
    assert.ok(own >= 500 && own <= 900, `${own} tokens`);
    const { tools: sent } = toChatBody({ model: 'm', messages: [], tools, stream: true });
    const all = own + encode(JSON.stringify(sent)).length;
    assert.ok(all <= 2500, `${all} tokens`);
  });
});
