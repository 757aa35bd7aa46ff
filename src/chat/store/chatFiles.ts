import { join } from 'node:path';
import { isMissing } from '../../base/errors/errors.ts';

export function eventsFile(folder: string, chatId: string): string {
  return join(folder, `${chatId}.jsonl`);
}

export function lockFile(folder: string, chatId: string): string {
  return join(folder, `${chatId}.turn`);
}

export function pictureFolder(folder: string, chatId: string): string {
  return join(folder, `${chatId}.pictures`);
}

export function snapshotFolder(folder: string, chatId: string): string {
  return join(folder, `${chatId}.files`);
}

export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
