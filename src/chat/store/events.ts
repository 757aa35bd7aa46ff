import * as z from 'zod/mini';
import type { StallState } from '../../apps/app.ts';
import { errorCodes } from '../../base/errors/errors.ts';
import { pictureFilePattern } from '../../base/files/pictureFiles.ts';
import { pictureTypes } from '../../base/files/pictureFormats.ts';
import { findingsSchema, knowledgeBaseSchema } from '../../tools/knowledge/source.ts';
import { appEventSchemas } from '../apps/appEvents.ts';
import { approvalLevels } from '../modes/mode.ts';
import { attachmentSchema, attachmentSourceSchema } from '../attachments/attachment.ts';
import { callSchema } from '../calls/call.ts';
import { adaptations } from '../../relay/messages.ts';
import { reasoningEfforts } from '../../relay/parameters.ts';

export type { KnowledgeBase, Source } from '../../tools/knowledge/source.ts';

/** Events of a conversation: applied to the open one, stored one per line, and shown by the panel. */

const usageSchema = z.object({
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  totalTokens: z.optional(z.number()),
  cachedTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
  cost: z.optional(
    z.object({
      amount: z.number(),
      currency: z.string(),
      kind: z.enum(['charged', 'estimate', 'atMost', 'withoutGroup']),
    }),
  ),
});

const signedReasoningSchema = z.union([
  z.object({ text: z.string(), signature: z.string() }),
  z.object({ redacted: z.string() }),
  z.object({ item: z.record(z.string(), z.unknown()) }),
]);

const failureRecordSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  why: z.optional(z.string()),
  details: z.optional(
    z.object({
      status: z.optional(z.number()),
      code: z.optional(z.string()),
      requestId: z.optional(z.string()),
      response: z.optional(z.string()),
      systemError: z.optional(z.string()),
    }),
  ),
});

/** Reason for an answer's end. `called`: tool calls follow; `interrupted`: set on load after the editor closed. */
const answerEndSchema = z.object({
  reason: z.enum(['answered', 'called', 'length', 'filtered', 'stopped', 'failed', 'interrupted']),
  failure: z.optional(failureRecordSchema),
  mayBeBilled: z.optional(z.boolean()),
  usage: z.optional(usageSchema),
});
export type AnswerEnd = z.infer<typeof answerEndSchema>;

