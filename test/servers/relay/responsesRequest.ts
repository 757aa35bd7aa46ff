import * as z from 'zod';
import { openaiError } from '../dialects/errors.ts';
import { type CheckedRequest, checkRequest } from './checkRequest.ts';

const part = z.looseObject({ type: z.enum(['input_text', 'output_text']), text: z.string() });
const message = z.looseObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(part)]),
});

/** What Codex sends, and what a client needs for a question; its tools are left to it. */
const schema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  instructions: z.string().optional(),
  input: z.array(message).min(1),
});

/** The request as scripts read it, which know the messages of chat completions, or its refusal. */
export function checkResponsesRequest(body: unknown): CheckedRequest {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = (issue?.path ?? []).join('.');
    return { refusal: openaiError(null, `Invalid value for '${param}': ${issue?.message}`, param) };
  }
  const { model, stream, instructions, input } = parsed.data;
  return checkRequest({
    ...{ model, stream },
    messages: [
      ...(instructions ? [{ role: 'system', content: instructions }] : []),
      ...input.map(({ role, content }) => ({
        role: role === 'developer' ? 'system' : role,
        content: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
      })),
    ],
  });
}
