import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import { ThinkTagSplitter } from '../../base/text/thinkTags.ts';
import { id } from '../../platform/platformWire.ts';
import {
  type AppConversation,
  type AppMessage,
  type AppVariable,
  type Rating,
  ratingSchema,
} from '../app.ts';
import {
  anything,
  number,
  objectsIn,
  readFile,
  readSources,
  readThought,
  readValues,
  text,
  toMs,
} from './appWire.ts';

// Stored conversations. Source: platform-api.md 4.6.

const conversationSchema = z.object({
  id,
  name: text,
  inputs: anything,
  created_at: number,
  updated_at: number,
});

export function readConversation(json: unknown): AppConversation | undefined {
  const { data: wire } = conversationSchema.safeParse(json);
  return (
    wire && {
      id: wire.id,
      name: wire.name ?? '',
      inputs: readValues(wire.inputs),
      createdAtMs: toMs(wire.created_at),
      updatedAtMs: toMs(wire.updated_at),
    }
  );
}

const rating = loosely(ratingSchema);

const messageSchema = z.object({
  id,
  conversation_id: text,
  query: text,
  answer: text,
  feedback: loosely(z.object({ rating })),
  retriever_resources: anything,
  agent_thoughts: anything,
  message_files: anything,
  error: text,
  created_at: number,
});

/** Undefined without an id. `baseUrl`: the platform's, for relative file addresses. */
export function readMessage(json: unknown, baseUrl: string): AppMessage | undefined {
  const { data: wire } = messageSchema.safeParse(json);
  if (!wire) return undefined;
  const files = objectsIn(wire.message_files);
  const filesOf = (isUser: boolean) =>
    files.filter((file) => (file['belongs_to'] === 'user') === isUser).map((file) => readFile(file, baseUrl));
  return {
    id: wire.id,
    conversationId: wire.conversation_id ?? '',
    query: wire.query ?? '',
    ...withoutReasoning(wire.answer ?? ''),
    rating: wire.feedback?.rating,
    sources: readSources(wire.retriever_resources),
    thoughts: objectsIn(wire.agent_thoughts)
      .map((thought) => readThought(thought))
      .toSorted((a, b) => a.position - b.position),
    attached: filesOf(true),
    files: filesOf(false),
    error: wire.error,
    createdAtMs: toMs(wire.created_at),
  };
}

function withoutReasoning(whole: string): { answer: string; reasoning: string } {
  const splitter = new ThinkTagSplitter();
  const begin = splitter.add(whole);
  const end = splitter.end();
  return { answer: begin.text + end.text, reasoning: begin.reasoning + end.reasoning };
}

const variableSchema = z.object({ id, name: text, value_type: text, value: anything, description: text });

export function readVariable(json: unknown): AppVariable | undefined {
  const { data: wire } = variableSchema.safeParse(json);
  return (
    wire && {
      id: wire.id,
      name: wire.name ?? wire.id,
      type: wire.value_type ?? 'string',
      value: wire.value,
      description: wire.description,
    }
  );
}

const feedbackSchema = z.object({ message_id: text, rating, content: text });

export interface AppFeedback {
  messageId?: string;
  rating?: Rating;
  content?: string;
}

export function readFeedback(json: unknown): AppFeedback | undefined {
  if (!asObject(json)) return undefined;
  const { data: wire } = feedbackSchema.safeParse(json);
  return wire && { messageId: wire.message_id, rating: wire.rating, content: wire.content };
}
