import { batch, signal } from '@preact/signals';
import type { AppStep } from '../../shared/apps.ts';
import type { MessageEdit } from '../../shared/branches.ts';
import type { ToPage } from '../../shared/protocol.ts';
import { addEntry, addLoadedEntries, answerOf, replaceEntries } from './entries.ts';
import { toItem, type AssistantItem } from './items.ts';
import { createBox, type Box, type PageState } from './pageState.ts';

/** A letter typed longer ago than this, in ms, has reached the host: its draft is newer. */
const draftTravelMs = 500;

type Handlers = {
  readonly [T in ToPage['type']]: (state: PageState, event: Extract<ToPage, { type: T }>) => void;
};

export function receive(state: PageState, event: ToPage): void {
  // The first full state includes everything sent before it.
  if (!state.loaded.peek() && event.type !== 'stateReplaced') return;
  const handle = handlers[event.type] as (state: PageState, event: ToPage) => void;
  batch(() => handle(state, event));
}

const handlers: Handlers = {
  stateReplaced: replaceState,
  entryAdded: addEntry,
  entriesReplaced: replaceEntries,
  entriesLoaded: addLoadedEntries,
  entriesShifted(state, { by }) {
    state.first.value += by;
    state.total.value += by;
    state.isEndOnly.value = false;
    // Few heights are known that early.
    state.heights.forget();
  },
  entryChanged(state, { entry }) {
    const item = state.items.peek().findLast(({ id }) => id === entry.id);
    if (item?.type === 'tool' && entry.type === 'tool') item.entry.value = entry;
    else if (item?.type === 'edits' && entry.type === 'edits') item.entry.value = entry;
  },
  hunksLoaded(state, loaded) {
    const item = state.items.peek().findLast(({ id }) => id === loaded.id);
    if (item?.type === 'edits') item.hunks.value = { ...item.hunks.peek(), [loaded.path]: loaded };
  },
  textAdded: forAnswer((item, { text }) => (item.text.value += text)),
  textReplaced: forAnswer((item, { text }) => (item.text.value = text)),
  reasoningAdded: forAnswer((item, { text }) => (item.reasoning.value += text)),
  reasoningEnded: forAnswer(
    ({ reasoningMs }, { durationMs }) => (reasoningMs.value = (reasoningMs.peek() ?? 0) + durationMs),
  ),
  entryEnded: forAnswer((item, { end }, state) => {
    item.end.value = end;
    state.paths.forgetMissing();
    if (!end.isStep) state.finished.value = item;
  }),
  answerContinued: forAnswer((item, _event, state) => {
    item.end.value = undefined;
    // Announced again when complete.
    state.finished.value = undefined;
  }),
  answerAppChanged: forAnswer((item, { app }) => (item.app.value = app)),
  answerPicturesChanged: forAnswer((item, { pictures }) => (item.pictures.value = pictures)),
  stepChanged: forAnswer((item, { step }) => (item.steps.value = putStep(item.steps.peek(), step))),
  citableChanged: forAnswer((item, { citable }) => (item.citable.value = citable)),
  sourcesChecked(state, { id, states }) {
    const shown = state.sourceStates.get(id);
    if (shown) shown.value = states;
  },
  pictureLoaded(state, { picture }) {
    void import('../transcript/thumbnail.tsx').then(({ receivePicture }) =>
      receivePicture(state.thumbnails, picture),
    );
  },
  answerPictureLoaded(state, picture) {
    void import('../transcript/answerPictures.tsx').then(({ receiveAnswerPicture }) =>
      receiveAnswerPicture(state.answerPictures, picture),
    );
  },
  parametersLoaded(state, { type: _type, ...parameters }) {
    state.parameters.value = parameters;
  },
  findOpened(state, opened) {
    state.findOpened.value = opened;
    state.finding.value++;
  },
  messageFound(state, { index, id }) {
    state.sought.value = { index, id };
  },
  draftReplaced: inBox((box, { text }) => replaceDraft(box, text)),
  editChanged(state, { edit, isNew }) {
    showEdit(state, edit);
    const shown = state.edit.peek();
    if (isNew && shown) shown.focusWishes.value++;
  },
  messageHeld: inBox((box) => (box.sent.value = undefined)),
  messageRecalled: (state, recalled) => (state.recalled.value = recalled),
  messageBoxFocused: (state) => state.focusWishes.value++,
  answerKeyPressed: (state, pressed) => (state.answerKey.value = pressed),
  modelPickerOpened: (state) => (state.pickerOpen.value = true),
  modesOpened: (state) => (state.choiceOpen.value = 'mode'),
  appChanged: (state, { app }) => (state.app.value = app),
  formChanged: (state, { form }) => (state.form.value = form),
  attachmentsChanged: inBox((box, { attachments }) => (box.attachments.value = attachments)),
  branchTargetChanged: (state, { target }) => (state.branchTarget.value = target),
  connectionChanged: (state, { connection }) => (state.connection.value = connection),
  contextPartsLoaded: (state, parts) => (state.contextParts.value = parts),
  contextUseChanged: (state, { use }) => (state.context.value = use),
  knowledgeChanged: (state, { knowledge }) => (state.knowledge.value = knowledge),
  mentionsFound: (state, found) => (state.mentionAnswer.value = found),
  modelsChanged: (state, { models }) => (state.models.value = models),
  noticesChanged: (state, { notices }) => (state.notices.value = notices),
  pathsFound: (state, found) => state.paths.learn(found),
  permissionsChanged: (state, { permissions }) => (state.permissions.value = permissions),
  planChanged: (state, { plan }) => (state.plan.value = plan),
  queueChanged: (state, { queue }) => (state.queue.value = queue),
  startersChanged: (state, { starters }) => (state.starters.value = starters),
  statusChanged: (state, { status }) => (state.status.value = status),
  textFound: (state, found) => (state.textFound.value = found),
  toldChanged: (state, { told }) => (state.told.value = told),
  toolsChanged: (state, { tools }) => (state.tools.value = tools),
};

