import { asObject, type JsonObject } from '../../base/json.ts';
import { messageOf } from '../../base/messageOf.ts';

/** The arguments of a call: the text, which is what the model is shown again, and the object that it is. */
export interface CallArguments {
  json: string;
  input: JsonObject;
}

/**
 * Reads the arguments of a call, of which only the object is used from here on. Nothing at all means no arguments. Text that is almost JSON
 * (a trailing comma, single quotes, a fence around it) is repaired when the repair guesses nothing: every letter
 * and digit stays, and the object was closed by the model itself. Otherwise the parser's words come back.
 */
export async function readCallArguments(text: string): Promise<CallArguments | { problem: string }> {
  if (!text.trim()) return { json: '{}', input: {} };
  const read = readObject(text);
  if ('input' in read) return read;
  try {
    // Loaded for the models that need it.
    const { jsonrepair } = await import('jsonrepair');
    const repaired = readObject(jsonrepair(text));
    if ('input' in repaired && isSameContent(text, repaired.json) && isClosed(text)) return repaired;
  } catch {
    // Beyond repair: the model gets the first error, which is about what it wrote.
  }
  return read;
}

function readObject(json: string): CallArguments | { problem: string } {
  try {
    const input = asObject(JSON.parse(json));
    return input ? { json, input } : { problem: 'The arguments are not a JSON object.' };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** A fence's language is not content; everything else that is a letter or a digit is. */
function isSameContent(a: string, b: string): boolean {
  const content = (text: string) => text.replace(/^\s*```\w*/, '').replace(/[^\p{L}\p{N}]/gu, '');
  return content(a) === content(b);
}

/** Arguments that were cut off are not closed, and what is missing is not for us to invent. */
function isClosed(text: string): boolean {
  return /\}[\s;`]*$/.test(text);
}
