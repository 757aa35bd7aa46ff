import assert from 'node:assert/strict';
import { grantsOf, titleOf } from '../../../../src/chat/calls/grantLabels.ts';
import { allowanceOf, keyOf, type Allowance, type GrantedTool } from '../../../../src/chat/calls/grants.ts';
import { asAgent } from '../../../support/builtInModes.ts';

const tides = (owner: string): GrantedTool => ({ name: 'tides', key: `${owner}/tides`, title: 'Tides' });

describe('chat: what is allowed in a conversation', () => {
  it('is listed by what it holds for, and each is revoked by itself', () => {
    const tools = [tides('harbour.one'), tides('harbour.two'), { name: 'read_file' }];
    const granted = new Map(tools.map((tool) => [keyOf(tool), tool]));
    const revoked: Allowance[] = [];
    const grants = (approvals: 'askFirst' | 'editsAllowed') =>
      grantsOf({
        permissions: { ...asAgent(), approvals, granted },
        revoke: (allowance) => void revoked.push(allowance),
      });
    const listed = grants('askFirst');
    const keys = listed.map(({ description }) => description);
    assert.deepEqual(keys, ['harbour.one/tides', 'harbour.two/tides', 'read_file']);
    for (const grant of [...grants('editsAllowed').slice(0, 1), ...listed]) grant.revoke();
    assert.deepEqual(revoked, ['edits', ...tools]);
  });

  it('keeps of a tool of another extension whose it is and how it is called', () => {
    const tool = tides('harbour.one');
    assert.deepEqual(allowanceOf({ ...tool, risk: 'external' }, undefined), tool);
  });

  it('shows a tool by its name where it is not one of ours, however it is named', () => {
    assert.equal(titleOf({ name: 'constructor' }), 'constructor');
  });
});
