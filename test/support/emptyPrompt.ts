import type { PromptSource } from '../../src/chat/prompt/promptSource.ts';

export const emptyPrompt: PromptSource = {
  systemText: () => '',
  facts: async () => [],
  instructions: { ofWorkspace: async () => [], of: async () => [], off: () => [] },
};
