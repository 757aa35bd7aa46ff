import * as z from 'zod/mini';
import { remedySchema } from './failure.ts';
import { locationSchema } from './location.ts';

/** Tool calls and what they changed, as the page shows them. */

/** `asking`: the user has to allow or deny it. */
const toolStateSchema = z.enum(['waiting', 'asking', 'running', 'done', 'failed', 'denied', 'stopped']);
export type ToolState = z.infer<typeof toolStateSchema>;

const argumentsSchema = z.object({
  type: z.literal('arguments'),
  rows: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /** `list`: each line of the value is an item. */
      kind: z.optional(z.enum(['command', 'list'])),
      /** How many characters of the value are not shown. */
      more: z.number(),
    }),
  ),
  /** How many arguments are not shown. */
  more: z.number(),
});
export type ShownArguments = z.infer<typeof argumentsSchema>;

const filePreviewSchema = z.object({
  path: z.string(),
  /** The lines are the content of a new file. */
  isNew: z.boolean(),
  added: z.number(),
  removed: z.number(),
  lines: z.array(z.object({ kind: z.enum(['same', 'added', 'removed', 'gap']), text: z.string() })),
  /** How many lines are not shown. */
  more: z.number(),
});
export type FilePreview = z.infer<typeof filePreviewSchema>;

/** Files that are changed together, or not at all. */
const editPreviewSchema = z.object({ type: z.literal('edit'), files: z.array(filePreviewSchema) });

/** What a call would do, in human form. Hidden characters of a model's text are written out in it. */
const callPreviewSchema = z.discriminatedUnion('type', [editPreviewSchema, argumentsSchema]);
export type CallPreview = z.infer<typeof callPreviewSchema>;

/** What the user is asked about a call. */
const toolQuestionSchema = z.object({
  preview: callPreviewSchema,
  /** Why no rule can answer it: then it is not to be allowed always. */
  why: z.optional(z.string()),
  /** What "Always allow" stands for, where that is not the tool in this conversation. */
  always: z.optional(z.string()),
});
export type ToolQuestion = z.infer<typeof toolQuestionSchema>;

/** How a tool call ended, for the user to unfold. */
const toolEndSchema = z.object({
  durationMs: z.number(),
  /** What the model was given, cut for showing where it is long. */
  result: z.string(),
  /** Places the call was about; each opens in the editor. */
  locations: z.array(locationSchema),
  /** What the file policy blocked, in messages for the user. */
  withheld: z.array(z.string()),
});
export type ToolEnd = z.infer<typeof toolEndSchema>;

export const toolEntrySchema = z.object({
  type: z.literal('tool'),
  id: z.string(),
  name: z.string(),
  /** What the call is about to do, does, or did. */
  message: z.string(),
  state: toolStateSchema,
  /** What kind of look at the workspace it is; finished ones are folded together. */
  look: z.optional(z.enum(['file', 'search', 'list', 'other'])),
  arguments: argumentsSchema,
  /** While it asks. */
  question: z.optional(toolQuestionSchema),
  end: z.optional(toolEndSchema),
  /** What became of a call that did not run. */
  note: z.optional(z.string()),
  /** The way on from there, as long as nothing was said since. */
  remedy: z.optional(z.object({ type: remedySchema, label: z.string() })),
});
export type ToolEntry = z.infer<typeof toolEntrySchema>;

/** The files a turn changed, which are kept or undone hunk by hunk, one by one or together. */
export const editsEntrySchema = z.object({
  type: z.literal('edits'),
  id: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      /** Lines, where they were counted. */
      added: z.optional(z.number()),
      removed: z.optional(z.number()),
      /** Nothing of it is left to review. `reviewed`: some of it was kept and some undone. `restored`: with a checkpoint. */
      state: z.optional(z.enum(['kept', 'undone', 'reviewed', 'restored'])),
      /** Why it, or a part of it, could not be undone. */
      problem: z.optional(z.string()),
    }),
  ),
});
export type EditsEntry = z.infer<typeof editsEntrySchema>;

/** A stretch of a file that a turn changed and that is to be reviewed. */
const shownHunkSchema = z.object({
  key: z.string(),
  /** Where it stands now, counted from 1. */
  line: z.number(),
  lines: z.array(z.object({ kind: z.enum(['added', 'removed']), text: z.string() })),
  /** How many lines are not shown. */
  more: z.number(),
  /** Somebody else changed it since, so it cannot be undone. */
  isEdited: z.boolean(),
});
export type ShownHunk = z.infer<typeof shownHunkSchema>;

const hunksLoadedSchema = z.object({
  type: z.literal('hunksLoaded'),
  id: z.string(),
  path: z.string(),
  hunks: z.array(shownHunkSchema),
  /** How many hunks are not shown. */
  more: z.number(),
  /** Why they are not known. */
  problem: z.optional(z.string()),
});
export type HunksLoaded = z.infer<typeof hunksLoadedSchema>;

const decideHunksSchema = z.object({
  type: z.literal('decideHunks'),
  id: z.string(),
  decision: z.enum(['keep', 'undo']),
  /** Absent: of all files. */
  path: z.optional(z.string()),
  /** Absent: all hunks. */
  keys: z.optional(z.array(z.string())),
});
export type DecideHunks = z.infer<typeof decideHunksSchema>;

/** A checklist of the work that a model keeps. */
export const planSchema = z.object({
  /** The step that is worked on, and which of how many it is. */
  line: z.string(),
  steps: z.array(z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) })),
});
export type Plan = z.infer<typeof planSchema>;

export const toolEvents = [
  /** Without it there is none any more. */
  z.object({ type: z.literal('planChanged'), plan: z.optional(planSchema) }),
  /** What is to be reviewed of a file at this moment. */
  hunksLoadedSchema,
  /** A known tool call or changed files, as they are now. */
  z.object({
    type: z.literal('entryChanged'),
    entry: z.discriminatedUnion('type', [toolEntrySchema, editsEntrySchema]),
  }),
] as const;

export const toolCommands = [
  /** The user's answer to a tool call that asks. `always`: for this tool in this conversation, or for what the question says. */
  z.object({
    type: z.literal('answerTool'),
    id: z.string(),
    decision: z.enum(['allow', 'always', 'deny']),
    /** Why it was denied; the model reads it. */
    reason: z.optional(z.string()),
  }),
  /** Shows the edit that a call asks about in the editor. */
  z.object({ type: z.literal('showProposal'), id: z.string(), path: z.string() }),
] as const;

/** Commands about versions of the conversation, and about what its turns changed in files. */
export const changeCommands = [
  /** Ask again for the answer with this id; it and what follows stay as another version. */
  z.object({ type: z.literal('retryTurn'), id: z.string() }),
  /** Show the version of a message or an answer before or after this one. */
  z.object({
    type: z.literal('chooseVersion'),
    id: z.string(),
    direction: z.enum(['previous', 'next']),
  }),
  /** Shows what a turn changed against the state before it; without a path, in all files. */
  z.object({ type: z.literal('showChanges'), id: z.string(), path: z.optional(z.string()) }),
  decideHunksSchema,
  /** Restore the state before this message; the user is asked what of it. */
  z.object({ type: z.literal('restoreCheckpoint'), id: z.string() }),
  /** `hunksLoaded` answers it. */
  z.object({ type: z.literal('loadHunks'), id: z.string(), path: z.string() }),
] as const;
export type ChangeCommand = z.infer<(typeof changeCommands)[number]>;
