import { messageOf } from '../../base/messageOf.ts';
/**
 * The arguments of a call as JSON text of an object. Nothing at all means no arguments. Text that is almost JSON
 * (a trailing comma, single quotes, a fence around it) is repaired when the repair guesses nothing: every letter
 * and digit stays, and the object was closed by the model itself. Otherwise the parser's words come back.
 */
export async function readCallArguments(text: string): Promise<{ json: string } | { problem: string }> {
  if (!text.trim()) return { json: '{}' };
  const problem = problemOf(text);
  if (problem === undefined) return { json: text };
  try {
    // Loaded for the models that need it.
    const { jsonrepair } = await import('jsonrepair');
    const repaired = jsonrepair(text);
    if (problemOf(repaired) === undefined && isSameContent(text, repaired) && isClosed(text))
      return { json: repaired };
  } catch {
    // Beyond repair: the model gets the first error, which is about what it wrote.
  }
  return { problem };
}

function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'The arguments are not a JSON object.';
  } catch (error) {
    return messageOf(error);
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
