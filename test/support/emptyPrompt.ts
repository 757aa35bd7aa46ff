import type { PromptSource } from '../../src/chat/prompt/promptSource.ts';

/** Nothing is told beside the conversation. */
export const emptyPrompt: PromptSource = {
  systemText: () => '',
  facts: async () => [],
  instructions: { ofWorkspace: async () => [], of: async () => [], off: () => [] },
};
