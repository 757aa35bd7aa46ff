import { builtInMode, isBuiltInModeId, missingMode, type Modes } from '../../src/chat/modes/mode.ts';
import { keyOf, type GrantedTool, type Permissions } from '../../src/chat/calls/grants.ts';

export function builtInModes(defaultId = 'agent'): Modes {
  return {
    defaultId: () => defaultId,
    load: async () => {},
    find: (id) => (isBuiltInModeId(id) ? builtInMode(id) : missingMode(id)),
  };
}

export function asAgent(): Permissions {
  const granted = new Map<string, GrantedTool>();
  return {
    ...{ mode: builtInMode('agent'), approvals: 'askFirst', granted },
    allow(allowance) {
      if (allowance === 'edits') Object.assign(this, { approvals: 'editsAllowed' });
      else granted.set(keyOf(allowance), allowance);
    },
  };
}
