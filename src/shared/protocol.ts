import * as z from 'zod/mini';
import { appEvents, appCommands, appViewSchema } from './apps.ts';
import { branchCommands, branchEvents, branchTargetSchema } from './branches.ts';
import { attachmentChipSchema, attachmentEvents, attachmentCommands } from './attachments.ts';
import { contextCommands, contextEvents } from './context.ts';
import { remedySchema } from './failure.ts';
import { knowledgeEvents, knowledgeCommands, knowledgeSchema } from './knowledge.ts';
import { locationSchema } from './location.ts';
import { navigationCommands, navigationEvents } from './navigation.ts';
import { modeCommands, modeEvents, permissionsSchema } from './modes.ts';
import { parameterCommands, parameterEvents } from './parameters.ts';
import { toldCommands, toldEvents } from './told.ts';
import { changeCommands, toolCommands, toolEvents } from './tools.ts';
import {
  connectionSchema,
  entryEndSchema,
  entrySchema,
  modelsSchema,
  statusSchema,
  toolCountSchema,
} from './transcript.ts';

/**
 * Everything the page and the extension host say to each other. Messages to the host are commands, messages to the
 * page are events. Both ends parse: the page's content is hostile input to the host, and a stale page must not
 * follow messages it does not know.
 */

/** A message that waits for the call that runs, or for the turns before it. */
export const queuedMessageSchema = z.object({
  id: z.string(),
  text: z.string(),
  /** How many. */
  attachments: z.number(),
  /** It is handed in after the call that runs. */
  steers: z.optional(z.literal(true)),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/** What the editor would say in a notification, which would lie over the message box. */
export const panelNoticeSchema = z.object({
  id: z.string(),
  severity: z.enum(['information', 'warning', 'error']),
  text: z.string(),
  /** Labels of buttons. */
  actions: z.array(z.string()),
  /** Something is under way, and the text says how far it is. */
  isProgress: z.optional(z.boolean()),
});
export type PanelNotice = z.infer<typeof panelNoticeSchema>;

/** A stretch of the conversation's entries, which has `total` of them in all. The page asks for others. */
const stretchSchema = z.object({
  /** The place of the first of them in the conversation, counted from 0. */
  first: z.number(),
  entries: z.array(entrySchema),
  total: z.number(),
  /** Only the end of the conversation was read yet. Places before the first one can be asked for. */
  isEndOnly: z.optional(z.boolean()),
});
export type Stretch = z.infer<typeof stretchSchema>;

/** At most this many entries are sent in one stretch. */
export const longestStretch = 60;

/** The whole of what a fresh page needs; of long conversations it is a stretch of their entries, mostly the newest. */
export const panelStateSchema = z.object({
  ...stretchSchema.shape,
  /** Of the conversation. */
  chatId: z.string(),
  /** The conversation is still being read: all but it is there. */
  isOpening: z.optional(z.literal(true)),
  draft: z.string(),
  attachments: z.array(attachmentChipSchema),
  queue: z.array(queuedMessageSchema),
  branchTarget: z.optional(branchTargetSchema),
  notices: z.array(panelNoticeSchema),
  knowledge: knowledgeSchema,
  status: statusSchema,
  connection: connectionSchema,
  models: modelsSchema,
  tools: toolCountSchema,
  permissions: permissionsSchema,
  /** The host's clock, in epoch milliseconds: it may run on another computer than the page. */
  nowMs: z.number(),
  /** Absent while a model gets the next message. */
  app: z.optional(appViewSchema),
});
export type PanelState = z.infer<typeof panelStateSchema>;

export const toPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stateReplaced'), state: panelStateSchema }),
  /** It stands at this place of the conversation now; one that is known by its id is replaced. */
  z.object({ type: z.literal('entryAdded'), entry: entrySchema, index: z.number(), total: z.number() }),
  z.object({ type: z.literal('textAdded'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('reasoningAdded'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('entryEnded'), id: z.string(), end: entryEndSchema }),
  /** It had ended, and more of it comes. */
  z.object({ type: z.literal('answerContinued'), id: z.string() }),
  z.object({ type: z.literal('textReplaced'), id: z.string(), text: z.string() }),
  /** What stood from this place on is gone; these stand there now, and nothing after them. */
  z.object({ type: z.literal('entriesReplaced'), from: z.number(), entries: z.array(entrySchema) }),
  /** All of the conversation was read: each entry stands this much further down than in its end alone. */
  z.object({ type: z.literal('entriesShifted'), by: z.number() }),
  /** Those that were asked for. */
  z.extend(stretchSchema, { type: z.literal('entriesLoaded'), requestId: z.number() }),
  z.object({ type: z.literal('statusChanged'), status: statusSchema }),
  z.object({ type: z.literal('connectionChanged'), connection: connectionSchema }),
  z.object({ type: z.literal('modelsChanged'), models: modelsSchema }),
  z.object({ type: z.literal('toolsChanged'), tools: toolCountSchema }),
  z.object({ type: z.literal('queueChanged'), queue: z.array(queuedMessageSchema) }),
  z.object({ type: z.literal('draftReplaced'), text: z.string() }),
  z.object({ type: z.literal('messageBoxFocused') }),
  z.object({ type: z.literal('noticesChanged'), notices: z.array(panelNoticeSchema) }),
  /** The user is to choose a model. */
  z.object({ type: z.literal('modelPickerOpened') }),
  ...toolEvents,
  ...branchEvents,
  ...attachmentEvents,
  ...knowledgeEvents,
  ...modeEvents,
  ...navigationEvents,
  ...toldEvents,
  ...contextEvents,
  ...parameterEvents,
  ...appEvents,
]);
export type ToPage = z.infer<typeof toPageSchema>;

/** Tells the page something, if there is one. */
export type PostToPage = (message: ToPage) => void;

export const toHostSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    /** Up to where a page that was hidden had scrolled; that entry is wanted, if the conversation is still the same. */
    position: z.optional(z.object({ chatId: z.string(), id: z.string() })),
  }),
  z.object({
    type: z.literal('sendMessage'),
    text: z.string(),
    /** Not before what runs has ended; else it is handed in after the call that runs. */
    later: z.optional(z.literal(true)),
  }),
  z.object({ type: z.literal('stopTurn') }),
  /** Now, in place of what runs. */
  z.object({ type: z.literal('sendQueued'), id: z.string() }),
  /** Take it from the queue back into the message box. */
  z.object({ type: z.literal('editQueued'), id: z.string() }),
  z.object({ type: z.literal('removeQueued'), id: z.string() }),
  /** Go on with this answer where it was cut off; what comes is added to it. */
  z.object({ type: z.literal('continueAnswer'), id: z.string() }),
  /** Prompt files whose names have what follows a slash at the beginning of the message; `mentionsFound` answers it. */
  z.object({ type: z.literal('findPrompts'), requestId: z.number(), query: z.string() }),
  z.object({ type: z.literal('chooseTools') }),
  z.object({ type: z.literal('openLocation'), location: locationSchema }),
  z.object({ type: z.literal('selectModel'), modelId: z.string() }),
  z.object({ type: z.literal('toggleFavourite'), modelId: z.string() }),
  z.object({ type: z.literal('loadModels') }),
  /** From one place of the conversation up to another, as far as there are any. */
  z.object({ type: z.literal('loadEntries'), requestId: z.number(), from: z.number(), to: z.number() }),
  z.object({ type: z.literal('changeDraft'), text: z.string() }),
  z.object({ type: z.literal('applyRemedy'), remedy: remedySchema, id: z.optional(z.string()) }),
  /** A button of a notice was pressed, or it was dismissed. */
  z.object({ type: z.literal('answerNotice'), id: z.string(), action: z.optional(z.string()) }),
  z.object({ type: z.literal('openLink'), href: z.string() }),
  z.object({ type: z.literal('copyText'), text: z.string() }),
  z.object({ type: z.literal('insertText'), text: z.string() }),
  ...toolCommands,
  ...changeCommands,
  ...branchCommands,
  ...attachmentCommands,
  ...knowledgeCommands,
  ...modeCommands,
  ...navigationCommands,
  ...toldCommands,
  ...contextCommands,
  ...parameterCommands,
  ...appCommands,
]);
export type ToHost = z.infer<typeof toHostSchema>;
