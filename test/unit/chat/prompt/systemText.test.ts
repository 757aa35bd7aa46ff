import assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { systemText } from '../../../../src/chat/prompt/systemText.ts';
import { flowTools } from '../../../../src/tools/allTools.ts';
import type { WorkflowAccess } from '../../../../src/tools/flows/workflowTools.ts';
import { type OwnToolName, ownToolNames, workflowToolNames } from '../../../../src/tools/ownToolNames.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { toChatBody } from '../../../../src/relay/protocols/chatRequest.ts';
import { ownDefinitions } from '../../../support/ownDefinitions.ts';

const isOfWorkflows = (name: OwnToolName) => workflowToolNames.some((each) => each === name);

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
    const usual = ownToolNames.filter((name) => !isOfWorkflows(name));
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), usual.toSorted());
    const text = systemText(tools.map(({ name }) => name));
    const own = encode(text).length;
    assert.ok(own >= 500 && own <= 900, `${own} tokens`);
    const { tools: sent } = toChatBody({ model: 'm', messages: [], tools, stream: true });
    const all = own + encode(JSON.stringify(sent)).length;
    assert.ok(all <= 2500, `${all} tokens`);
    const { tools: more } = toChatBody({
      ...{ model: 'm', messages: [], stream: true },
      tools: new ToolSet(flowTools({} as WorkflowAccess)).definitions,
    });
    const ofWorkflows = encode(JSON.stringify(more)).length;
    assert.ok(ofWorkflows <= 400, `${ofWorkflows} tokens`);
  });
});
