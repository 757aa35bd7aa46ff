import assert from 'node:assert/strict';
import { readFlow } from '../../../src/flows/dsl/readFlow.ts';
import { hashOfDsl } from '../../../src/flows/flowState.ts';
import { nodeFailureText } from '../../../src/flows/nodeFailure.ts';
import { changesSinceRun, publishedState } from '../../../src/flows/publishedVersion.ts';
import { flowText } from '../../support/flowText.ts';

const text = flowText();
const changed = text.replace('gpt-4o', 'claude');
const synced = { file: hashOfDsl(text), platform: hashOfDsl(text) };

describe('a flow that ran', () => {
  it('is the published version: the file is compared with it once it is known', () => {
    assert.equal(publishedState(text, synced), 'unknown', 'a draft may not be published');
    assert.equal(publishedState(changed, synced), 'different', 'never pushed');
    assert.equal(publishedState(changed, synced, changed), 'same');
    assert.equal(publishedState(text, synced, changed), 'different');
    assert.equal(publishedState(text.replaceAll('\n', '\r\n'), synced, text), 'same');
  });

  it('differs from the file in these nodes', () => {
    const { lines, nodes } = changesSinceRun(text, readFlow(changed));
    assert.deepEqual(lines, ['LLM "Write": model gpt-4o → claude']);
    assert.deepEqual([...nodes], ['llm']);
    assert.deepEqual(changesSinceRun(text, readFlow(text)), { lines: [], nodes: new Set() });
  });

  it('is told to the model with what failed, without secrets', () => {
    const node = { id: 'check', type: 'code', title: 'Check "it"' };
    const all = nodeFailureText({
      ...{ path: 'flows/a.yml', node, error: 'ValueError: odd', isChanged: true },
      inputs: '{"topic":"tides","key":"ghp_abcdefghijklmnopqrstuvwxyz0123456789"}',
    });
    assert.match(all, /id "check", type "code", title "Check \\"it\\""/);
    assert.match(all, /Error:\nValueError: odd\n/);
    assert.match(all, /"topic":"tides"/);
    assert.doesNotMatch(all, /ghp_/);
    assert.match(all, /has changed since/);
    const none = nodeFailureText({
      ...{ path: 'a.yml', node, error: undefined, inputs: undefined, isChanged: false },
    });
    assert.match(none, /Not reported by a run with the sign-in/);
    assert.doesNotMatch(none, /has changed since/);
  });
});
