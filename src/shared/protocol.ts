import * as z from 'zod/mini';
import { appEvents, appCommands, appViewSchema } from './apps.ts';
import { branchCommands, branchEvents, branchTargetSchema, messageEditSchema } from './branches.ts';
import { attachmentChipSchema, attachmentEvents, attachmentCommands, inBox } from './attachments.ts';
import { codeCommands, codeEvents, locationSchema } from './code.ts';
import { contextCommands, contextEvents, toldCommands, toldEvents } from './context.ts';
import { remedySchema } from './failure.ts';
import { knowledgeEvents, knowledgeCommands, knowledgeSchema } from './knowledge.ts';
import { navigationCommands, navigationEvents } from './navigation.ts';
import { modeCommands, modeEvents, permissionsSchema } from './modes.ts';
import { parameterCommands, parameterEvents } from './parameters.ts';
import { pictureCommands, pictureEvents } from './pictures.ts';
import { changeCommands, toolCommands, toolEvents } from './tools.ts';
import {
  connectionSchema,
  entryEndSchema,
  entrySchema,
  modelsSchema,
  statusSchema,
  toolCountSchema,
} from './transcript.ts';

/** Both ends parse: the page's content is hostile to the host, and a stale page must not act on unknown messages. */

const queuedMessageSchema = z.object({
  id: z.string(),
  text: z.string(),
  attachments: z.number(),
  /** True if it goes to the model after the running call. */
  steers: z.optional(z.literal(true)),
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/** A notice in the panel, where a notification would cover the message box. */
const panelNoticeSchema = z.object({
  id: z.string(),
  severity: z.enum(['information', 'warning', 'error']),
  text: z.string(),
  actions: z.array(z.string()),
  isProgress: z.optional(z.boolean()),
});
export type PanelNotice = z.infer<typeof panelNoticeSchema>;

const commandStarters = ['explainProject', 'reviewChanges'] as const;
const starterSchema = z.enum([...commandStarters, 'askKnowledge']);
export type Starter = z.infer<typeof starterSchema>;
const stretchSchema = z.object({
  /** 0-based place of the first entry. */
  first: z.number(),
  entries: z.array(entrySchema),
  total: z.number(),
  /** True if only the end was read; entries before it can be requested. */
  isEndOnly: z.optional(z.boolean()),
});
export type Stretch = z.infer<typeof stretchSchema>;

export const longestStretch = 60;

const panelStateSchema = z.object({
  ...stretchSchema.shape,
  chatId: z.string(),
  isOpening: z.optional(z.literal(true)),
  draft: z.string(),
  attachments: z.array(attachmentChipSchema),
  queue: z.array(queuedMessageSchema),
  branchTarget: z.optional(branchTargetSchema),
  edit: z.optional(messageEditSchema),
  starters: z.optional(z.array(starterSchema)),
  notices: z.array(panelNoticeSchema),
  knowledge: knowledgeSchema,
  status: statusSchema,
  connection: connectionSchema,
  models: modelsSchema,
  tools: toolCountSchema,
  permissions: permissionsSchema,
  /** The host's clock in epoch ms; it may run on another computer. */
  nowMs: z.number(),
  app: z.optional(appViewSchema),
});
export type PanelState = z.infer<typeof panelStateSchema>;

export const toPageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stateReplaced'), state: panelStateSchema }),
  z.object({ type: z.literal('entryAdded'), entry: entrySchema, index: z.number(), total: z.number() }),
  z.object({ type: z.literal('textAdded'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('reasoningAdded'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('reasoningEnded'), id: z.string(), durationMs: z.number() }),
  z.object({ type: z.literal('entryEnded'), id: z.string(), end: entryEndSchema }),
  z.object({ type: z.literal('answerContinued'), id: z.string() }),
  z.object({ type: z.literal('textReplaced'), id: z.string(), text: z.string() }),
  z.object({ type: z.literal('entriesReplaced'), from: z.number(), entries: z.array(entrySchema) }),
  z.object({ type: z.literal('entriesShifted'), by: z.number() }),
  z.extend(stretchSchema, { type: z.literal('entriesLoaded'), requestId: z.number() }),
  z.object({ type: z.literal('statusChanged'), status: statusSchema }),
  z.object({ type: z.literal('connectionChanged'), connection: connectionSchema }),
  z.object({ type: z.literal('modelsChanged'), models: modelsSchema }),
  z.object({ type: z.literal('toolsChanged'), tools: toolCountSchema }),
  z.object({ type: z.literal('queueChanged'), queue: z.array(queuedMessageSchema) }),
  z.object({ ...inBox, type: z.literal('draftReplaced'), text: z.string() }),
  z.object({ type: z.literal('messageBoxFocused') }),
  z.object({ type: z.literal('noticesChanged'), notices: z.array(panelNoticeSchema) }),
  z.object({ type: z.literal('modelPickerOpened') }),
  z.object({ type: z.literal('startersChanged'), starters: z.array(starterSchema) }),
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
  ...pictureEvents,
  ...codeEvents,
]);
export type ToPage = z.infer<typeof toPageSchema>;

export type PostToPage = (message: ToPage) => void;

export const toHostSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    /** Scroll position of the hidden page, used if the conversation is still the same. */
    position: z.optional(z.object({ chatId: z.string(), id: z.string() })),
  }),
  z.object({
    ...inBox,
    type: z.literal('sendMessage'),
    text: z.string(),
    /** Sends it after the running turn instead of after the running call. */
    later: z.optional(z.literal(true)),
  }),
  z.object({ type: z.literal('stopTurn') }),
  z.object({ type: z.literal('sendQueued'), id: z.string() }),
  z.object({ type: z.literal('editQueued'), id: z.string() }),
  z.object({ type: z.literal('removeQueued'), id: z.string() }),
  z.object({ type: z.literal('continueAnswer'), id: z.string() }),
  z.object({ type: z.literal('findPrompts'), requestId: z.number(), query: z.string() }),
  z.object({ type: z.literal('chooseTools') }),
  z.object({ type: z.literal('trustWorkspace') }),
  z.object({ type: z.literal('useStarter'), starter: z.enum(commandStarters) }),
  z.object({ type: z.literal('openLocation'), location: locationSchema }),
  z.object({ type: z.literal('selectModel'), modelId: z.string() }),
  z.object({ type: z.literal('toggleFavourite'), modelId: z.string() }),
  z.object({ type: z.literal('showModelDetails'), modelId: z.string() }),
  z.object({ type: z.literal('loadModels') }),
  z.object({ type: z.literal('loadEntries'), requestId: z.number(), from: z.number(), to: z.number() }),
  z.object({ ...inBox, type: z.literal('changeDraft'), text: z.string() }),
  z.object({ type: z.literal('applyRemedy'), remedy: remedySchema, id: z.optional(z.string()) }),
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
  ...pictureCommands,
  ...codeCommands,
]);
export type ToHost = z.infer<typeof toHostSchema>;
