import assert from 'node:assert/strict';
import {
  cleanCommitMessage,
  writeCommitMessage,
} from '../../../../src/chat/editorRequests/writeCommitMessage.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';

const { signal } = new AbortController();

describe('a commit message', () => {
  it('is written in one request without tools, from the changes and the style of earlier commits', async () => {
    const { ask, requests } = scriptedModel([
      { type: 'textAdded', text: 'Tell the ' },
      { type: 'textAdded', text: 'tides\n' },
      { type: 'modelFinished', reason: 'stop' },
    ]);
    const source = { changes: '+high', subjects: ['Count waves', `Use ghp_${'a1B2'.repeat(9)}`] };
    const settings = { model: 'm', stream: true };
    assert.equal(await writeCommitMessage(ask, source, settings, signal), 'Tell the tides');
    const [{ messages, ...request } = { messages: [] }] = requests;
    assert.deepEqual(request, settings);
    assert.equal(messages.length, 1);
    assert.match(messages[0]!.content, /Count waves[^]*\+high/);
    assert.doesNotMatch(messages[0]!.content, /a1B2a1B2/);
  });

  it('is freed of the code block or the quotes around it, and of nothing else', () => {
    assert.equal(cleanCommitMessage('```text\nTell tides\n\nWhy.\n```\n'), 'Tell tides\n\nWhy.');
    assert.equal(cleanCommitMessage(' "Tell tides" '), 'Tell tides');
    assert.equal(cleanCommitMessage('"Tell" tides'), '"Tell" tides');
    assert.equal(cleanCommitMessage('`a`: take `b`'), '`a`: take `b`');
  });
});