const answerPictureSchema = z.object({
  file: z.string().check(z.regex(pictureFilePattern)),
  type: z.enum(pictureTypes),
  bytes: z.number(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
});
export type AnswerPicture = z.infer<typeof answerPictureSchema>;

const locationSchema = z.object({
  path: z.string(),
  line: z.optional(z.number()),
  endLine: z.optional(z.number()),
});

/** State of a call without an outcome. Stored, so that calls awaiting approval are known on load. */
export const toolStateSchema = z.enum(['asking', 'running']);
export type ToolState = z.infer<typeof toolStateSchema>;

/** A tool call's only outcome; the model reads `content`. */
const toolOutcomeSchema = z.object({
  state: z.enum(['done', 'failed', 'denied', 'stopped']),
  content: z.string(),
  durationMs: z.number(),
  locations: z.optional(z.array(locationSchema)),
  withheld: z.optional(z.array(z.string())),
  findings: z.optional(findingsSchema),
  count: z.optional(z.number()),
  hasMore: z.optional(z.boolean()),
  /** Instruction files appended to the content, each at most once per conversation. */
  instructions: z.optional(z.array(z.object({ path: z.string(), bytes: z.number(), hash: z.string() }))),
  note: z.optional(z.string()),
  isInBackground: z.optional(z.boolean()),
  changed: z.optional(z.object({ added: z.number(), removed: z.number() })),
  /** Reason why the call didn't run; it can still be continued. */
  unrun: z.optional(z.enum(['closed', 'stopped', 'steered'])),
  /** The window closed during the call, so its effects are unknown. */
  isInterrupted: z.optional(z.literal(true)),
  refusedBy: z.optional(z.string()),
  /** Ids of background commands whose reports follow the content. */
  reported: z.optional(z.array(z.string())),
});
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;

const searchOutcomeSchema = z.object({
  query: z.string(),
  content: z.string(),
  findings: findingsSchema,
  durationMs: z.number(),
});
export type SearchOutcome = z.infer<typeof searchOutcomeSchema>;

const noticeKinds = [
  'tools-refused',
  /** `detail`: the unsupported parameter, or `reasoningEffort=` and the value. */
  'parameter-refused',
  /** Later requests use another form; `detail`: the model's id. */
  ...adaptations,
  /** `detail`: the failed model and, on the next line, the reason. */
  'fallback',
  'round-limit',
  'same-call',
  /** `detail`: the count. Replaced under the same id as it grows. */
  'results-shortened',
  /** `detail`: the learned context window, in tokens. */
  'context-refused',
  'nothing-to-compact',
  /** `detail`: the reason. The conversation is unchanged. */
  'compaction-failed',
  'knowledge-not-searched',
  /** `detail`: names of the knowledge bases without results. */
  'knowledge-empty',
  /** No knowledge base could be searched; `detail`: each with its reason. */
  'knowledge-failed',
  /** Some knowledge bases couldn't be searched; `detail`: each with its reason. */
  'knowledge-incomplete',
  /** An edit in the user's editor; `detail`: the instruction. */
  'inline-edit',
  /** A code block of an answer was applied to a file; `detail`: its path. */
  'code-applied',
  /** Values of an app's form; `detail`: one per line. */
  'app-inputs',
  /** A background command ended with its window; `detail`: the command. */
  'command-lost',
  /** The app knows only messages sent to it; `detail`: its name. */
  'app-apart',
  /** The run waits for human input; `detail`: the kind. Only in conversations of 0.1.0. */
  'app-waits',
  /** Only part of the platform's conversation was loaded; `detail`: the number of messages. */
  'app-cut',
  /** `detail`: reasons, separated by commas. Replaced under the same id as more follow. */
  'pictures-omitted',
  'imported',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const windowMarkSchema = z.object({ id: z.string(), pid: z.number(), host: z.string() });

const appliedEditSchema = z.object({
  path: z.string(),
  realPath: z.string(),
  before: z.optional(z.string()),
  beforeHash: z.optional(z.string()),
  afterHash: z.optional(z.string()),
  /** Total lines added and removed by the file's edits up to this one. */
  added: z.optional(z.number()),
  removed: z.optional(z.number()),
  isInline: z.optional(z.literal(true)),
  isUnfinished: z.optional(z.literal(true)),
});

const parametersSchema = z.object({
  temperature: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
  reasoningEffort: z.optional(z.enum(reasoningEfforts)),
});

const undoProblemSchema = z.object({
  /** `changed`: by someone else; `gone`: no file; `lost`: earlier text no longer stored; `failed`: see `why`. */
  reason: z.enum(['changed', 'gone', 'lost', 'failed']),
  why: z.optional(z.string()),
});
export type UndoProblem = z.infer<typeof undoProblemSchema>;

/** Remaining hunks of the text with this hash. */
const openReviewSchema = z.object({
  textHash: z.string(),
  hunks: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      before: z.string(),
      isEdited: z.optional(z.literal(true)),
    }),
  ),
  isNew: z.optional(z.literal(true)),
});

/** A file with decided hunks. Without `open` and `problem`, its review is complete. */
const reviewedFileSchema = z.object({
  path: z.string(),
  open: z.optional(openReviewSchema),
  problem: z.optional(undoProblemSchema),
  undone: z.optional(z.object({ added: z.number(), removed: z.number() })),
  /** Hashes of the file's text after and before an undo; a missing one stands for no file. */
  redo: z.optional(z.object({ fromHash: z.optional(z.string()), toHash: z.optional(z.string()) })),
});
export type ReviewedFile = z.infer<typeof reviewedFileSchema>;

