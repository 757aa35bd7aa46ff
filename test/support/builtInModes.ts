import {
  builtInMode,
  isBuiltInModeId,
  missingMode,
  type Modes,
  type Permissions,
} from '../../src/chat/modes/mode.ts';

/** The modes of a workspace whose project describes none. */
export function builtInModes(defaultId = 'agent'): Modes {
  return {
    defaultId: () => defaultId,
    load: async () => {},
    find: (id) => (isBuiltInModeId(id) ? builtInMode(id) : missingMode(id)),
  };
}

/** An agent whose edits are asked for. */
export function asAgent(): Permissions {
  return { mode: builtInMode('agent'), approvals: 'askFirst' };
}
