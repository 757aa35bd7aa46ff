import assert from 'node:assert/strict';
import { protectionMessage } from '../../../../src/tools/policy/protectionMessage.ts';

describe('the reason for asking about a protected file', () => {
  it('says what the file can do', () => {
    for (const [protection, words] of [
      ['editor', /^This file can change editor settings or run commands/],
      ['container', /runs commands when a container is built or started/],
      ['git', /^Git can run commands from this file/],
      ['pipeline', /^Build servers run commands from this file/],
      ['package', /^Package and build tools can run code from this file/],
      ['shell', /^Programs run this file when they start/],
      ['exclusion', /^This file decides which files models can see/],
      ['instructions', /^This file gives AI assistants instructions or tools/],
      ['setting', /^This file is listed in the setting "switchboard\.tools\.protected"/],
    ] as const) {
      assert.match(protectionMessage(protection), words);
      assert.match(protectionMessage(protection), /, so each change needs your approval\.$/);
    }
  });
});
