import type { PromptSource } from '../chat/prompt/promptSource.ts';
import { systemText } from '../chat/prompt/systemText.ts';

/** What models are told in this window; loaded with the first turn. */
export function createPrompt(): PromptSource {
  return { systemText };
}
