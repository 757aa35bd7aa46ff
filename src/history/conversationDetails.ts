import { readFile } from 'node:fs/promises';
import { asText, readObject } from '../base/json.ts';
import { appendLine, rewriteLines } from '../base/files/writeLines.ts';
import { isMissing } from '../base/errors/errors.ts';
import type { ChatSession } from '../chat/session/chatSession.ts';

export interface ConversationDetails {
  title?: string;
  isTitleByModel?: boolean;
  isPinned?: boolean;
  folder?: string;
}

/** Empty texts and `false` remove a value. */
export type DetailsChange = Partial<ConversationDetails>;

/** Superseded lines tolerated before the file is rewritten. */
const mostDeadLines = 500;

const limitMs = 60_000;

/** Windows append a line per change. Separate from a conversation's file, whose age is the conversation's. */
export class DetailsFile {
  constructor(private readonly path: string) {}

  /** By conversation. Skips torn and foreign lines. Throws if the file can't be read. */
  async read(): Promise<Map<string, ConversationDetails>> {
    const text = await readFile(this.path, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    });
    const { details, count } = fold(text);
    if (count > details.size + mostDeadLines)
      await rewriteLines(this.path, (now) => unfold(fold(now).details));
    return details;
  }

  async change(id: string, change: DetailsChange): Promise<void> {
    await appendLine(this.path, JSON.stringify({ id, ...change }));
  }

  async forget(id: string): Promise<void> {
    await appendLine(this.path, JSON.stringify({ id, isForgotten: true }));
  }
}

function fold(text: string): { details: Map<string, ConversationDetails>; count: number } {
  const details = new Map<string, ConversationDetails>();
  let count = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    count++;
    const read = readObject(line);
    const id = asText(read?.id);
    if (!read || id === undefined) continue;
    if (read.isForgotten === true) details.delete(id);
    else details.set(id, { ...details.get(id), ...changeIn(read) });
  }
  return { details, count };
}

function changeIn({ title, isTitleByModel, isPinned, folder }: Record<string, unknown>): DetailsChange {
  return {
    ...(typeof title === 'string' && { title, isTitleByModel: isTitleByModel === true }),
    ...(typeof isPinned === 'boolean' && { isPinned }),
    ...(typeof folder === 'string' && { folder }),
  };
}

function unfold(details: ReadonlyMap<string, ConversationDetails>): string {
  return [...details].map(([id, each]) => `${JSON.stringify({ id, ...each })}\n`).join('');
}

/** A user's title wins, even one set meanwhile. False if there is none. Throws a `SwitchboardError`. */
export async function saveTitle(
  details: Pick<DetailsFile, 'read' | 'change'>,
  session: Pick<ChatSession, 'conversation' | 'writeTitle'>,
): Promise<boolean> {
  const { id } = session.conversation;
  const isNamed = async () => (await details.read()).get(id)?.title !== undefined;
  if (await isNamed()) return false;
  const title = await session.writeTitle(AbortSignal.timeout(limitMs));
  if (!title || (await isNamed())) return false;
  await details.change(id, { title, isTitleByModel: true });
  return true;
}
