import { frame } from '../../base/text/frame.ts';
import { alignToCharacter } from '../../tools/files/truncate.ts';
import type { InstructionFile } from './instructionFiles.ts';

export interface SentInstructions extends InstructionFile {
  /** Size of the whole file in bytes, if truncated. */
  cutFrom?: number | undefined;
}

export interface AttachedInstructions {
  path: string;
  bytes: number;
  /** Hash of the whole text, to detect copies. */
  hash: string;
}

/** Limit of all files together, the same as in Codex. */
export const mostInstructionBytes = 32 * 1024;
const fewBytes = 500;

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

export function instructionsText(files: readonly SentInstructions[]): string {
  return files.map(toFrame).join('\n\n');
}

function toFrame({ path, text, cutFrom }: SentInstructions): string {
  const note = `[${text ? 'Cut here' : 'Left out'}, since instructions take at most 32 KiB: the file has ${cutFrom} bytes. Read ${path} for the rest.]`;
  const body = cutFrom === undefined ? text : [text, note].filter(Boolean).join('\n');
  return frame({ kind: 'instructions', facts: { path }, body });
}

function headOf(text: string, bytes: number): string {
  let head = text.slice(0, alignToCharacter(text, bytes));
  while (Buffer.byteLength(head) > bytes)
    head = head.slice(0, alignToCharacter(head, head.length - 1 - (Buffer.byteLength(head) - bytes) / 4));
  const end = head.lastIndexOf('\n');
  return end > 0 ? head.slice(0, end) : head;
}
