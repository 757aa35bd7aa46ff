import type { InstructionFile } from '../instructions/instructionFiles.ts';
import { instructionsText, type SentInstructions } from '../instructions/sentInstructions.ts';
import type { SeenFiles } from './editorFacts.ts';

/** The project's instruction files. None of the methods throws. */
export interface InstructionSource {
  /** Those for everything. */
  ofWorkspace(): Promise<readonly InstructionFile[]>;
  /** Those for the files at these paths. */
  of(paths: readonly string[]): Promise<readonly InstructionFile[]>;
  /** Paths of those that the user switched off. */
  off(): readonly string[];
}

/** What models are told beside what is said in a conversation. Met in `src/host`; loaded with the first turn. */
export interface PromptSource {
  /** Our own text, the same for the same tools. */
  systemText(toolNames: readonly string[]): string;
  /** What is true of the editor now, a line each. Never throws. */
  facts(seen: SeenFiles): Promise<readonly string[]>;
  instructions: InstructionSource;
}

/** The system text: what stays longest comes first. */
export function joinSystemText(own: string, users: string, files: readonly SentInstructions[]): string {
  const parts = [
    own,
    users.trim() && `# What the user asks for in every conversation\n${users.trim()}`,
    files.length > 0 && `# Instructions of the project\n${instructionsText(files)}`,
  ];
  return parts.filter(Boolean).join('\n\n');
}
