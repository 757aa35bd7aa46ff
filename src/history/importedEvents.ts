import { appIdOf } from '../apps/appModelId.ts';
import type { Attachment } from '../chat/attachments/attachment.ts';
import { toPicture, withinOneMessage } from '../chat/attachments/attachedPictures.ts';
import { isChecklistTool } from '../chat/conversation/checklist.ts';
import type { ChatEvent, ToolOutcome } from '../chat/store/events.ts';

type EventOf<T extends ChatEvent['type']> = Extract<ChatEvent, { type: T }>;

type IdOf = (id: string) => string;

const leftOut = undefined;

/** Most reasoning of one answer, in ms: what is longer was not measured. */
const mostReasoningMs = 24 * 3_600_000;

/**
 * Copies allowed fields only. Files are untrusted, so active content (edits, approvals, settings), hidden content
 * (contexts, summaries, signatures) and locations are dropped. A new event type or field has to be decided here.
 */
const copies: {
  readonly [T in ChatEvent['type']]: ((event: EventOf<T>, idOf: IdOf) => EventOf<T> | undefined) | undefined;
} = {
  userMessageAdded: ({ type, id, text, attachments = [] }, idOf) => {
    const contents = withinOneMessage(attachments.flatMap(contentOf)).filter(({ refusal }) => !refusal);
    return { type, id: idOf(id), text, ...(contents.length > 0 && { attachments: contents }) };
  },
  answerStarted: ({ type, id, model }, idOf) => ({ type, id: idOf(id), model: nameOf(model) }),
  answerContinued: ({ type, id }, idOf) => ({ type, id: idOf(id) }),
  answerEnded: ({ type, id, end: { reason } }, idOf) => ({ type, id: idOf(id), end: { reason } }),
  textAdded: ({ type, id, text }, idOf) => ({ type, id: idOf(id), text }),
  textReplaced: ({ type, id, text }, idOf) => ({ type, id: idOf(id), text }),
  reasoningAdded: ({ type, id, text }, idOf) => ({ type, id: idOf(id), text }),
  toolsCalled: ({ type, id, calls }, idOf) => ({
    type,
    id: idOf(id),
    calls: calls
      .filter(({ name }) => isToolName(name) && !isChecklistTool(name))
      .map(({ id: callId, name, input }) => ({ id: idOf(callId), callId: idOf(callId), name, input })),
  }),
  toolFinished: ({ type, id, outcome: { state, content } }, idOf) => ({
    type,
    id: idOf(id),
    outcome: { state, content, durationMs: 0 },
  }),
  itemsRemoved: ({ type, fromId }, idOf) => ({ type, fromId: idOf(fromId) }),
  versionStarted: ({ type, ofId }, idOf) => ({ type, ofId: idOf(ofId) }),
  versionChosen: ({ type, id }, idOf) => ({ type, id: idOf(id) }),
  branchDeleted: ({ type, fromId }, idOf) => ({ type, fromId: idOf(fromId) }),
  // Without files, it only records where the conversation continued.
  checkpointRestored: ({ type, id, toId, isConversation }, idOf) =>
    isConversation && { type, id: idOf(id), toId: idOf(toId), isConversation },
  modelSelected: leftOut,
  modeSelected: leftOut,
  approvalsSelected: leftOut,
  parametersChosen: leftOut,
  settingsRepeated: leftOut,
  modeTold: leftOut,
  instructionsRead: leftOut,
  contextAdded: leftOut,
  reasoningEnded: ({ type, id, durationMs }, idOf) => ({ type, id: idOf(id), durationMs }),
  reasoningSigned: leftOut,
  pictureAdded: leftOut,
  toolStateChanged: leftOut,
  callsReopened: leftOut,
  editBegun: leftOut,
  editNotMade: leftOut,
  editMade: leftOut,
  editsMade: leftOut,
  hunksKept: leftOut,
  hunksUndone: leftOut,
  hunksRedone: leftOut,
  backgroundCommandStarted: leftOut,
  backgroundCommandEnded: leftOut,
  commandChangedFiles: leftOut,
  restorationBegun: leftOut,
  noticed: leftOut,
  turnsSummarised: leftOut,
  titleWritten: leftOut,
  resultsShortened: leftOut,
  knowledgeChosen: leftOut,
  knowledgeSearched: leftOut,
  messageQueued: leftOut,
  queuedMessageRemoved: leftOut,
  appConversationStarted: leftOut,
  appInputsKnown: leftOut,
  answerNamed: leftOut,
  stepChanged: leftOut,
  segmentsFound: leftOut,
  fileOutput: leftOut,
  inputAwaited: leftOut,
  inputSettled: leftOut,
  questionsSuggested: leftOut,
  answerAnnotated: leftOut,
  answerRated: leftOut,
};

export function importedEvents(events: readonly ChatEvent[], newId: () => string): ChatEvent[] {
  const ids = new Map<string, string>();
  const idOf: IdOf = (id) => {
    const known = ids.get(id) ?? newId();
    ids.set(id, known);
    return known;
  };
  const copied = events.flatMap((event) => {
    const copy = copies[event.type] as ((event: ChatEvent, idOf: IdOf) => ChatEvent | undefined) | undefined;
    return copy?.(event, idOf) ?? [];
  });
  return [...measured(copied), ...endsOf(copied), { type: 'noticed', id: newId(), kind: 'imported' }];
}

function measured(events: readonly ChatEvent[]): ChatEvent[] {
  const totals = new Map<string, number>();
  return events.filter((event) => {
    if (event.type !== 'reasoningEnded') return true;
    const { id, durationMs } = event;
    const total = (totals.get(id) ?? 0) + durationMs;
    if (durationMs < 0 || total > mostReasoningMs) return false;
    totals.set(id, total);
    return true;
  });
}

/** A call without an outcome would run when the conversation continues. */
function endsOf(events: readonly ChatEvent[]): ChatEvent[] {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'toolsCalled') for (const { id } of event.calls) open.add(id);
    if (event.type === 'toolFinished') open.delete(event.id);
  }
  const outcome: ToolOutcome = { state: 'stopped', content: 'The call had not ended.', durationMs: 0 };
  return [...open].map((id) => ({ type: 'toolFinished', id, outcome }));
}

/** Hides app ids, which would trigger requests to the platform. */
function nameOf(model: string): string {
  let name = model;
  for (let id = appIdOf(name); id !== undefined; id = appIdOf(name)) name = id;
  return name;
}

/** Names that vendors accept; calls of apps have other names. */
function isToolName(name: string): boolean {
  return /^[\w-]{1,64}$/.test(name);
}

/** Copies only text and genuine pictures, checked by their bytes. */
function contentOf({ label, text, image }: Attachment): Attachment[] {
  if (image) {
    const bytes = Buffer.from(image.data, 'base64');
    return [toPicture(label, bytes.toString('base64'), bytes.length)];
  }
  return text === undefined ? [] : [{ kind: 'text', label, text }];
}
