import type { Dirent } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEvents } from '../fileChatStore.ts';

/** A conversation on disk, known by its beginning. */
export interface KeptChat {
  id: string;
  /** The first line of the first message. */
  title: string;
  model?: string;
  updatedAtMs: number;
}

/** As much of a file as its title is looked for in: a first message that is longer has its title cut. */
const headBytes = 64 * 1024;
const maxTitleLength = 120;

/**
 * The conversations of a folder, newest first; those without a message are left out. Reads only the beginning of
 * each file.
 */
export async function listKeptChats(folder: string): Promise<KeptChat[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const chats: KeptChat[] = [];
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue;
    const chat = await readKeptChat(folder, entry.name.slice(0, -'.jsonl'.length)).catch(() => undefined);
    if (chat) chats.push(chat);
  }
  return chats.toSorted((a, b) => b.updatedAtMs - a.updatedAtMs);
}

export async function deleteKeptChat(folder: string, id: string): Promise<void> {
  await rm(join(folder, `${id}.jsonl`), { force: true });
}

async function readKeptChat(folder: string, id: string): Promise<KeptChat | undefined> {
  const path = join(folder, `${id}.jsonl`);
  const { mtimeMs } = await stat(path);
  const events = parseEvents(await readHead(path));
  const said = events.find((event) => event.type === 'userSaid');
  if (!said) return undefined;
  const answered = events.find((event) => event.type === 'answerStarted');
  return {
    id,
    title: titleOf(said.text),
    ...(answered && { model: answered.model }),
    updatedAtMs: mtimeMs,
  };
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(bytes, 0, headBytes, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  return line.length > maxTitleLength ? `${line.slice(0, maxTitleLength - 1)}…` : line;
}