function forAnswer<E extends { id: string }>(
  apply: (item: AssistantItem, event: E, state: PageState) => void,
): (state: PageState, event: E) => void {
  return (state, event) => {
    const item = answerOf(state, event.id);
    if (item) apply(item, event, state);
  };
}

/** Ignores events for a message that is no longer edited. */
function inBox<E extends { box?: string | undefined }>(
  apply: (box: Box, event: E) => void,
): (state: PageState, event: E) => void {
  return (state, event) => {
    const edit = state.edit.peek();
    if (event.box === undefined) apply(state, event);
    else if (event.box === edit?.id) apply(edit, event);
  };
}

/** Keeps the text of a message that is edited already: the host has it from here. */
function showEdit(state: PageState, edit: MessageEdit | undefined): void {
  const known = state.edit.peek();
  if (!edit) {
    state.edit.value = undefined;
    return;
  }
  const box =
    known?.id === edit.id ? known : { ...createBox(edit.text), id: edit.id, index: signal(edit.index) };
  box.index.value = edit.index;
  box.attachments.value = edit.attachments;
  state.edit.value = box;
}

function replaceState(state: PageState, { state: next }: Extract<ToPage, { type: 'stateReplaced' }>): void {
  const { entries, first, total, draft, attachments, knowledge, status, connection, models, app } = next;
  state.hostAheadMs = differenceOf(next.nowMs, Date.now());
  state.attachments.value = attachments;
  state.queue.value = next.queue;
  state.branchTarget.value = next.branchTarget;
  showEdit(state, next.edit);
  state.starters.value = next.starters ?? [];
  state.notices.value = next.notices;
  state.knowledge.value = knowledge;
  state.generation++;
  if (next.chatId !== state.chatId) state.finding.value = 0;
  state.chatId = next.chatId;
  state.items.value = entries.map(toItem);
  state.first.value = first;
  state.total.value = total;
  state.opening.value = next.isOpening === true;
  state.isEndOnly.value = next.isEndOnly === true;
  state.heights.forget();
  state.unseenAnswer = undefined;
  state.loading.value = undefined;
  // The host hasn't seen recent input; before the first state it has seen none.
  const travelMs = state.loaded.peek() ? draftTravelMs : Infinity;
  if (state.typedAtMs === 0 || Date.now() - state.typedAtMs > travelMs) replaceDraft(state, draft);
  state.status.value = status;
  state.connection.value = connection;
  state.models.value = models;
  state.tools.value = next.tools;
  state.permissions.value = next.permissions;
  state.app.value = app;
  state.finished.value = undefined;
  state.loaded.value = true;
}

/** Clock skew in ms; under 1,000 is transit time. */
function differenceOf(hostMs: number, pageMs: number): number {
  return Math.abs(hostMs - pageMs) < 1000 ? 0 : hostMs - pageMs;
}

function replaceDraft(box: Box, text: string): void {
  box.draft.value = mergeDraft(box.draft.peek(), box.sent.peek(), text);
  box.sent.value = undefined;
}

/** Keeps text typed between sending and the host's new draft. `sent` is the sent text, if any. */
export function mergeDraft(current: string, sent: string | undefined, replacement: string): string {
  if (sent === undefined || current === sent) return replacement;
  if (current.startsWith(sent)) return replacement + current.slice(sent.length).trimStart();
  return current;
}

function putStep(steps: readonly AppStep[], step: AppStep): readonly AppStep[] {
  const at = steps.findLastIndex(({ id }) => id === step.id);
  return at < 0 ? [...steps, step] : steps.with(at, step);
}
