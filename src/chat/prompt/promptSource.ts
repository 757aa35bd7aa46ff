import type { SeenFiles } from './editorFacts.ts';

/** What models are told beside what is said in a conversation. Met in `src/host`; loaded with the first turn. */
export interface PromptSource {
  /** Our own text, the same for the same tools. */
  systemText(toolNames: readonly string[]): string;
  /** What is true of the editor now, a line each. Never throws. */
  facts(seen: SeenFiles): Promise<readonly string[]>;
}

/** The parts of the system text with a blank line between them; empty where there is none. */
export function joinSystemText(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
}
