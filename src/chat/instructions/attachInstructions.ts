import type { ToolBox } from '../calls/toolBox.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { InstructionFile } from './instructionFiles.ts';
import {
  type AttachedInstructions,
  fitInstructions,
  instructionsText,
  mostInstructionBytes,
} from './sentInstructions.ts';
import type { ChatEvent } from '../store/events.ts';
import type { InstructionSource } from '../prompt/promptSource.ts';
import { sha256 } from '../../base/sha256.ts';

/** Bounds the paths taken from one result, as a search may name hundreds. */
const mostPlaces = 20;

/** Attaches each file once per conversation, as sent messages can't change. */
export function attachInstructions(
  tools: ToolBox,
  conversation: Conversation,
  find: (paths: readonly string[]) => Promise<readonly InstructionFile[]>,
): ToolBox {
  /** Attached but not recorded yet: reads run in parallel. */
  const onTheWay: AttachedInstructions[] = [];
  const known = () => [
    ...conversation.instructions.map(({ path, text }) => toAttached({ path, text }, text)),
    ...conversation.attachedInstructions,
    ...onTheWay,
  ];
  return {
    ...tools,
    prepare(call) {
      const ready = tools.prepare(call);
      if ('problem' in ready) return ready;
      return {
        ...ready,
        async run(...args) {
          const outcome = await ready.run(...args);
          const paths = [...new Set(outcome.locations?.map(({ path }) => path))].slice(0, mostPlaces);
          if (outcome.state !== 'done' || paths.length === 0) return outcome;
          const found = await find(paths).catch(() => []);
          const before = known();
          const fresh = found.filter(
            (file) => !before.some(({ path, hash }) => path === file.path || hash === shortHash(file.text)),
          );
          if (fresh.length === 0) return outcome;
          // Counts a result recorded meanwhile twice, which is on the safe side.
          const used = before.reduce((sum, { bytes }) => sum + bytes, 0);
          const sent = fitInstructions(fresh, Math.max(0, mostInstructionBytes - used));
          const instructions = sent.map((each, index) => toAttached(fresh[index]!, each.text));
          onTheWay.push(...instructions);
          return { ...outcome, content: `${outcome.content}\n\n${instructionsText(sent)}`, instructions };
        },
      };
    },
  };
}

function toAttached({ path, text }: InstructionFile, sent: string): AttachedInstructions {
  return { path, bytes: Buffer.byteLength(sent), hash: shortHash(text) };
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 16);
}

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
