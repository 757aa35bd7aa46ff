import { pictureSize } from '../../base/files/pictureFormats.ts';
import type { ToolDefinition } from '../../relay/messages.ts';
import { EditJournal } from '../../tools/edits/editJournal.ts';
import type { ChatItem } from '../conversation/items.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { AnswerEnd } from '../store/events.ts';
import { Grounding } from '../grounding/grounding.ts';
import { attachInstructions, readInstructions } from '../instructions/attachInstructions.ts';
import { ModelAsker } from './modelAsker.ts';
import type { ToolBox } from '../calls/toolBox.ts';
import type { ModelSet } from '../chatDependencies.ts';
import { describeRequest, type RequestText } from '../prompt/describeRequest.ts';
import { newContext } from '../prompt/messageContext.ts';
import type { PromptSource } from '../prompt/promptSource.ts';
import { tellMode } from '../modes/tellMode.ts';
import type { ChatTurn } from './chatTurn.ts';
import { Turn } from './turn.ts';

export async function answerQuestion(turn: ChatTurn, signal: AbortSignal): Promise<AnswerEnd> {
  const { model, conversation, continues, deps, log, steering } = turn;
  const grounding = groundingOf(turn);
  const prompt = await deps.prompt();
  const ownTools = withReports(await toolsOf(turn, grounding), conversation);
  const { instructions } = prompt;
  const tools = attachInstructions(ownTools, conversation, async (paths) => {
    const off = new Set(instructions.off());
    return (await instructions.of(paths)).filter(({ path }) => !off.has(path));
  });
  const { fallbackModels, maxToolRounds } = turn.options();
  await completeMessage(turn, prompt);
  const running = new Turn(
    {
      model,
      fallbacks: fallbackModels.filter((fallback) => fallback !== model),
      askerFor: (asked) => new ModelAsker(turn, asked, prompt),
      continues,
      tools,
      grounding,
      refusesTools: deps.refusesTools,
      toolCallers: callersIn(conversation, deps.toolCallers),
      openCalls: conversation.openCalls,
      steering: {
        isWaiting: () => steering.isWaiting(),
        async handIn() {
          if (!steering.add()) return false;
          await completeMessage(turn, prompt);
          return true;
        },
      },
      keepPicture: async (picture) => ({
        file: await deps.keepPicture(conversation.id, picture),
        type: picture.type,
        bytes: picture.bytes.byteLength,
        ...pictureSize(picture.bytes, picture.type),
      }),
      maxToolRounds,
      log,
      newId: () => deps.newId(),
      now: () => deps.now(),
    },
    signal,
  );
  return running.run();
}

async function completeMessage(
  { conversation, deps, log, permissions }: ChatTurn,
  prompt: PromptSource,
): Promise<void> {
  const read = await readInstructions(conversation, prompt.instructions);
  if (read) await log.record(read);
  const told = tellMode(conversation.all, permissions().mode);
  if (told) await log.record(told);
  const context = await newContext(conversation, prompt, deps.now());
  if (context) await log.record(context);
}

export async function describeAnswer(turn: ChatTurn, answerId: string): Promise<RequestText | undefined> {
  const { conversation } = turn;
  const prompt = await turn.deps.prompt();
  const { instructions } = turn.options();
  return describeRequest({ conversation, prompt, tools: await definitionsOf(turn), instructions }, answerId);
}

export async function definitionsOf(turn: ChatTurn): Promise<readonly ToolDefinition[]> {
  if (turn.deps.refusesTools.has(turn.model)) return [];
  return (await toolsOf(turn, groundingOf(turn))).definitions();
}

function groundingOf({ conversation, deps, options }: ChatTurn): Grounding {
  return new Grounding({
    conversation,
    mode: options().knowledgeSearch,
    search: deps.searchSegments,
    hasPlatform: () => deps.hasPlatform(),
    newId: () => deps.newId(),
    now: () => deps.now(),
  });
}

async function toolsOf(turn: ChatTurn, grounding: Grounding): Promise<ToolBox> {
  const { conversation, deps, log, permissions } = turn;
  const conversationId = conversation.id;
  const made = (folders: readonly string[]) => folders.length > 0 && { folders: [...folders] };
  return deps.tools({
    conversationId,
    journal: new EditJournal(await deps.snapshots(conversationId), {
      begun: (edit, folders) => log.record({ type: 'editBegun', edit, ...made(folders) }),
      made: (edit, folders) => void log.record({ type: 'editMade', edit, ...made(folders) }),
      foreign: ({ paths, more }) => void log.record({ type: 'commandChangedFiles', paths: [...paths], more }),
    }),
    permissions,
    groundingTool: () => grounding.tool(),
    mentions: (words) => conversation.all.some((item) => words.some((word) => isAbout(item, word))),
  });
}

function isAbout(item: ChatItem, word: string): boolean {
  if (item.type === 'tool') return item.name === word;
  if (item.type !== 'user') return false;
  return item.text.includes(word) || (item.attachments ?? []).some(({ path }) => path === word);
}

function callersIn(conversation: Conversation, known: ModelSet): ModelSet {
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

export function withReports(box: ToolBox, conversation: Conversation): ToolBox {
  /** Reported but not recorded yet: reads run in parallel. */
  const told = new Set<string>();
  return {
    ...box,
    prepare(call) {
      const ready = box.prepare(call);
      if ('problem' in ready) return ready;
      return {
        ...ready,
        run: async (...args) => {
          const outcome = await ready.run(...args);
          const reports = [...conversation.reports].filter(([id]) => !told.has(id));
          if (reports.length === 0) return outcome;
          for (const [id] of reports) told.add(id);
          return {
            ...outcome,
            content: [outcome.content, ...reports.map(([, report]) => `[${report}]`)].join('\n'),
            reported: reports.map(([id]) => id),
          };
        },
      };
    },
  };
}
