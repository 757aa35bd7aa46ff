import type { Conversation } from '../conversation/conversation.ts';
import type { ChatEvent } from '../store/events.ts';
import type { InstructionSource } from '../prompt/promptSource.ts';
import { fitInstructions, mostInstructionBytes } from './sentInstructions.ts';

/** Instruction files for the system text, if due: at the start, after a summary, and after one was toggled. */
export async function readInstructions(
  { instructionsRead: known }: Conversation,
  source: InstructionSource,
): Promise<(ChatEvent & { type: 'instructionsRead' }) | undefined> {
  const off = source.off().toSorted();
  const isCurrent = known && !known.isStale && known.off.join('\n') === off.join('\n');
  if (isCurrent) return undefined;
  const files = await source.ofWorkspace();
  const kept = files.filter(({ path }) => !off.includes(path));
  if (!known && kept.length === 0 && off.length === 0) return undefined;
  return {
    type: 'instructionsRead',
    files: fitInstructions(kept, mostInstructionBytes),
    ...(off.length > 0 && { off }),
  };
}