export const chatEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('modelSelected'), modelId: z.string() }),
  /** A built-in mode's id or the path of a mode file; holds from the next call. */
  z.object({ type: z.literal('modeSelected'), modeId: z.string() }),
  z.object({ type: z.literal('approvalsSelected'), level: z.enum(approvalLevels) }),
  z.object({ type: z.literal('parametersChosen'), parameters: parametersSchema }),
  /** All current choices, recorded with each message for readers of only the conversation's end. */
  z.object({
    type: z.literal('settingsRepeated'),
    modelId: z.optional(z.string()),
    modeId: z.optional(z.string()),
    approvals: z.enum(approvalLevels),
    bases: z.array(knowledgeBaseSchema),
    parameters: z.optional(parametersSchema),
  }),
  z.object({
    type: z.literal('modeTold'),
    id: z.string(),
    mode: z.object({ id: z.string(), name: z.string() }),
    text: z.string(),
    isRepeated: z.optional(z.literal(true)),
  }),
  z.object({
    type: z.literal('userMessageAdded'),
    id: z.string(),
    text: z.string(),
    attachments: z.optional(z.array(attachmentSchema)),
    /** Sources in attachment order, to attach them again when the message is edited. */
    sources: z.optional(z.array(attachmentSourceSchema)),
    /** Only these tools run for the message; set by a prompt file. */
    tools: z.optional(z.array(z.string())),
  }),
  /** Instruction files in the system text, frozen: a changed file would change every request's beginning. */
  z.object({
    type: z.literal('instructionsRead'),
    files: z.array(z.object({ path: z.string(), text: z.string(), cutFrom: z.optional(z.number()) })),
    off: z.optional(z.array(z.string())),
  }),
  /** Context sent before the message, frozen so that later requests repeat it exactly. */
  z.object({
    type: z.literal('contextAdded'),
    id: z.string(),
    text: z.string(),
    at: z.number(),
    knowledge: z.optional(z.array(z.string())),
    reported: z.optional(z.array(z.string())),
  }),
  z.object({ type: z.literal('answerContinued'), id: z.string() }),
  z.object({ type: z.literal('answerStarted'), id: z.string(), model: z.string() }),
  z.object({ type: z.literal('reasoningAdded'), id: z.string(), text: z.string() }),
  /** The model reasoned that long before it went on; adds up in a continued answer. */
  z.object({ type: z.literal('reasoningEnded'), id: z.string(), durationMs: z.number() }),
  /** The same reasoning in the signed form that its vendor accepts back. */
  z.object({ type: z.literal('reasoningSigned'), id: z.string(), blocks: z.array(signedReasoningSchema) }),
  z.object({ type: z.literal('textAdded'), id: z.string(), text: z.string() }),
  /** Replaces shown text that wasn't all meant for reading. */
  z.object({ type: z.literal('textReplaced'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('pictureAdded'), id: z.string(), picture: answerPictureSchema }),
  z.object({ type: z.literal('toolsCalled'), id: z.string(), calls: z.array(callSchema) }),
  z.object({ type: z.literal('toolStateChanged'), id: z.string(), state: toolStateSchema }),
  /** Calls that didn't run and are continued; their outcomes are removed. */
  z.object({ type: z.literal('callsReopened'), ids: z.array(z.string()) }),
  z.object({ type: z.literal('toolFinished'), id: z.string(), outcome: toolOutcomeSchema }),
  /** Announces a write to a file. Followed by `editMade` or `editNotMade`, or nothing if the call has finished. */
  z.object({
    type: z.literal('editBegun'),
    edit: appliedEditSchema,
    folders: z.optional(z.array(z.string())),
    /** An edit outside any call: the user's instruction, or the file of an applied block, and the writing window. */
    inline: z.optional(
      z.object({
        instruction: z.string(),
        window: windowMarkSchema,
        kind: z.optional(z.literal('code-applied')),
      }),
    ),
  }),
  z.object({ type: z.literal('editNotMade'), realPath: z.string() }),
  /** Recorded at once, so that the edit can be undone if the window closes mid-turn. */
  z.object({
    type: z.literal('editMade'),
    edit: appliedEditSchema,
    folders: z.optional(z.array(z.string())),
  }),
  /** The turn has ended. Without `edits`, it has those of the preceding `editMade` events. */
  z.object({
    type: z.literal('editsMade'),
    id: z.string(),
    edits: z.optional(z.array(appliedEditSchema)),
    folders: z.optional(z.array(z.string())),
  }),
  z.object({ type: z.literal('hunksKept'), id: z.string(), files: z.array(reviewedFileSchema) }),
  z.object({ type: z.literal('hunksUndone'), id: z.string(), files: z.array(reviewedFileSchema) }),
  /** Undone changes were made again and are to be reviewed again. */
  z.object({ type: z.literal('hunksRedone'), id: z.string(), files: z.array(reviewedFileSchema) }),
  /** A command continues in this window's background until the window closes; its id names its output. */
  z.object({
    type: z.literal('backgroundCommandStarted'),
    id: z.string(),
    line: z.string(),
    window: windowMarkSchema,
  }),
  /** The command or its window ended; the next message or result tells the model. */
  z.object({ type: z.literal('backgroundCommandEnded'), id: z.string(), report: z.string() }),
  /** Files that the editor saw changing during a command; their earlier text is unknown. */
  z.object({ type: z.literal('commandChangedFiles'), paths: z.array(z.string()), more: z.number() }),
  /** This window is about to restore these files. An empty list means that nothing was restored. */
  z.object({
    type: z.literal('restorationBegun'),
    id: z.string(),
    toId: z.string(),
    edits: z.array(appliedEditSchema),
    window: windowMarkSchema,
  }),
  z.object({
    type: z.literal('checkpointRestored'),
    id: z.string(),
    toId: z.string(),
    isConversation: z.optional(z.literal(true)),
    edits: z.optional(z.array(appliedEditSchema)),
    folders: z.optional(z.array(z.string())),
    problems: z.optional(z.array(z.extend(undoProblemSchema, { path: z.string() }))),
  }),
  z.object({ type: z.literal('answerEnded'), id: z.string(), end: answerEndSchema }),
  z.object({
    type: z.literal('noticed'),
    id: z.string(),
    kind: z.enum(noticeKinds),
    detail: z.optional(z.string()),
  }),
  /** Earlier items are sent as the model's summary; without `text` they are omitted, and `problem` has the reason. */
  z.object({
    type: z.literal('turnsSummarised'),
    id: z.string(),
    beforeId: z.string(),
    text: z.optional(z.string()),
    problem: z.optional(z.string()),
    usage: z.optional(usageSchema),
  }),
  /** The model's title is stored beside the conversation; absent if the model gave none. */
  z.object({
    type: z.literal('titleWritten'),
    title: z.optional(z.string()),
    usage: z.optional(usageSchema),
  }),
  /** Token limits of sent results by item id; null sends them whole again. Stored items stay complete. */
  z.object({
    type: z.literal('resultsShortened'),
    results: z.record(z.string(), z.nullable(z.number().check(z.nonnegative()))),
  }),
  z.object({ type: z.literal('knowledgeChosen'), bases: z.array(knowledgeBaseSchema) }),
  /** The search for the preceding user message; its results are sent with the message. */
  z.object({ type: z.literal('knowledgeSearched'), id: z.string(), outcome: searchOutcomeSchema }),
  /** A queued message; `userMessageAdded` with the same id removes it from the queue. */
  z.object({
    type: z.literal('messageQueued'),
    id: z.string(),
    text: z.string(),
    attachments: z.optional(z.array(attachmentSchema)),
    sources: z.optional(z.array(attachmentSourceSchema)),
    steers: z.optional(z.literal(true)),
    /** The user's own words, if a prompt file supplied the text and choices. */
    typed: z.optional(z.string()),
    tools: z.optional(z.array(z.string())),
    modeId: z.optional(z.string()),
    modelId: z.optional(z.string()),
  }),
  z.object({ type: z.literal('queuedMessageRemoved'), id: z.string() }),
  /** Permanently removes this item and all after it; nothing in them was said. */
  z.object({ type: z.literal('itemsRemoved'), fromId: z.string() }),
  /** Following items are another version of this one and its successors, which stay as a branch. */
  z.object({ type: z.literal('versionStarted'), ofId: z.string() }),
  /** The user deleted this message and all after it. `versionChosen` with its id restores them. */
  z.object({ type: z.literal('branchDeleted'), fromId: z.string() }),
  /** The path leads through this item and continues as it last did. */
  z.object({ type: z.literal('versionChosen'), id: z.string() }),
  ...appEventSchemas,
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;

export type ChatStatus =
  | { type: 'idle' }
  | { type: 'runningElsewhere' }
  | { type: 'connecting' }
  | { type: 'searching' }
  | { type: 'summarising' }
  | { type: 'waiting'; sinceMs: number }
  | { type: 'answering' }
  /** `readsInput`: a command may wait for input in its terminal. */
  | { type: 'runningTools'; readsInput?: true }
  | { type: 'uploading'; name: string }
  | { type: 'runningStep'; title: string }
  /** Since `sinceMs`, the platform has sent only keep-alives. */
  | { type: 'stalled'; state: StallState; sinceMs: number }
  | { type: 'asking' }
  | { type: 'retrying'; untilMs: number; why: string };
