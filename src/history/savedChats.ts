import type { Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../base/systemCode.ts';
import type { ChatEvent } from '../chat/events.ts';
import { messageOf } from '../base/messageOf.ts';
import { parseEvents } from '../chat/parseEvents.ts';

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

/** So much of a file is read at once: its beginning, and its end where the beginning is one long message. */
const chunkBytes = 64 * 1024;
/** A title is looked for in so much of a message. */
const titleCharacters = 8 * 1024;
const maxTitleLength = 120;
const extension = '.jsonl';

/**
 * The conversations of a folder, newest first; those without a message are left out. Reads only the beginning of
 * each file, and the end of some. Throws when the folder cannot be read.
 */
export async function listSavedChats(
  folder: string,
): Promise<{ chats: SavedChat[]; unreadable: UnreadableChat[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown): Dirent[] => {
    if (isMissing(error)) return [];
    throw error;
  });
  const chats: SavedChat[] = [];
  const unreadable: UnreadableChat[] = [];
  for (const entry of entries) {
    if (!entry.name.endsWith(extension) || entry.isDirectory()) continue;
    const id = entry.name.slice(0, -extension.length);
    try {
      const chat = await readSavedChat(folder, id);
      if (chat) chats.push(chat);
    } catch (error) {
      if (!isMissing(error)) unreadable.push({ id, problem: messageOf(error) });
    }
  }
  return { chats: chats.toSorted((a, b) => b.updatedAtMs - a.updatedAtMs), unreadable };
}

async function readSavedChat(folder: string, id: string): Promise<SavedChat | undefined> {
  const file = await open(join(folder, `${id}${extension}`));
  try {
    const { mtimeMs, size } = await file.stat();
    const { title, events } = await readBeginning(file, size);
    if (title === undefined) return undefined;
    const model =
      modelIn(events) ??
      // The first message can be longer than what was read.
      (size > chunkBytes ? modelIn(parseEvents(await read(file, size - chunkBytes))) : undefined);
    return { id, title, ...(model !== undefined && { model }), updatedAtMs: mtimeMs };
  } finally {
    await file.close();
  }
}

/** What the file begins with, and the title, which is looked for further on if the beginning has no message. */
async function readBeginning(
  file: FileHandle,
  size: number,
): Promise<{ title: string | undefined; events: ChatEvent[] }> {
  const head = await read(file, 0);
  const events = parseEvents(head);
  for (let at = 0, text = head; ;) {
    const message = text.match(messageLine)?.index;
    if (message !== undefined) {
      const start = at + Buffer.byteLength(text.slice(0, message));
      return { title: titleOf(await read(file, start)), events };
    }
    // The mark of a message may lie across the end of what was read.
    at += chunkBytes - 64;
    if (at >= size) return { title: undefined, events };
    text = await read(file, at);
  }
}

/** Where a line with a message of the user begins, by its name of today or of 0.1.0. Within a JSON text neither quote nor line break stands like this. */
const messageLine = /^\{"type":"(?:userMessageAdded|userSaid)",/m;

async function read(file: FileHandle, from: number): Promise<string> {
  const bytes = Buffer.alloc(chunkBytes);
  const { bytesRead } = await file.read(bytes, 0, chunkBytes, from);
  return bytes.toString('utf8', 0, bytesRead);
}

function modelIn(events: readonly ChatEvent[]): string | undefined {
  return events.find((event) => event.type === 'answerStarted')?.model;
}

/** @param text begins with the line of a message, which may be cut off anywhere */
function titleOf(text: string): string | undefined {
  const line = text.slice(0, titleCharacters).split('\n', 1)[0] ?? '';
  const said = stringAfter(line, 'text');
  if (said === undefined) return undefined;
  const title = firstLine(said) || firstLine(stringAfter(line, 'label') ?? '');
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
