import { asObject } from '../base/json.ts';
import { readShownInput } from './calls/readCall.ts';

/** What events were called when they were written, and what they are called now. */
export const renamedEvents: Readonly<Record<string, string>> = {
  userSaid: 'userMessageAdded',
  fileGiven: 'fileOutput',
};

/** An event of a conversation file as an earlier version wrote it, in today's form. Anything else is returned as it is. */
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

/** Up to 0.1.0 a turn's edits were taken back file by file. */
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

/** A refusal's text for the user was stored as `forPerson` up to 0.1.0. */
function upgradeAttachment(attachment: unknown): unknown {
  const { forPerson, ...refusal } = asObject(asObject(attachment)?.refusal) ?? {};
  return forPerson === undefined
    ? attachment
    : { ...asObject(attachment), refusal: { ...refusal, forUser: forPerson } };
}

/** The arguments of a call were stored as the text that they came as up to 0.1.0. */
function upgradeCall(call: unknown): unknown {
  const { arguments: text, ...rest } = asObject(call) ?? {};
  return typeof text === 'string' ? { ...rest, ...readShownInput(text) } : call;
}
