import assert from 'node:assert/strict';
import { ofUser } from '../../../src/settings/settingLayers.ts';

describe('ofUser', () => {
  it('leaves a workspace no say', () => {
    assert.equal(ofUser(false, { defaultValue: true, workspaceValue: false }), true);
    assert.equal(ofUser(false, { defaultValue: true, workspaceFolderValue: false }), true);
    assert.equal(ofUser(true, { defaultValue: true, globalValue: false, workspaceValue: true }), false);
  });

  it('takes what the user or a policy says', () => {
    assert.equal(ofUser(false, { defaultValue: true, globalValue: false }), false);
    assert.equal(ofUser(false, { defaultValue: true }), false);
    assert.equal(ofUser(true, undefined), true);
  });
});
