import assert from 'node:assert/strict';
import { knowledgeServer } from '../../../src/clients/knowledgeServer.ts';

describe('the server of knowledge in files of programs', () => {
  const runtime = { execPath: '/opt/editor', isElectron: true };

  it("is run by the program's own node", () => {
    assert.deepEqual(knowledgeServer('/s.mjs', 'id', runtime, true), {
      name: 'switchboard-knowledge',
      command: 'node',
      args: ['/s.mjs', 'id'],
    });
  });

  it("is run by the editor's runtime where there is none, told to be Node where it is not", () => {
    assert.deepEqual(knowledgeServer('/s.mjs', 'id', runtime, false), {
      name: 'switchboard-knowledge',
      command: '/opt/editor',
      args: ['/s.mjs', 'id'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    assert.equal(knowledgeServer('/s.mjs', 'id', { ...runtime, isElectron: false }, false).env, undefined);
  });
});
