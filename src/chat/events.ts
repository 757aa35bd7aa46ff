import * as z from 'zod/mini';
import type { StallState } from '../apps/app.ts';
import { errorCodes } from '../base/errors.ts';
import { findingsSchema, knowledgeBaseSchema } from '../tools/knowledge/source.ts';
import { appEventSchemas } from './apps/appEvents.ts';
import { approvalLevels } from './modes/mode.ts';
import { attachmentSchema, attachmentSourceSchema } from './attachments/attachment.ts';
import { callSchema } from './calls/call.ts';
import { reasoningEfforts } from '../relay/parameters.ts';

export type { KnowledgeBase, Source } from '../tools/knowledge/source.ts';

/**
 * What happens in a conversation. The same records are applied to the open conversation, written to its file one
 * line each, and shown by the panel, so there is one account of it. Files come back from disk: they are parsed.
 */

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
      kind: z.enum(['charged', 'estimate', 'atMost']),
    }),
  ),
});

const signedReasoningSchema = z.union([
  z.object({ text: z.string(), signature: z.string() }),
  z.object({ redacted: z.string() }),
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

/**
 * The one named reason an answer ended for. `called`: it ended in tool calls and the turn goes on.
 * `interrupted` is found on load: the editor went away in the middle.
 */
export const answerEndSchema = z.object({
  reason: z.enum(['answered', 'called', 'length', 'filtered', 'stopped', 'failed', 'interrupted']),
  /** Why it failed, or why it was going to be asked again when the user stopped it. */
  failure: z.optional(failureRecordSchema),
  /** The user stopped it, and it may be charged as a whole. */
  mayBeBilled: z.optional(z.boolean()),
  usage: z.optional(usageSchema),
});
export type AnswerEnd = z.infer<typeof answerEndSchema>;

const locationSchema = z.object({
  path: z.string(),
  line: z.optional(z.number()),
  endLine: z.optional(z.number()),
});

/** What becomes of a call before it has an outcome. Kept, so that a call that was being asked about is known on load. */
export const toolStateSchema = z.enum(['asking', 'running']);
export type ToolState = z.infer<typeof toolStateSchema>;

/** How a tool call ended. `content` is what the model reads; every call gets exactly one. */
export const toolOutcomeSchema = z.object({
  state: z.enum(['done', 'failed', 'denied', 'stopped']),
  content: z.string(),
  durationMs: z.number(),
  locations: z.optional(z.array(locationSchema)),
  /** What the file policy blocked, in the user's language. */
  withheld: z.optional(z.array(z.string())),
  /** For a search of knowledge bases. */
  findings: z.optional(findingsSchema),
  /** How many were found, and whether there are more. */
  count: z.optional(z.number()),
  hasMore: z.optional(z.boolean()),
  /** Instruction files that stand behind the content: those for the files it is about, once in a conversation. */
  instructions: z.optional(z.array(z.object({ path: z.string(), bytes: z.number(), hash: z.string() }))),
  /** Why it failed, in the user's language, where the user had a part in it. */
  note: z.optional(z.string()),
  /** Of a command: it went on in the background. */
  isInBackground: z.optional(z.boolean()),
  /** Lines that an edit added and removed. */
  changed: z.optional(z.object({ added: z.number(), removed: z.number() })),
  /**
   * The call did not run, and can be gone on with: the window was closed, the turn was stopped, or the user sent a
   * message for the model to read first.
   */
  unrun: z.optional(z.enum(['closed', 'stopped', 'steered'])),
  /** The window was closed while it ran: nobody knows what it did. */
  isInterrupted: z.optional(z.literal(true)),
  /** The name of the mode that refused it. */
  refusedBy: z.optional(z.string()),
  /** Ids of commands in the background whose reports stand behind the content. */
  reported: z.optional(z.array(z.string())),
});
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;

/** How a search ended that was made before the question was sent. */
const searchOutcomeSchema = z.object({
  query: z.string(),
  /** What is put before the question. */
  content: z.string(),
  findings: findingsSchema,
  durationMs: z.number(),
});
export type SearchOutcome = z.infer<typeof searchOutcomeSchema>;

/** Something the user should know that is neither an answer nor a failure. */
export const noticeKinds = [
  'tools-refused',
  /** `detail`: the parameter, or `reasoningEffort=` and the value, that the model does not support. */
  'parameter-refused',
  'round-limit',
  'same-call',
  /** `detail`: how many. Added again with the same id when there are more. */
  'results-shortened',
  /** `detail`: the window that was learnt, in tokens. */
  'context-refused',
  /** Compacting would free too little. */
  'nothing-to-compact',
  /** The conversation was to be compacted and stays as it is; `detail`: why. */
  'compaction-failed',
  /** Knowledge bases are chosen and the model did not search them. */
  'knowledge-not-searched',
  /** `detail`: the names of those in which nothing was found. */
  'knowledge-empty',
  /** None could be searched; `detail`: each with its reason. */
  'knowledge-failed',
  /** Some could not be searched; `detail`: each with its reason. */
  'knowledge-incomplete',
  /** The user had a part of a file edited in its editor; `detail`: what was to be done. */
  'inline-edit',
  /** What the form of an app was filled in with; `detail`: a line each. */
  'app-inputs',
  /** A command in the background ended with its window; `detail`: the command. */
  'command-lost',
  /** The app knows nothing of what others said here; `detail`: its name. */
  'app-apart',
  /** The run waits for human input on the platform; `detail`: for what. In conversations of 0.1.0. */
  'app-waits',
  /** Not all of what the platform keeps was loaded; `detail`: how many were. */
  'app-cut',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const windowMarkSchema = z.object({ id: z.string(), pid: z.number(), host: z.string() });

const appliedEditSchema = z.object({
  path: z.string(),
  realPath: z.string(),
  before: z.optional(z.string()),
  beforeHash: z.optional(z.string()),
  afterHash: z.optional(z.string()),
  /** Lines that the edits of the file up to this one have added and removed together. */
  added: z.optional(z.number()),
  removed: z.optional(z.number()),
  isInline: z.optional(z.literal(true)),
});

const parametersSchema = z.object({
  temperature: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
  reasoningEffort: z.optional(z.enum(reasoningEfforts)),
});

/** What could not be undone in a file, and why. */
const undoProblemSchema = z.object({
  /** `changed`: by somebody else since; `gone`; `lost`: the text before is not kept any more; `failed`: see `why`. */
  reason: z.enum(['changed', 'gone', 'lost', 'failed']),
  why: z.optional(z.string()),
});
export type UndoProblem = z.infer<typeof undoProblemSchema>;

/** A file on whose hunks the user decided. With neither `open` nor `problem` nothing is left to review. */
const reviewedFileSchema = z.object({
  path: z.string(),
  /** What is left, of the text with this hash. */
  open: z.optional(
    z.object({
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
    }),
  ),
  problem: z.optional(undoProblemSchema),
  /** Lines that came and went with the hunks that are put back now. */
  undone: z.optional(z.object({ added: z.number(), removed: z.number() })),
});
export type ReviewedFile = z.infer<typeof reviewedFileSchema>;

export const chatEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('modelSelected'), modelId: z.string() }),
  /** One of the built-in modes, or the path of the file that describes it; it holds from the next call on. */
  z.object({ type: z.literal('modeSelected'), modeId: z.string() }),
  z.object({ type: z.literal('approvalsSelected'), level: z.enum(approvalLevels) }),
  /** What is sent with each request from now on; for what is absent the settings count. */
  z.object({ type: z.literal('parametersChosen'), parameters: parametersSchema }),
  /** All that is chosen as a message is sent: who reads only the end of a long conversation finds it there. */
  z.object({
    type: z.literal('settingsRepeated'),
    modelId: z.optional(z.string()),
    modeId: z.optional(z.string()),
    approvals: z.enum(approvalLevels),
    bases: z.array(knowledgeBaseSchema),
    parameters: z.optional(parametersSchema),
  }),
  /** The mode in which this message of the user is answered, and what the model is told of it. */
  z.object({
    type: z.literal('modeTold'),
    id: z.string(),
    mode: z.object({ id: z.string(), name: z.string() }),
    text: z.string(),
    /** The text only refers to one that was told before. */
    isRepeated: z.optional(z.literal(true)),
  }),
  z.object({
    type: z.literal('userMessageAdded'),
    id: z.string(),
    text: z.string(),
    attachments: z.optional(z.array(attachmentSchema)),
    /** Of the attachments, in their order, to attach them again where the message is edited. */
    sources: z.optional(z.array(attachmentSourceSchema)),
    /** The only tools that run for it, which a prompt file of the project named. */
    tools: z.optional(z.array(z.string())),
  }),
  /**
   * The project's instruction files that stand in the system text from now on, as they were then: a file that changes
   * would change the beginning of every request.
   */
  z.object({
    type: z.literal('instructionsRead'),
    files: z.array(z.object({ path: z.string(), text: z.string(), cutFrom: z.optional(z.number()) })),
    /** Paths of files that were switched off then. */
    off: z.optional(z.array(z.string())),
  }),
  /** What is put before this message when it is sent, from now on; it is frozen, so that what was sent is sent again. */
  z.object({
    type: z.literal('contextAdded'),
    id: z.string(),
    text: z.string(),
    /** When it was sent, in epoch milliseconds. */
    at: z.number(),
    /** Names of the knowledge bases that were chosen then. */
    knowledge: z.optional(z.array(z.string())),
    /** Ids of commands in the background whose reports are in it. */
    reported: z.optional(z.array(z.string())),
  }),
  /** What comes next is added to this answer, which had ended too early. */
  z.object({ type: z.literal('answerContinued'), id: z.string() }),
  z.object({ type: z.literal('answerStarted'), id: z.string(), model: z.string() }),
  z.object({ type: z.literal('reasoningAdded'), id: z.string(), text: z.string() }),
  /** The same reasoning in the form in which its vendor takes it back. */
  z.object({ type: z.literal('reasoningSigned'), id: z.string(), blocks: z.array(signedReasoningSchema) }),
  z.object({ type: z.literal('textAdded'), id: z.string(), text: z.string() }),
  /** The whole text, where what had been shown was not all meant for reading. */
  z.object({ type: z.literal('textReplaced'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('toolsCalled'), id: z.string(), calls: z.array(callSchema) }),
  /** The user is asked about a call, or it runs. */
  z.object({ type: z.literal('toolStateChanged'), id: z.string(), state: toolStateSchema }),
  /** These calls did not run and are gone on with: they have no outcome any more. */
  z.object({ type: z.literal('callsReopened'), ids: z.array(z.string()) }),
  z.object({ type: z.literal('toolFinished'), id: z.string(), outcome: toolOutcomeSchema }),
  /**
   * The file is about to be written. What comes of it is the next `editMade` or `editNotMade` of it, or nothing when its call
   * has finished.
   */
  z.object({
    type: z.literal('editBegun'),
    edit: appliedEditSchema,
    folders: z.optional(z.array(z.string())),
    /** It is made in the editor, by no call: what the user asked for, and the window that writes it. */
    inline: z.optional(z.object({ instruction: z.string(), window: windowMarkSchema })),
  }),
  z.object({ type: z.literal('editNotMade'), realPath: z.string() }),
  /** Known at once, so that it can be taken back when the window is closed in the middle of the turn. */
  z.object({
    type: z.literal('editMade'),
    edit: appliedEditSchema,
    /** Folders that were made for the file. */
    folders: z.optional(z.array(z.string())),
  }),
  /** The turn has ended. Without `edits`: those of the `editMade` before it. */
  z.object({
    type: z.literal('editsMade'),
    id: z.string(),
    edits: z.optional(z.array(appliedEditSchema)),
    /** Folders that were made for new files. */
    folders: z.optional(z.array(z.string())),
  }),
  /** The user decided on hunks of what a turn changed: they need no review any more, or are put back. */
  z.object({ type: z.literal('hunksKept'), id: z.string(), files: z.array(reviewedFileSchema) }),
  z.object({ type: z.literal('hunksUndone'), id: z.string(), files: z.array(reviewedFileSchema) }),
  /** A command goes on in the background of this window: it ends with the window, and its id names its output. */
  z.object({
    type: z.literal('backgroundCommandStarted'),
    id: z.string(),
    line: z.string(),
    window: windowMarkSchema,
  }),
  /** It has ended, or its window has. The model is told so with the next message or result. */
  z.object({ type: z.literal('backgroundCommandEnded'), id: z.string(), report: z.string() }),
  /** These files changed while a command ran, as the editor saw it: what was in them before is not known. */
  z.object({ type: z.literal('commandChangedFiles'), paths: z.array(z.string()), more: z.number() }),
  /** These files are about to be put back by this window. Without any, nothing came of it. */
  z.object({
    type: z.literal('restorationBegun'),
    id: z.string(),
    toId: z.string(),
    edits: z.array(appliedEditSchema),
    window: windowMarkSchema,
  }),
  /** Files, the conversation or both were put back to what they were before a message, an answer or a restoration. */
  z.object({
    type: z.literal('checkpointRestored'),
    id: z.string(),
    toId: z.string(),
    isConversation: z.optional(z.literal(true)),
    /** What was changed in files for it; absent where files were not to be restored. */
    edits: z.optional(z.array(appliedEditSchema)),
    /** Folders that were made for files that are back. */
    folders: z.optional(z.array(z.string())),
    /** Files in which not all could be restored. */
    problems: z.optional(z.array(z.extend(undoProblemSchema, { path: z.string() }))),
  }),
  z.object({ type: z.literal('answerEnded'), id: z.string(), end: answerEndSchema }),
  z.object({
    type: z.literal('noticed'),
    id: z.string(),
    kind: z.enum(noticeKinds),
    detail: z.optional(z.string()),
  }),
  /**
   * All before this item is from now on sent as a summary, written by the model; without `text` it is left out, and
   * `problem` says why there is none.
   */
  z.object({
    type: z.literal('turnsSummarised'),
    id: z.string(),
    beforeId: z.string(),
    text: z.optional(z.string()),
    problem: z.optional(z.string()),
    /** What the summary cost. */
    usage: z.optional(usageSchema),
  }),
  /** The model gave the conversation a title, which is kept beside it; without one it was asked in vain. */
  z.object({
    type: z.literal('titleWritten'),
    title: z.optional(z.string()),
    /** What that cost. */
    usage: z.optional(usageSchema),
  }),
  /**
   * By the item's id, to how many tokens results are shortened where they are sent from now on; null: they are whole
   * again. The items themselves keep all they have.
   */
  z.object({
    type: z.literal('resultsShortened'),
    results: z.record(z.string(), z.nullable(z.number().check(z.nonnegative()))),
  }),
  /** The knowledge bases that answers are grounded in from now on; none, if the list is empty. */
  z.object({ type: z.literal('knowledgeChosen'), bases: z.array(knowledgeBaseSchema) }),
  /** They were searched for the user's message before this, which is sent with what was found. */
  z.object({ type: z.literal('knowledgeSearched'), id: z.string(), outcome: searchOutcomeSchema }),
  /** Sent when its turn comes: `userMessageAdded` with the same id takes it from the queue. */
  z.object({
    type: z.literal('messageQueued'),
    id: z.string(),
    text: z.string(),
    attachments: z.optional(z.array(attachmentSchema)),
    /** Of the attachments, in their order, to attach them again where the message is edited. */
    sources: z.optional(z.array(attachmentSourceSchema)),
    /** For the turn that ran then: handed in between two of its rounds, before what waits for its end. */
    steers: z.optional(z.literal(true)),
    /** What the user wrote, where a prompt file of the project became the text, and what that chose. */
    typed: z.optional(z.string()),
    tools: z.optional(z.array(z.string())),
    modeId: z.optional(z.string()),
    modelId: z.optional(z.string()),
  }),
  z.object({ type: z.literal('queuedMessageRemoved'), id: z.string() }),
  /** The item with this id and all after it are taken back for good: nothing in them was said. */
  z.object({ type: z.literal('itemsRemoved'), fromId: z.string() }),
  /** What comes next is another version of this item and all after it, which stay as a branch. */
  z.object({ type: z.literal('versionStarted'), ofId: z.string() }),
  /**
   * The user deleted this message and all after it. They stay in the file, and are back when `versionChosen` names the
   * message.
   */
  z.object({ type: z.literal('branchDeleted'), fromId: z.string() }),
  /** The conversation goes through this message or answer now, and from there the way it went last. */
  z.object({ type: z.literal('versionChosen'), id: z.string() }),
  ...appEventSchemas,
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;

/** What the open turn is doing; not part of the conversation and not stored. */
export type ChatStatus =
  | { type: 'idle' }
  /** In another window, which shows what it is doing. */
  | { type: 'runningElsewhere' }
  | { type: 'connecting' }
  /** Knowledge bases, before the question is sent. */
  | { type: 'searching' }
  | { type: 'summarising' }
  | { type: 'waiting'; sinceMs: number }
  | { type: 'answering' }
  /** `readsInput`: one of them may wait for what the user types in its terminal. */
  | { type: 'runningTools'; readsInput?: true }
  /** A file on its way to the platform. */
  | { type: 'uploading'; name: string }
  /** A step of a flow. */
  | { type: 'runningStep'; title: string }
  /** The platform sends only signs of life, since then. */
  | { type: 'stalled'; state: StallState; sinceMs: number }
  /** A call waits for the user's word. */
  | { type: 'asking' }
  | { type: 'retrying'; untilMs: number; why: string };
