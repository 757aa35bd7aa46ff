import { asObject, type JsonObject } from '../../base/json.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { ToolCall } from '../../relay/messages.ts';
import type { Call } from './call.ts';

/**
 * Reads a call that a model made: from here on its arguments are an object. Nothing at all means no arguments. Text that is almost JSON
 * (a trailing comma, single quotes, a fence around it) is repaired when the repair guesses nothing: every letter
 * and digit stays, and the object was closed by the model itself. Otherwise the model gets the parser's words.
 * @param isCut the answer ended at the output limit
 */
export async function readCall(
  { id: callId, name, arguments: text }: ToolCall,
  isCut: boolean,
  newId: () => string,
): Promise<Call> {
  const read = await readArguments(text);
  const id = newId();
  if ('input' in read) return { id, callId, name, input: read.input };
  const problem = isCut
    ? 'The call was cut off by the output limit. Call again with shorter arguments, or in several steps.'
    : `The arguments are not valid JSON: ${read.problem} Call again with corrected arguments.`;
  return { id, callId, name, input: {}, inputText: text, problem };
}

/** The arguments of a call that is only shown, because it ran elsewhere or long ago. */
export function readShownInput(text: string): Pick<Call, 'input' | 'inputText' | 'problem'> {
  const read = text.trim() ? parseArguments(text) : { input: {} };
  return 'input' in read ? read : { input: {}, inputText: text, problem: read.problem };
}

type ReadArguments = { input: JsonObject } | { problem: string };

async function readArguments(text: string): Promise<ReadArguments> {
  if (!text.trim()) return { input: {} };
  const read = parseArguments(text);
  if ('input' in read) return read;
  try {
    // Loaded for the models that need it.
    const { jsonrepair } = await import('jsonrepair');
    const json = jsonrepair(text);
    if (isSameContent(text, json) && isClosed(text)) {
      const repaired = parseArguments(json);
      if ('input' in repaired) return repaired;
    }
  } catch {
    // Beyond repair: the model gets the first error, which is about what it wrote.
  }
  return read;
}

/** Deeper than any arguments are: what nests much deeper could not be written as JSON again. */
const deepest = 200;

function parseArguments(json: string): ReadArguments {
  try {
    const input = asObject(JSON.parse(json));
    if (!input) return { problem: 'The arguments are not a JSON object.' };
    return nestsDeeper(input, deepest) ? { problem: 'The arguments are nested too deeply.' } : { input };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => nestsDeeper(each, levels - 1));
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
