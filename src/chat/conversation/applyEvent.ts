import { applyToPart, emptyPart } from '../apps/appPart.ts';
import type { ChatEvent, ReviewedFile } from '../store/events.ts';
import type { ConversationState } from './conversationState.ts';
import type { EditReview, RestorationItem, SummaryItem } from './items.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

type Handlers = {
  readonly [Type in ChatEvent['type']]: (state: ConversationState, event: EventOf<Type>) => void;
};

const handlers: Handlers = {
  knowledgeChosen(state, event) {
    state.chosenBases = event.bases;
  },
  modelSelected(state, event) {
    state.chosenModel = event.modelId;
  },
  modeSelected(state, event) {
    state.chosenMode = event.modeId;
  },
  approvalsSelected(state, event) {
    state.chosenApprovals = event.level;
  },
  parametersChosen(state, event) {
    state.chosenParameters = event.parameters;
  },
  settingsRepeated(state, event) {
    state.chosenParameters = event.parameters ?? {};
    state.chosenModel = event.modelId;
    state.chosenMode = event.modeId;
    // A window that doesn't know the stricter choice yet repeats the wider one.
    if (state.chosenApprovals !== 'askFirst') state.chosenApprovals = event.approvals;
    state.chosenBases = event.bases;
  },
  modeTold(state, event) {
    const { mode, text, isRepeated } = event;
    state.change(event.id, 'user', (message) => {
      message.mode = { ...mode, text, ...(isRepeated && { isRepeated }) };
    });
  },
  userMessageAdded(state, event) {
    const { id, text, attachments, sources, tools } = event;
    state.unqueue(id);
    state.fileHistory.mark(id);
    state.tree.push({
      type: 'user',
      id,
      text,
      ...(attachments && { attachments }),
      ...(sources && { sources }),
      ...(tools && { tools }),
    });
  },
  instructionsRead(state, event) {
    state.readInstructions = { files: event.files, off: event.off ?? [], isStale: false };
  },
  contextAdded(state, event) {
    const { type: _type, id, reported, ...context } = event;
    state.change(id, 'user', (item) => (item.context = context));
    state.told(reported);
  },
  answerStarted(state, event) {
    const { id, model } = event;
    if (!state.fileHistory.isMarked(id)) state.fileHistory.mark(id);
    const known = state.find(id, 'answer');
    if (known) known.model = model;
    else state.tree.push({ type: 'answer', id, model, text: '', reasoning: '' });
  },
  messageQueued(state, event) {
    const { type: _type, ...message } = event;
    if (state.queued.some(({ id }) => id === message.id)) return;
    const at = message.steers ? state.queued.findIndex(({ steers }) => !steers) : -1;
    state.queued = state.queued.toSpliced(at < 0 ? state.queued.length : at, 0, message);
  },
  queuedMessageRemoved(state, event) {
    state.unqueue(event.id);
  },
  answerContinued(state, event) {
    state.change(event.id, 'answer', (answer) => delete answer.end);
  },
  reasoningAdded(state, event) {
    state.answer(event.id).reasoning += event.text;
  },
  reasoningEnded(state, { id, durationMs }) {
    const answer = state.answer(id);
    answer.reasoningMs = (answer.reasoningMs ?? 0) + durationMs;
  },
  reasoningSigned(state, event) {
    state.change(event.id, 'answer', (answer) => (answer.signedReasoning = event.blocks));
  },
  textAdded(state, event) {
    state.answer(event.id).text += event.text;
  },
  textReplaced(state, event) {
    state.answer(event.id).text = event.text;
  },
  pictureAdded(state, event) {
    const { pictures = [] } = state.answer(event.id);
    // A continued answer may repeat its first pictures.
    if (pictures.some(({ file }) => file === event.picture.file)) return;
    state.answer(event.id).pictures = [...pictures, event.picture];
  },
  toolsCalled(state, event) {
    state.answer(event.id);
    for (const call of event.calls) {
      state.tree.insertAfter(event.id, { type: 'tool', ...call }, ({ type }) => type !== 'summary');
    }
  },
  toolStateChanged(state, event) {
    state.change(event.id, 'tool', (tool) => (tool.state = event.state));
  },
  toolFinished(state, event) {
    state.change(event.id, 'tool', (tool) => (tool.outcome ??= event.outcome));
    // Edits of calls are made one at a time; one that was made may still wait when the next begins.
    if (event.outcome.state !== 'done')
      for (const [path, { inline }] of state.begun) if (!inline) state.begun.delete(path);
    state.know(event.outcome.findings);
    state.told(event.outcome.reported);
    if (event.outcome.findings) state.sources.changed(event.id);
  },
  knowledgeSearched(state, event) {
    state.placeAboveAnswer({ type: 'search', id: event.id, outcome: event.outcome });
    state.know(event.outcome.findings);
  },
  callsReopened(state, event) {
    for (const id of event.ids) {
      state.change(id, 'tool', (tool) => {
        delete tool.outcome;
        delete tool.state;
      });
    }
  },
  editBegun(state, event) {
    state.begun.set(event.edit.realPath, event);
  },
  editNotMade(state, event) {
    state.begun.delete(event.realPath);
  },
  editMade(state, event) {
    state.begun.delete(event.edit.realPath);
    state.turnEdits.push(event.edit);
    state.fileHistory.addEdits([event.edit], event.folders);
    state.turnFolders.push(...(event.folders ?? []));
  },
  editsMade(state, event) {
    const { id, edits, folders = edits ? [] : state.turnFolders } = event;
    const made = edits ?? state.turnEdits;
    // Later versions still contain edits that can be reverted.
    const known = state.find(id, 'edits');
    if (!known && edits) state.fileHistory.addEdits(edits, folders);
    state.tree.push(known ?? { type: 'edits', id, edits: made, ...(folders.length > 0 && { folders }) });
    state.turnEdits = [];
    state.turnFolders = [];
  },
  hunksKept: reviewHunks,
  hunksUndone: reviewHunks,
  hunksRedone: reviewHunks,
  backgroundCommandStarted(state, event) {
    state.running.set(event.id, event);
  },
  backgroundCommandEnded(state, event) {
    state.running.delete(event.id);
    state.untold.set(event.id, event.report);
  },
  commandChangedFiles(state, event) {
    state.fileHistory.addCommandChanges({ paths: event.paths, more: event.more });
  },
  restorationBegun(state, event) {
    state.restoring = event.edits.length > 0 ? event : undefined;
  },
  checkpointRestored(state, event) {
    state.restoring = undefined;
    restore(state, event);
  },
  answerEnded(state, event) {
    state.change(event.id, 'answer', (answer) => {
      answer.end = event.end;
      if (event.end.usage) (answer.requests ??= []).push(state.spent({ usage: event.end.usage }));
    });
  },
  noticed(state, event) {
    const { id, kind, detail } = event;
    state.placeNotice({ type: 'notice', id, kind, ...(detail && { detail }) });
  },
  turnsSummarised(state, event) {
    const { id, beforeId, text, problem } = event;
    const item: SummaryItem = { type: 'summary', id, ...(text && { text }), ...(problem && { problem }) };
    const { newestAnswer: answer } = state;
    const request = event.usage && state.spent({ usage: event.usage, isSummary: true });
    if (request && answer) (answer.requests ??= []).push(request);
    state.tree.insertBefore(beforeId, item);
    // The summary changes the prompt's beginning anyway, so nothing needs to stay shortened or outdated for the cache.
    state.shortenedResults.clear();
    if (state.readInstructions) state.readInstructions.isStale = true;
  },
  titleWritten(state, event) {
    state.wasTitleAsked = true;
    if (event.usage) state.spent({ usage: event.usage });
  },
  resultsShortened(state, event) {
    for (const [id, tokens] of Object.entries(event.results)) {
      if (tokens === null) state.shortenedResults.delete(id);
      else state.shortenedResults.set(id, tokens);
    }
  },
  itemsRemoved(state, event) {
    state.tree.remove(event.fromId);
  },
  versionStarted(state, event) {
    state.tree.startVersion(event.ofId);
  },
  branchDeleted(state, event) {
    state.tree.delete(event.fromId);
  },
  versionChosen(state, event) {
    state.tree.choose(event.id);
  },
  appConversationStarted(state, event) {
    state.appConversations.set(event.appId, event.conversationId);
  },
  appInputsKnown(state, event) {
    state.appInputs.set(event.appId, event.inputs);
  },
  answerNamed: changeAppPart,
  stepChanged: changeAppPart,
  segmentsFound: changeAppPart,
  fileOutput: changeAppPart,
  inputAwaited: changeAppPart,
  inputSettled: changeAppPart,
  questionsSuggested: changeAppPart,
  answerAnnotated: changeAppPart,
  answerRated: changeAppPart,
};

