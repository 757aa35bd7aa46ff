import { parseJson } from '../base/json.ts';
import { chatEventSchema, type ChatEvent } from './events.ts';
import { upgradeEvent } from './upgradeEvent.ts';

/** The events of a chat's file, or of a part of it; lines that are broken or cut are left out. */
export function parseEvents(text: string): ChatEvent[] {
  return text.split('\n').flatMap(parseLine);
}

/** The event of a line; none for one that is empty, broken or cut. */
export function parseLine(line: string): ChatEvent[] {
  if (line === '') return [];
  const parsed = chatEventSchema.safeParse(upgradeEvent(parseJson(line)));
  return parsed.success ? [parsed.data] : [];
}
