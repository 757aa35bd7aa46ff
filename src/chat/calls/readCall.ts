import { asObject, type JsonObject } from '../../base/json.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { ToolCall } from '../../relay/messages.ts';
import type { Call } from './call.ts';

/** Repairs only almost-JSON that the model itself closed. `isCut`: the answer ended at the output limit. */
export async function readCall(
  { id: callId, name, arguments: text, extra }: ToolCall,
  isCut: boolean,
  newId: () => string,
): Promise<Call> {
  const read = await readArguments(text);
  const id = newId();
  const call = { id, callId, name, ...(extra && { extra }) };
  if ('input' in read) return { ...call, input: read.input };
  const problem = isCut
    ? 'The call was cut off by the output limit. Call again with shorter arguments, or in several steps.'
    : `The arguments are not valid JSON: ${read.problem} Call again with corrected arguments.`;
  return { ...call, input: {}, inputText: text, problem };
}

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
    const { jsonrepair } = await import('jsonrepair');
    const json = jsonrepair(text);
    if (isSameContent(text, json) && isClosed(text)) {
      const repaired = parseArguments(json);
      if ('input' in repaired) return repaired;
    }
  } catch {
    // Beyond repair: the model gets the first error, which is about its own text.
  }
  return read;
}

/** Maximum nesting; much deeper values can't be serialized again. */
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

/** The repair may drop a fence's language, but no other letter or digit. */
function isSameContent(a: string, b: string): boolean {
  const content = (text: string) => text.replace(/^\s*```\w*/, '').replace(/[^\p{L}\p{N}]/gu, '');
  return content(a) === content(b);
}

/** Truncated arguments are not closed; completing them would be guessing. */
function isClosed(text: string): boolean {
  return /\}[\s;`]*$/.test(text);
}
