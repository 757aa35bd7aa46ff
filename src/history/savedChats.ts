import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGiveWay } from '../base/giveWay.ts';
import { asText, readObject } from '../base/json.ts';
import { messageOf } from '../base/messageOf.ts';
import { isMissing } from '../base/systemCode.ts';

/** A conversation on disk, known by its beginning. */
export interface SavedChat {
  id: string;
  /** The first line of the first message, or the name of what was attached to it. */
  title: string;
  model?: string;
  updatedAtMs: number;
}

/** A conversation of which nothing could be read. */
export interface UnreadableChat {
  id: string;
  problem: string;
}

/** So much of each file is read. */
const headBytes = 4 * 1024;
/** Read at once where the beginning has no message; and of the end, where it names no model. */
const chunkBytes = 64 * 1024;
/** A title is looked for in so much of a message. */
const titleBytes = 8 * 1024;
/** A message of which the head has less is read again. */
const leastOfMessage = 1024;
const maxTitleLength = 120;
export const chatExtension = '.jsonl';

/**
 * The conversations of a folder, newest first; those without a message are left out. Reads the first kilobytes of each
 * file, and more of those that do not tell enough there. Throws when the folder cannot be read.
 */
export async function listSavedChats(
  folder: string,
): Promise<{ chats: SavedChat[]; unreadable: UnreadableChat[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const chats: SavedChat[] = [];
  const unreadable: UnreadableChat[] = [];
  const giveWay = createGiveWay();
  for (const entry of entries) {
    if (!entry.name.endsWith(chatExtension) || entry.isDirectory()) continue;
    const id = entry.name.slice(0, -chatExtension.length);
    try {
      const chat = readSavedChat(folder, id);
      if (chat) chats.push(chat);
    } catch (error) {
      if (!isMissing(error)) unreadable.push({ id, problem: messageOf(error) });
    }
    await giveWay();
  }
  return { chats: chats.toSorted((a, b) => b.updatedAtMs - a.updatedAtMs), unreadable };
}

/**
 * Undefined for one in which nothing was said yet. Throws when it cannot be read. The calls block: for a few kilobytes of a
 * thousand files others take ten times as long, most of it on their way between threads.
 */
function readSavedChat(folder: string, id: string): SavedChat | undefined {
  const file = openSync(join(folder, `${id}${chatExtension}`), 'r');
  try {
    const { mtimeMs, size } = fstatSync(file);
    const head = readBytes(file, 0, headBytes);
    const title = readTitle(file, head, size);
    if (title === undefined) return undefined;
    const model = modelIn(head) ?? (size > headBytes ? modelIn(readEnd(file, size)) : undefined);
    return { id, title, ...(model !== undefined && { model }), updatedAtMs: mtimeMs };
  } finally {
    closeSync(file);
  }
}

function readTitle(file: number, head: Buffer, size: number): string | undefined {
  for (let from = 0, bytes = head; ;) {
    const start = bytes.toString('latin1').match(messageLine)?.index;
    if (start !== undefined) {
      const isCut = bytes.length - start < leastOfMessage && from + bytes.length < size;
      return titleOf(isCut ? readBytes(file, from + start, titleBytes) : bytes.subarray(start));
    }
    // The mark of a message may lie across the end of what was read.
    const next = from + bytes.length - 64;
    if (next <= from || from + bytes.length >= size) return undefined;
    from = next;
    bytes = readBytes(file, from, chunkBytes);
  }
}

/**
 * Where a line begins with what the user said: a message, by its name of today or of 0.1.0, or what is to be done inline.
 * Within a JSON text neither quote nor line break stands like this.
 */
const messageLine =
  /^\{"type":"(?:userMessageAdded",|userSaid",|noticed","id":"[^"]*","kind":"inline-edit",)/m;
/** Lines that name a model; what is written most comes first. */
const modelLines = [/^\{"type":"answerStarted",.*\}$/m, /^\{"type":"modelSelected",.*\}$/m];

function readEnd(file: number, size: number): Buffer {
  return readBytes(file, Math.max(0, size - chunkBytes), chunkBytes);
}

function readBytes(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

/** Who answered first, or else who was to. */
function modelIn(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  for (const line of modelLines) {
    const event = readObject(line.exec(text)?.[0] ?? '');
    const model = asText(event?.model ?? event?.modelId);
    if (model !== undefined) return model;
  }
  return undefined;
}

/** @param bytes begin with the line of a message, which may be cut off anywhere */
function titleOf(bytes: Buffer): string | undefined {
  const line = bytes.toString('utf8', 0, titleBytes).split('\n', 1)[0] ?? '';
  const said = stringAfter(line, 'text') ?? stringAfter(line, 'detail');
  if (said === undefined) return undefined;
  return shortTitle(firstLine(said) || firstLine(stringAfter(line, 'label') ?? ''));
}

/** A title as far as lists show it. */
export function shortTitle(title: string): string {
  return title.length > maxTitleLength ? `${title.slice(0, maxTitleLength - 1)}…` : title;
}

/** The value of the first field of this name in a JSON text that may be cut off: as much of it as is there. */
function stringAfter(json: string, field: string): string | undefined {
  const raw = new RegExp(`"${field}":"((?:[^"\\\\]|\\\\(?:u[0-9a-fA-F]{4}|[^u]))*)`).exec(json)?.[1];
  if (raw === undefined) return undefined;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.trim() ?? '';
}