export function applyEvent<Type extends ChatEvent['type']>(
  state: ConversationState,
  event: EventOf<Type>,
): void {
  const handle: Handlers[Type] = handlers[event.type];
  handle(state, event);
}

type ReviewEvent = EventOf<'hunksKept' | 'hunksUndone' | 'hunksRedone'>;

function reviewHunks(state: ConversationState, event: ReviewEvent): void {
  state.change(event.id, 'edits', (item) => {
    const reviewed = event.files.map((file) => [
      file.path,
      toReview(item.reviews?.[file.path], file, event.type),
    ]);
    item.reviews = { ...item.reviews, ...Object.fromEntries(reviewed) };
  });
}

function changeAppPart(
  state: ConversationState,
  event: EventOf<
    | 'answerNamed'
    | 'stepChanged'
    | 'segmentsFound'
    | 'fileOutput'
    | 'inputAwaited'
    | 'inputSettled'
    | 'questionsSuggested'
    | 'answerAnnotated'
    | 'answerRated'
  >,
): void {
  state.change(event.id, 'answer', (answer) => applyToPart((answer.app ??= emptyPart()), event));
}

function restore(
  state: ConversationState,
  { id, toId, isConversation, edits, folders, problems = [] }: EventOf<'checkpointRestored'>,
): void {
  const to = state.tree.find(toId);
  const undone = to?.type === 'restoration' ? to : undefined;
  const restoration: RestorationItem = {
    type: 'restoration',
    id,
    toId,
    problems,
    isTakenBack: false,
    isConversation: isConversation === true,
    isUndo: undone?.isUndo === false,
    ...(edits && { edits }),
    ...(folders && { folders }),
  };
  setTakenBack(state, toId, true);
  if (edits) filesRestored(state, restoration);
  state.fileHistory.mark(id);
  state.fileHistory.addEdits(edits ?? [], folders);
  if (isConversation) {
    if (undone) state.tree.choose(undone.toId);
    else state.tree.startVersion(toId);
  }
  state.tree.push(restoration);
}

