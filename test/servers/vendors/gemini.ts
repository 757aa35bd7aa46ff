import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ScriptedCall } from '../script/script.ts';
import { callsOf, type ChatBody, chatOnly, objectIn, refused, type VendorCheck } from './vendorBody.ts';

/** Google's documented value for calls of other models. */
export const skipsSignature = 'skip_thought_signature_validator';

/** A hash of the arguments, to notice a signature at another call; clients may rewrite ids and names. */
export function thoughtSignature({ arguments: json }: Pick<ScriptedCall, 'arguments'>): string {
  const text = JSON.stringify(objectIn(json) ?? json);
  return createHash('sha256').update(`gemini ${text}`).digest('base64');
}

const signed = z.looseObject({
  extra_content: z.looseObject({ google: z.looseObject({ thought_signature: z.string() }) }),
});

function checkSignatures({ messages }: ChatBody) {
  for (const [index, { tool_calls: [first] = [] }] of messages.entries()) {
    if (!first) continue;
    const { name } = first.function;
    const given = signed.safeParse(first).data?.extra_content.google.thought_signature;
    if (given === undefined) {
      return refused(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
        { code: 400 },
      );
    }
    if (given !== skipsSignature && given !== thoughtSignature(first.function)) {
      return refused('Corrupted thought signature.', { code: 400 });
    }
  }
  return undefined;
}

const unknownWords = ['$schema', 'additionalProperties', 'oneOf', 'const', 'exclusiveMinimum', '$ref'];

/** A schema keyword that Gemini doesn't have; property names don't count. */
function unknownWord(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return schema.map(unknownWord).find((found) => found !== undefined);
  if (typeof schema !== 'object' || schema === null) return undefined;
  for (const [word, value] of Object.entries(schema)) {
    if (unknownWords.includes(word)) return word;
    const nested: unknown =
      word === 'properties' && typeof value === 'object' ? Object.values(value ?? {}) : value;
    const found = unknownWord(nested);
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkSchemas({ tools = [] }: ChatBody) {
  for (const [index, { function: tool }] of tools.entries()) {
    const word = unknownWord(tool.parameters);
    if (word === undefined) continue;
    return refused(
      `Invalid JSON payload received. Unknown name "${word}" at 'tools[0].function_declarations[${index}].parameters': Cannot find field.`,
      { code: 400 },
    );
  }
  return undefined;
}

function checkArguments(body: ChatBody) {
  const wrong = callsOf(body).find(({ call }) => !objectIn(call.function.arguments));
  if (!wrong) return undefined;
  return refused(
    `Invalid value at 'contents[${wrong.index}].parts[0].function_call.args' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(wrong.call.function.arguments)}`,
    { code: 400 },
  );
}

/** Gemini 3 by chat completions, where relays pass the signatures through. */
export const gemini3: VendorCheck = chatOnly(checkSignatures, checkArguments, checkSchemas);
