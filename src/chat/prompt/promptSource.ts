/** What models are told beside what is said in a conversation. Met in `src/host`; loaded with the first turn. */
export interface PromptSource {
  /** Our own text, the same for the same tools. */
  systemText(toolNames: readonly string[]): string;
}

/** The parts of the system text with a blank line between them; empty where there is none. */
export function joinSystemText(...parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
}