/** Undoing a restoration also revives the one that it had undone. Damaged files may contain cycles. */
function setTakenBack(state: ConversationState, id: string, isTakenBack: boolean): void {
  const seen = new Set<string>();
  for (let next = id, isGone = isTakenBack; !seen.has(next); isGone = !isGone) {
    seen.add(next);
    const item = state.find(next, 'restoration');
    if (!item) return;
    item.isTakenBack = isGone;
    next = item.toId;
  }
}

/** Marks files as restored, except those also changed before the checkpoint or since by someone else. */
function filesRestored(state: ConversationState, restoration: RestorationItem): void {
  const { toId, problems } = restoration;
  const at = state.all.findIndex(({ id }) => id === toId);
  const since = new Set(state.fileHistory.editsSince(toId));
  for (const item of at < 0 ? [] : state.all.slice(at)) {
    if (item.type !== 'edits') continue;
    const left = new Set([
      ...problems.map(({ path }) => path),
      ...item.edits.flatMap((edit) => (since.has(edit) ? [] : [edit.path])),
    ]);
    const paths = item.edits.map(({ path }) => path).filter((path) => !left.has(path));
    const restored = Object.fromEntries(paths.map((path) => [path, restoration]));
    item.restoredBy = { ...item.restoredBy, ...restored };
  }
}

function addCounts(
  one: EditReview['undone'] = { added: 0, removed: 0 },
  other: EditReview['undone'] = { added: 0, removed: 0 },
): EditReview['undone'] & {} {
  return { added: one.added + other.added, removed: one.removed + other.removed };
}

/** Merges decisions on hunks; failed undos can be tried again, and a redo forgets what was undone. */
function toReview(
  known: EditReview | undefined,
  { open, problem, undone, redo }: ReviewedFile,
  type: ReviewEvent['type'],
): EditReview {
  const wasKeptOnly = { isDone: false, wasKept: known?.wasKept === true, wasUndone: false };
  const before: EditReview | undefined = type === 'hunksRedone' ? wasKeptOnly : known;
  const isUntouched = problem !== undefined && !open;
  const left = isUntouched ? before?.open : open;
  const again = redo ?? before?.redo;
  return {
    isDone: !open && !problem,
    ...(left && { open: left }),
    ...(problem && { problem }),
    ...(again && { redo: again }),
    ...((before?.undone || undone) && { undone: addCounts(before?.undone, undone) }),
    wasKept: before?.wasKept === true || (!isUntouched && type === 'hunksKept'),
    wasUndone: before?.wasUndone === true || (!isUntouched && type === 'hunksUndone'),
  };
}
