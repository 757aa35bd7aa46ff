import type { Message, ToolCall } from '../messages.ts';

const idLength = 9;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const safeId = /^[a-zA-Z0-9]{9}$/;
const safeName = /^[a-zA-Z0-9_-]{1,64}$/;
const longestName = 64;

/** Ids (nine letters and digits) depend on `used` earlier ones only, so a growing history keeps its beginning. */
export function renameCalls(messages: readonly Message[], used: Set<string>): Message[] {
  let open: ReadonlyMap<string, string> = new Map();
  return messages.map((message) => {
    if (message.role === 'tool') {
      const id = open.get(message.toolCallId);
      return id === undefined || id === message.toolCallId ? message : { ...message, toolCallId: id };
    }
    if (message.role !== 'assistant' || !message.toolCalls) return message;
    const toolCalls = message.toolCalls.map((call) => renameCall(call, used));
    open = new Map(message.toolCalls.map(({ id }, at) => [id, toolCalls[at]?.id ?? id]));
    return { ...message, toolCalls };
  });
}

function renameCall(call: ToolCall, used: Set<string>): ToolCall {
  let id = usualId(call.id);
  for (let again = 1; used.has(id); again++) id = hashedId(`${call.id} ${again}`);
  used.add(id);
  return { ...call, id, name: cleanName(call.name) };
}

export function usualId(id: string): string {
  return safeId.test(id) ? id : hashedId(id);
}

function cleanName(name: string): string {
  if (safeName.test(name)) return name;
  return name.replace(/[^\w-]+/g, '_').slice(0, longestName) || 'unnamed';
}

/** Two 32-bit FNV-1a hashes with different primes, in base 62; not secret. */
function hashedId(text: string): string {
  let one = 0x811c9dc5;
  let other = 0xdeadbeef;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x9e3779b1);
  }
  let rest = (one >>> 0) * 0x200000 + ((other >>> 0) & 0x1fffff);
  let id = '';
  while (id.length < idLength) {
    id += alphabet.charAt(rest % alphabet.length);
    rest = Math.floor(rest / alphabet.length);
  }
  return id;
}
