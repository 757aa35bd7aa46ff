import type { StreamModel, ToolDefinition } from '../relay/messages.ts';
import { EditJournal, type TextSnapshots } from '../tools/editJournal.ts';
import type { SearchSegments } from '../tools/knowledge/searchBases.ts';
import type { ContextKnowledge } from './context/contextKnowledge.ts';
import type { Conversation } from './conversation.ts';
import type { AnswerItem } from './items.ts';
import type { AnswerEnd, ChatEvent, ChatStatus } from './events.ts';
import { toFailure } from '../base/failure.ts';
import { Grounding } from './grounding/grounding.ts';
import { attachInstructions } from './instructions/attachInstructions.ts';
import { readInstructions } from './instructions/readInstructions.ts';
import { ModelAsker, type RequestOptions } from './modelAsker.ts';
import { readsInput } from './calls/callMessage.ts';
import type { ToolBox, TurnParts } from './calls/toolBox.ts';
import { withReports } from './calls/withReports.ts';
import { describeRequest } from './prompt/describeRequest.ts';
import { newContext } from './prompt/messageContext.ts';
import type { PromptSource } from './prompt/promptSource.ts';
import type { Permissions } from './modes/mode.ts';
import { tellMode } from './modes/tellMode.ts';
import { runTurn, type ToolCallers, type TurnEvent } from './turn.ts';

/** What a turn of an open chat takes. */
export interface ChatTurn {
  model: string;
  /** The newest answer, if that is to be gone on with instead of a new one. */
  continues?: AnswerItem | undefined;
  conversation: Conversation;
  /** Throws a `SwitchboardError` when no relay is connected. */
  relay(): Promise<StreamModel>;
  options(): RequestOptions & { maxToolRounds: number };
  knowledge: ContextKnowledge;
  refusesTools: Set<string>;
  toolCallers: ToolCallers;
  tools(turn: TurnParts): Promise<ToolBox>;
  prompt(): Promise<PromptSource>;
  hasPlatform(): boolean;
  snapshots(conversationId: string): Promise<TextSnapshots>;
  /** What the user lets models do in the conversation at this moment. */
  permissions(): Permissions;
  /** The user has sent a message for this turn. */
  isSteered(): boolean;
  /** Adds what the user sent for this turn to the conversation; false if that is nothing. */
  addSteering(): boolean;
  searchSegments: SearchSegments;
  newId(): string;
  /** Milliseconds. */
  now(): number;
  /** Applies an event, keeps it and shows it. */
  record(event: ChatEvent): void;
  /** Resolves when all that was recorded is on disk. */
  flush(): Promise<void>;
  readonly status: ChatStatus;
  setStatus(status: ChatStatus): void;
}

/** Answers the newest message: runs the turn, records what happens in it, and says what it is doing. */
export async function answerQuestion(turn: ChatTurn, signal: AbortSignal): Promise<AnswerEnd> {
  const { model, conversation, refusesTools, toolCallers } = turn;
  const newId = () => turn.newId();
  const now = () => turn.now();
  const grounding = groundingOf(turn);
  const prompt = await turn.prompt();
  const ownTools = withReports(await toolsOf(turn, grounding), conversation);
  const { instructions } = prompt;
  const tools = attachInstructions(ownTools, conversation, async (paths) => {
    const off = new Set(instructions.off());
    return (await instructions.of(paths)).filter(({ path }) => !off.has(path));
  });
  const refreshInstructions = async () => {
    const read = await readInstructions(conversation, instructions);
    if (read) turn.record(read);
  };
  /** Completes the newest message of the user with what models are told beside it. */
  const completeMessage = async () => {
    await refreshInstructions();
    const told = tellMode(conversation.all, turn.permissions().mode);
    if (told) turn.record(told);
    const context = await newContext(conversation, prompt, now());
    if (context) turn.record(context);
  };
  await completeMessage();
  const asker = new ModelAsker({
    ...{ model, conversation, prompt, newId, knowledge: turn.knowledge },
    relay: () => turn.relay(),
    options: () => turn.options(),
  });
  const turnContext = {
    model,
    ask: (offered: readonly ToolDefinition[], stop: AbortSignal, before?: string) =>
      asker.ask(offered, stop, before),
    continues: turn.continues,
    tools,
    grounding,
    refusesTools,
    toolCallers: callersIn(conversation, toolCallers),
    openCalls: conversation.openCalls,
    steering: {
      isWaiting: () => turn.isSteered(),
      async handIn() {
        if (!turn.addSteering()) return false;
        await completeMessage();
        return true;
      },
    },
    maxToolRounds: turn.options().maxToolRounds,
    newId,
    now,
  };
  for await (const event of runTurn(turnContext, signal)) {
    if (event.type === 'turnEnded') return event.end;
    followTurn(turn, event);
    // The beginning of the next request is new anyway.
    if (event.type === 'turnsSummarised') await refreshInstructions();
  }
  return toFailure(new Error('The turn ended without a reason.'));
}

