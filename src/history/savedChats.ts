import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asText, readObject } from '../base/json.ts';
import { isMissing, messageOf } from '../base/errors/errors.ts';
import { createGiveWay } from '../base/async/promises.ts';

export interface SavedChat {
  id: string;
  title: string;
  model?: string;
  updatedAtMs: number;
}

export interface UnreadableChat {
  id: string;
  problem: string;
}

const headBytes = 4 * 1024;
/** Chunk size for files whose beginning has no message or whose end names no model. */
const chunkBytes = 64 * 1024;
const titleBytes = 8 * 1024;
/** Messages with fewer bytes in the head are read again. */
const leastOfMessage = 1024;
/** More than `messageLine` can have: a marker may span two chunks. */
const markerBytes = 128;
const maxTitleLength = 120;
export const chatExtension = '.jsonl';

/** Newest first, without empty conversations. Throws if the folder can't be read. */
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

/** Undefined if empty; throws if unreadable. Synchronous, as async reads of a thousand files are ten times slower. */
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
    const next = from + bytes.length - markerBytes;
    if (next <= from || from + bytes.length >= size) return undefined;
    from = next;
    bytes = readBytes(file, from, chunkBytes);
  }
}

/** Start of a user message, also as in 0.1.0, or an inline edit. JSON strings can't contain this. */
const messageLine =
  /^\{"type":"(?:userMessageAdded",|userSaid",|noticed","id":"[^"]*","kind":"inline-edit",)/m;
/** Most frequent first. */
const modelLines = [/^\{"type":"answerStarted",.*\}$/m, /^\{"type":"modelSelected",.*\}$/m];

function readEnd(file: number, size: number): Buffer {
  return readBytes(file, Math.max(0, size - chunkBytes), chunkBytes);
}

function readBytes(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, from));
}

function modelIn(bytes: Buffer): string | undefined {
  const text = bytes.toString();
  for (const line of modelLines) {
    const event = readObject(line.exec(text)?.[0] ?? '');
    const model = asText(event?.model ?? event?.modelId);
    if (model !== undefined) return model;
  }
  return undefined;
}

function titleOf(bytes: Buffer): string | undefined {
  const line = bytes.toString('utf8', 0, titleBytes).split('\n', 1)[0] ?? '';
  const said = stringAfter(line, 'text') ?? stringAfter(line, 'detail');
  if (said === undefined) return undefined;
  return shortTitle(firstLine(said) || firstLine(stringAfter(line, 'label') ?? ''));
}

function shortTitle(title: string): string {
  return title.length > maxTitleLength ? `${title.slice(0, maxTitleLength - 1)}…` : title;
}

/** Value of the first such field, as far as the truncated JSON contains it. */
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
