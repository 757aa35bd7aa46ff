import { parseJson, asObject } from '../../base/json.ts';
import { chatEventSchema, type ChatEvent } from './events.ts';
import { readShownInput } from '../calls/readCall.ts';

export function parseEvents(text: string): ChatEvent[] {
  return text.split('\n').flatMap(parseLine);
}

export function parseLine(line: string): ChatEvent[] {
  if (line === '') return [];
  const parsed = chatEventSchema.safeParse(upgradeEvent(parseJson(line)));
  return parsed.success ? [parsed.data] : [];
}

const renamedEvents: Readonly<Record<string, string>> = {
  userSaid: 'userMessageAdded',
  fileGiven: 'fileOutput',
};

export function upgradeEvent(raw: unknown): unknown {
  const event = asObject(raw);
  if (!event || typeof event.type !== 'string') return raw;
  const { type, attachments, calls } = event;
  if (type === 'editsReverted') return upgradeRevert(event);
  return {
    ...event,
    type: Object.hasOwn(renamedEvents, type) ? renamedEvents[type] : type,
    ...(Array.isArray(attachments) && { attachments: attachments.map(upgradeAttachment) }),
    ...(Array.isArray(calls) && { calls: calls.map(upgradeCall) }),
  };
}

/** Up to 0.1.0 a turn's edits were undone file by file. */
function upgradeRevert({ outcome, ...event }: Record<string, unknown>): unknown {
  const { reverted, kept } = asObject(outcome) ?? {};
  const files = [
    ...asList(reverted).map((path) => ({ path })),
    ...asList(kept).map((file) => {
      const { path, ...problem } = asObject(file) ?? {};
      return { path, problem };
    }),
  ];
  return { ...event, type: 'hunksUndone', files };
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Up to 0.1.0 a refusal's user message was stored as `forPerson`. */
function upgradeAttachment(attachment: unknown): unknown {
  const { forPerson, ...refusal } = asObject(asObject(attachment)?.refusal) ?? {};
  return forPerson === undefined
    ? attachment
    : { ...asObject(attachment), refusal: { ...refusal, forUser: forPerson } };
}

/** Up to 0.1.0 call arguments were stored as text. */
function upgradeCall(call: unknown): unknown {
  const { arguments: text, ...rest } = asObject(call) ?? {};
  return typeof text === 'string' ? { ...rest, ...readShownInput(text) } : call;
}
