import * as z from 'zod/mini';
import type { PlatformDialect } from '../platformOptions.ts';

export const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const conversationId = z.nullish(
  z.string().check(z.refine(isUuidOrBlank, { message: 'conversation_id must be a valid UUID' })),
);

export function answerSchemas(dialect: PlatformDialect) {
  const modes = dialect === 'description' ? ['streaming', 'sync'] : ['blocking', 'streaming'];
  const workflow = z.looseObject({
    inputs: z.record(z.string(), z.unknown()),
    files: z.nullish(z.array(z.record(z.string(), z.unknown()))),
    response_mode: z.nullish(z.enum(modes)),
  });
  const completion = z.extend(workflow, { query: z.nullish(z.string()) });
  const chat = z.extend(workflow, {
    query: z.string(),
    conversation_id: conversationId,
    auto_generate_name: z.nullish(z.boolean()),
    workflow_id: z.nullish(z.string()),
  });
  return { workflow, completion, chat };
}

export type SentInput = z.infer<ReturnType<typeof answerSchemas>['workflow']>;

function isUuidOrBlank(id: string): boolean {
  return id.trim() === '' || uuidPattern.test(id.trim());
}
