import * as z from 'zod/mini';
import { locationSchema } from './location.ts';

/** Which knowledge bases the conversation is grounded in. */
export const knowledgeSchema = z.object({
  /** Without a platform there is nothing to choose from; choosing then begins with connecting one. */
  isConnected: z.boolean(),
  chosen: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type Knowledge = z.infer<typeof knowledgeSchema>;

/** A piece of a document that grounds an answer. Apps may tell no more of it than its document's name. */
export const sourceSchema = z.object({
  /** What [n] in the answer stands for. */
  n: z.number(),
  document: z.string(),
  /** The knowledge base's name. */
  base: z.optional(z.string()),
  score: z.optional(z.number()),
  /** The segment itself. */
  content: z.optional(z.string()),
  /** Where it is in this workspace, if its document came from here. */
  location: z.optional(locationSchema),
  /** Found for an earlier question: it is only listed where the answer cites it. */
  isEarlier: z.optional(z.boolean()),
  /** The answer is known to rest on it, even if it does not cite it. */
  isUsed: z.optional(z.boolean()),
});
export type Source = z.infer<typeof sourceSchema>;

/** Numbers that exist as sources, as ranges: the first and the last of each. */
export const citableSchema = z.array(z.tuple([z.number(), z.number()]));
export type Citable = z.infer<typeof citableSchema>;

/** Knowledge bases were searched for the question before it was sent. */
export const searchEntrySchema = z.object({
  type: z.literal('search'),
  id: z.string(),
  query: z.string(),
  /** `failed`: none of them could be searched. */
  state: z.enum(['done', 'failed']),
  /** How many segments were found. */
  found: z.number(),
  durationMs: z.number(),
  /** What was put before the question, to the letter. */
  sent: z.string(),
});
export type SearchEntry = z.infer<typeof searchEntrySchema>;

/** Commands about knowledge bases and sources. A page names a source it was shown, and never a path. */
export const knowledgeCommands = [
  z.object({ type: z.literal('chooseKnowledge') }),
  z.object({ type: z.literal('removeKnowledge'), id: z.string() }),
  z.object({ type: z.literal('openSource'), id: z.string(), n: z.number() }),
  /** Adds the file that a source came from to a knowledge base, or updates it there. */
  z.object({ type: z.literal('addSource'), id: z.string(), n: z.number() }),
] as const;
export type KnowledgeCommand = z.infer<(typeof knowledgeCommands)[number]>;

/** Events about them. */
export const knowledgeEvents = [
  z.object({ type: z.literal('knowledgeChanged'), knowledge: knowledgeSchema }),
  /** What this answer may cite, where that is found after it was begun. */
  z.object({ type: z.literal('citableChanged'), id: z.string(), citable: citableSchema }),
] as const;