/** What the answer with this id was asked with, as far as it is the same now: every text of the conversation is. */
export async function describeAnswer(turn: ChatTurn, answerId: string): Promise<string | undefined> {
  const { conversation } = turn;
  const prompt = await turn.prompt();
  const { instructions } = turn.options();
  return describeRequest({ conversation, prompt, tools: await definitionsOf(turn), instructions }, answerId);
}

/** The tools that the model is offered. */
export async function definitionsOf(turn: ChatTurn): Promise<readonly ToolDefinition[]> {
  if (turn.refusesTools.has(turn.model)) return [];
  return (await toolsOf(turn, groundingOf(turn))).definitions();
}

function groundingOf(turn: ChatTurn): Grounding {
  return new Grounding({
    conversation: turn.conversation,
    mode: turn.options().knowledgeSearch,
    search: turn.searchSegments,
    hasPlatform: () => turn.hasPlatform(),
    newId: () => turn.newId(),
    now: () => turn.now(),
  });
}

async function toolsOf(turn: ChatTurn, grounding: Grounding): Promise<ToolBox> {
  const { id: conversationId } = turn.conversation;
  return turn.tools({
    conversationId,
    journal: new EditJournal(await turn.snapshots(conversationId), {
      async begun(edit, folders) {
        turn.record({ type: 'editBegun', edit, ...(folders.length > 0 && { folders: [...folders] }) });
        await turn.flush();
      },
      made: (edit, folders) =>
        turn.record({ type: 'editMade', edit, ...(folders.length > 0 && { folders: [...folders] }) }),
      foreign: ({ paths, more }) => turn.record({ type: 'commandChangedFiles', paths: [...paths], more }),
    }),
    permissions: () => turn.permissions(),
    groundingTool: () => grounding.tool(),
  });
}

/** Those that are remembered, and those that a conversation from before shows. */
function callersIn(conversation: Conversation, known: ToolCallers): ToolCallers {
  return {
    has(model) {
      if (known.has(model)) return true;
      let answering: string | undefined;
      for (const item of conversation.all) {
        if (item.type === 'answer') answering = item.model;
        if (item.type === 'tool' && !item.isText && answering === model) return true;
      }
      return false;
    },
    add: (model) => known.add(model),
  };
}

/** Records what happens in a turn, and says what it is doing. */
export function followTurn(turn: ChatTurn, event: Exclude<TurnEvent, { type: 'turnEnded' }>): void {
  switch (event.type) {
    case 'retryScheduled':
      return turn.setStatus({ type: 'retrying', untilMs: turn.now() + event.delayMs, why: event.why });
    case 'budgetAsked':
      return turn.setStatus({ type: 'asking' });
    case 'requestSent':
      return turn.setStatus({ type: 'waiting', sinceMs: turn.now() });
    case 'summaryStarted':
      return turn.setStatus({ type: 'summarising' });
    case 'searchStarted':
      return turn.setStatus({ type: 'searching' });
    case 'toolStateChanged':
      turn.setStatus(event.state === 'asking' ? { type: 'asking' } : runningStatus(turn, event.id));
      return turn.record(event);
    default:
      showProgress(turn, event);
      return turn.record(event);
  }
}

function runningStatus({ conversation }: ChatTurn, id: string): ChatStatus {
  const call = conversation.all.find((item) => item.id === id);
  return { type: 'runningTools', ...(call?.type === 'tool' && readsInput(call) && { readsInput: true }) };
}

/** What the user sees of a turn beside its items. */
function showProgress(turn: ChatTurn, event: ChatEvent): void {
  switch (event.type) {
    case 'answerStarted':
    case 'answerContinued':
    case 'turnsSummarised':
    case 'knowledgeSearched':
      if (turn.status.type !== 'connecting') turn.setStatus({ type: 'connecting' });
      return;
    case 'toolsCalled':
      return turn.setStatus({ type: 'runningTools' });
    case 'textAdded':
    case 'reasoningAdded':
      if (turn.status.type !== 'answering') turn.setStatus({ type: 'answering' });
      return;
    default:
  }
}
