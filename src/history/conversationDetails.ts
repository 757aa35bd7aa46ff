import { readFile } from 'node:fs/promises';
import { asText, readObject } from '../base/json.ts';
import { appendLine, rewriteLines } from '../base/lineFiles.ts';
import { isMissing } from '../base/systemCode.ts';

/** What is said of a conversation without being said in it. */
export interface ConversationDetails {
  /** Given by the user, or by a model. */
  title?: string;
  isTitleByModel?: boolean;
  isPinned?: boolean;
  /** The name of the workspace folder it was begun in, where there are several. */
  folder?: string;
}

/** What changes; empty texts and `false` take back what was said before. */
export type DetailsChange = Partial<ConversationDetails>;

/** So many lines that count no more are left before the file is rewritten. */
const mostDeadLines = 500;

/**
 * The details of all conversations, in one file with a line for each change: windows add to it side by side, and a conversation's own
 * file, whose age is the conversation's, stays untouched.
 */
export class DetailsFile {
  constructor(private readonly path: string) {}

  /** By conversation. Lines that are torn or not ours are passed over. Throws when the file cannot be read. */
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

  /** Of a conversation that was deleted for good. */
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
