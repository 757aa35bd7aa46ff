import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { locationSchema } from './code.ts';

export const knowledgeSchema = z.object({
  /** False without a platform; choosing then starts with connecting one. */
  isConnected: z.boolean(),
  chosen: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type Knowledge = z.infer<typeof knowledgeSchema>;

const lineRangeSchema = z.object({ startLine: z.number(), endLine: z.number() });

/** Relation of a source to its file, as in `src/tools/knowledge/source.ts`. */
export const sourceStateSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('current'), lines: z.optional(lineRangeSchema) }),
  z.object({ type: z.literal('moved'), lines: lineRangeSchema }),
  z.object({ type: z.literal('changed'), lines: z.optional(lineRangeSchema) }),
  z.object({ type: z.literal('gone') }),
]);
export type SourceState = z.infer<typeof sourceStateSchema>;

const sourceStatesSchema = z.array(z.object({ n: z.number(), state: sourceStateSchema }));
export type SourceStates = z.infer<typeof sourceStatesSchema>;

/** A segment that grounds an answer. Apps may report only the document's name. */
export const sourceSchema = z.object({
  n: z.number(),
  document: z.string(),
  base: z.optional(z.string()),
  score: z.optional(z.number()),
  content: z.optional(z.string()),
  isCut: z.optional(z.boolean()),
  /** Workspace location of the source file, if it was uploaded from here. */
  location: z.optional(locationSchema),
  /** True if it was found for an earlier question; listed only if cited. */
  isEarlier: z.optional(z.boolean()),
  /** True if the answer is known to use it, cited or not. */
  isUsed: z.optional(z.boolean()),
});
export type Source = z.infer<typeof sourceSchema>;

/** Existing source numbers as ranges [first, last]. */
export const citableSchema = z.array(z.tuple([z.number(), z.number()]));
export type Citable = z.infer<typeof citableSchema>;

export const searchEntrySchema = z.object({
  type: z.literal('search'),
  id: z.string(),
  query: z.string(),
  state: z.enum(['done', 'incomplete', 'failed']),
  found: z.number(),
  durationMs: z.number(),
  /** Text put before the question, verbatim. */
  sent: z.string(),
});
export type SearchEntry = z.infer<typeof searchEntrySchema>;

const mostShown = 1000;

/** Commands about knowledge bases and sources. A page names a shown source, never a path. */
export const knowledgeCommands = [
  z.object({ type: z.literal('chooseKnowledge') }),
  z.object({ type: z.literal('removeKnowledge'), id: z.string() }),
  z.object({ type: z.literal('openSource'), id: z.string(), n: z.number() }),
  z.object({ type: z.literal('addSource'), id: z.string(), n: z.number() }),
  z.object({ type: z.literal('updateSource'), id: z.string(), n: z.number() }),
  z.object({ type: z.literal('compareSource'), id: z.string(), n: z.number() }),
  /** All answers whose sources are drawn; those are checked, and again when their files change. */
  z.object({ type: z.literal('showSources'), ids: z.array(z.string()).check(z.maxLength(mostShown)) }),
] as const;
export type KnowledgeCommand = z.infer<(typeof knowledgeCommands)[number]>;

export const knowledgeEvents = [
  z.object({ type: z.literal('knowledgeChanged'), knowledge: knowledgeSchema }),
  z.object({ type: z.literal('sourcesChecked'), id: z.string(), states: sourceStatesSchema }),
  z.object({ type: z.literal('citableChanged'), id: z.string(), citable: citableSchema }),
] as const;

export function describeSourceState(state: SourceState | undefined): string | undefined {
  switch (state?.type) {
    case 'changed':
      return l10n.t('Changed since it was indexed');
    case 'gone':
      return l10n.t('File is gone');
    case undefined:
      return undefined;
  }
  if (!state?.lines) return undefined;
  const { startLine, endLine } = state.lines;
  const isOne = startLine === endLine;
  if (state.type === 'moved') {
    return isOne
      ? l10n.t('moved to line {0}', startLine)
      : l10n.t('moved to lines {0}–{1}', startLine, endLine);
  }
  return isOne ? l10n.t('line {0}', startLine) : l10n.t('lines {0}–{1}', startLine, endLine);
}
