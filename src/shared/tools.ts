import * as z from 'zod/mini';
import { remedySchema } from './failure.ts';
import { locationSchema } from './code.ts';

const toolStateSchema = z.enum(['waiting', 'asking', 'running', 'done', 'failed', 'denied', 'stopped']);
export type ToolState = z.infer<typeof toolStateSchema>;

const shownTextSchema = z.object({
  /** The whole text, or its beginning if the middle is left out before `end`. */
  value: z.string(),
  end: z.optional(z.string()),
  size: z.optional(z.object({ characters: z.number(), lines: z.number() })),
});
export type ShownText = z.infer<typeof shownTextSchema>;

const argumentsSchema = z.object({
  type: z.literal('arguments'),
  rows: z.array(
    z.extend(shownTextSchema, {
      name: z.string(),
      kind: z.optional(z.enum(['command', 'list'])),
    }),
  ),
  more: z.number(),
});
export type ShownArguments = z.infer<typeof argumentsSchema>;

const filePreviewSchema = z.object({
  path: z.string(),
  shownPath: shownTextSchema,
  isNew: z.boolean(),
  added: z.number(),
  removed: z.number(),
  lines: z.array(z.object({ kind: z.enum(['same', 'added', 'removed', 'gap']), text: z.string() })),
  more: z.number(),
});
export type FilePreview = z.infer<typeof filePreviewSchema>;

/** Files that are changed all or none. */
const editPreviewSchema = z.object({ type: z.literal('edit'), files: z.array(filePreviewSchema) });

/** Readable preview of a call, with hidden characters written out. */
const callPreviewSchema = z.discriminatedUnion('type', [editPreviewSchema, argumentsSchema]);
export type CallPreview = z.infer<typeof callPreviewSchema>;

const toolQuestionSchema = z.object({
  preview: callPreviewSchema,
  /** True if the preview is incomplete: `unfoldTool` must come before approval. */
  isFolded: z.optional(z.literal(true)),
  isDangerous: z.optional(z.literal(true)),
  why: z.optional(z.string()),
  /** Meaning of "Always allow"; absent if it is not offered. */
  always: z.optional(z.string()),
  /** Label of the wildcard rule, which is confirmed in a dialog. */
  wider: z.optional(z.string()),
});
export type ToolQuestion = z.infer<typeof toolQuestionSchema>;

const toolEndSchema = z.object({
  durationMs: z.number(),
  result: z.string(),
  locations: z.array(locationSchema),
  withheld: z.array(z.string()),
});
export type ToolEnd = z.infer<typeof toolEndSchema>;

const commandViewSchema = z.object({
  lines: z.string(),
  sinceMs: z.optional(z.number()),
  /** True if it ran in this window, which may still have its terminal. */
  hasTerminal: z.optional(z.literal(true)),
});
export type CommandView = z.infer<typeof commandViewSchema>;

export const toolEntrySchema = z.object({
  type: z.literal('tool'),
  id: z.string(),
  name: z.string(),
  message: z.string(),
  state: toolStateSchema,
  /** Kind of read; finished reads of a kind fold together. */
  look: z.optional(z.enum(['file', 'search', 'list', 'other'])),
  /** True if another place of the page shows it, so it has no row. */
  isHidden: z.optional(z.literal(true)),
  arguments: argumentsSchema,
  question: z.optional(toolQuestionSchema),
  end: z.optional(toolEndSchema),
  command: z.optional(commandViewSchema),
  note: z.optional(z.string()),
  /** Remedy, as long as nothing followed. */
  remedy: z.optional(z.object({ type: remedySchema, label: z.string() })),
});
export type ToolEntry = z.infer<typeof toolEntrySchema>;

export const editsEntrySchema = z.object({
  type: z.literal('edits'),
  id: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      added: z.optional(z.number()),
      removed: z.optional(z.number()),
      /** Set when nothing is left to review. `reviewed`: partly kept, partly undone. `restored`: by a checkpoint. */
      state: z.optional(z.enum(['kept', 'undone', 'reviewed', 'restored'])),
      problem: z.optional(z.string()),
      canRedo: z.optional(z.literal(true)),
    }),
  ),
});
export type EditsEntry = z.infer<typeof editsEntrySchema>;

const shownHunkSchema = z.object({
  key: z.string(),
  /** 1-based current line. */
  line: z.number(),
  lines: z.array(z.object({ kind: z.enum(['added', 'removed']), text: z.string() })),
  more: z.number(),
  /** True if someone else changed it since, so it cannot be undone. */
  isEdited: z.boolean(),
});
export type ShownHunk = z.infer<typeof shownHunkSchema>;

const hunksLoadedSchema = z.object({
  type: z.literal('hunksLoaded'),
  id: z.string(),
  path: z.string(),
  hunks: z.array(shownHunkSchema),
  more: z.number(),
  problem: z.optional(z.string()),
});
export type HunksLoaded = z.infer<typeof hunksLoadedSchema>;

const decideHunksSchema = z.object({
  type: z.literal('decideHunks'),
  id: z.string(),
  /** `redo` needs a path. */
  decision: z.enum(['keep', 'undo', 'redo']),
  /** All files if absent; all hunks without `keys`. */
  path: z.optional(z.string()),
  keys: z.optional(z.array(z.string())),
});
export type DecideHunks = z.infer<typeof decideHunksSchema>;

const planSchema = z.object({
  line: z.string(),
  steps: z.array(z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })),
});
export type Plan = z.infer<typeof planSchema>;

export const toolEvents = [
  z.object({ type: z.literal('planChanged'), plan: z.optional(planSchema) }),
  hunksLoadedSchema,
  /** A key for the question on screen; the page knows whether the user has read it. */
  z.object({ type: z.literal('answerKeyPressed'), decision: z.enum(['allow', 'deny']) }),
  z.object({
    type: z.literal('entryChanged'),
    entry: z.discriminatedUnion('type', [toolEntrySchema, editsEntrySchema]),
  }),
] as const;

export const toolCommands = [
  /** Answers a question about a call. `always`: keeps the rule that the question states. */
  z.object({
    type: z.literal('answerTool'),
    id: z.string(),
    decision: z.enum(['allow', 'always', 'wider', 'deny']),
    reason: z.optional(z.string()),
  }),
  /** True while a question is shown and the page has the focus: keys are for it. */
  z.object({ type: z.literal('questionFocused'), hasFocus: z.boolean() }),
  z.object({ type: z.literal('unfoldTool'), id: z.string() }),
  z.object({ type: z.literal('showTerminal'), id: z.string() }),
  z.object({ type: z.literal('showProposal'), id: z.string(), path: z.string() }),
] as const;

export const changeCommands = [
  /** Retries an answer; it and later items stay as another version. */
  z.object({ type: z.literal('retryTurn'), id: z.string() }),
  z.object({
    type: z.literal('chooseVersion'),
    id: z.string(),
    direction: z.enum(['previous', 'next']),
  }),
  z.object({ type: z.literal('showChanges'), id: z.string(), path: z.optional(z.string()) }),
  decideHunksSchema,
  z.object({ type: z.literal('restoreCheckpoint'), id: z.string() }),
  z.object({ type: z.literal('loadHunks'), id: z.string(), path: z.string() }),
] as const;
export type ChangeCommand = z.infer<(typeof changeCommands)[number]>;
