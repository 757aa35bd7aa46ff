import { frame } from '../../base/frame.ts';
import { alignToCharacter } from '../../tools/truncate.ts';
import type { InstructionFile } from './instructionFiles.ts';

/** An instruction file as it is sent: cut where there was no more room. */
export interface SentInstructions extends InstructionFile {
  /** Bytes of the whole file; absent if it is all there. */
  cutFrom?: number | undefined;
}

/** What is remembered of an instruction file that went with a result, which has its text. */
export interface AttachedInstructions {
  path: string;
  /** As sent. */
  bytes: number;
  /** Of the whole text, to tell copies. */
  hash: string;
}

/** For all files together, as Codex has it. */
export const mostInstructionBytes = 32 * 1024;
/** Less than this of a file says nothing. */
const fewBytes = 500;

/** As much of the files as there is room for; each that is cut, or left out, says so. */
export function fitInstructions(files: readonly InstructionFile[], room: number): SentInstructions[] {
  let left = room;
  return files.map(({ path, text }) => {
    const bytes = Buffer.byteLength(text);
    if (bytes <= left) {
      left -= bytes;
      return { path, text };
    }
    const head = left < fewBytes ? '' : headOf(text, left);
    left = 0;
    return { path, text: head, cutFrom: bytes };
  });
}

/** As models read them, each in a frame of its own. */
export function instructionsText(files: readonly SentInstructions[]): string {
  return files.map(toFrame).join('\n\n');
}

function toFrame({ path, text, cutFrom }: SentInstructions): string {
  const note = `[${text ? 'Cut here' : 'Left out'}, since instructions take at most 32 KiB: the file has ${cutFrom} bytes. Read ${path} for the rest.]`;
  const body = cutFrom === undefined ? text : [text, note].filter(Boolean).join('\n');
  return frame({ kind: 'instructions', facts: { path }, body });
}

/** Whole lines, of at most so many bytes. */
function headOf(text: string, bytes: number): string {
  let head = text.slice(0, alignToCharacter(text, bytes));
  while (Buffer.byteLength(head) > bytes)
    head = head.slice(0, alignToCharacter(head, head.length - 1 - (Buffer.byteLength(head) - bytes) / 4));
  const end = head.lastIndexOf('\n');
  return end > 0 ? head.slice(0, end) : head;
}
