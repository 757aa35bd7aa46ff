import type { InstructionFile } from '../instructions/instructionFiles.ts';
import { instructionsText, type SentInstructions } from '../instructions/sentInstructions.ts';
import type { SeenFiles } from './editorFacts.ts';

export interface InstructionSource {
  ofWorkspace(): Promise<readonly InstructionFile[]>;
  of(paths: readonly string[]): Promise<readonly InstructionFile[]>;
  off(): readonly string[];
}

export interface PromptSource {
  /** Always the same for the same tools. */
  systemText(toolNames: readonly string[]): string;
  /** Current editor facts, one per line. Never throws. */
  facts(seen: SeenFiles): Promise<readonly string[]>;
  instructions: InstructionSource;
}

/** Most stable parts first, for the prompt cache. */
export function joinSystemText(own: string, users: string, files: readonly SentInstructions[]): string {
  const parts = [
    own,
    users.trim() && `# What the user asks for in every conversation\n${users.trim()}`,
    files.length > 0 && `# Instructions of the project\n${instructionsText(files)}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}
