import { parseJson } from '../../base/json.ts';
import { chatEventSchema, type ChatEvent } from './events.ts';
import { upgradeEvent } from './upgradeEvent.ts';

export function parseEvents(text: string): ChatEvent[] {
  return text.split('\n').flatMap(parseLine);
}

export function parseLine(line: string): ChatEvent[] {
  if (line === '') return [];
  const parsed = chatEventSchema.safeParse(upgradeEvent(parseJson(line)));
  return parsed.success ? [parsed.data] : [];
}
