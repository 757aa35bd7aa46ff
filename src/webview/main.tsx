import './jitless.ts';
import * as l10n from '@vscode/l10n';
import { effect } from '@preact/signals';
import { hydrate, render } from 'preact';
import { setFormatLocale } from '../base/format.ts';
import type { ToHost, ToPage } from '../shared/protocol.ts';
import { App } from './app.tsx';
import { Arguments, ToolQuestion } from './approvals/parts.ts';
import { DraftPoster } from './draftPoster.ts';
import { connectHost, type EditorApi } from './host.ts';
import { PanelContext, type Panel } from './panel.ts';
import { FailureView, Markdown } from './parts.ts';
import { createState, receive } from './state.ts';
import { ViewState } from './viewState.ts';

document.documentElement.classList.remove('starting');
l10n.config({ contents: document.getElementById('l10n')?.textContent || '{}' });
setFormatLocale(document.documentElement.lang);

declare function acquireVsCodeApi(): EditorApi;
const api = acquireVsCodeApi();
const host = connectHost(api);
const root = document.getElementById('root');
/** Of the page as it came, if it did with one; see `renderShell`. */
const box = root?.querySelector('textarea');
const { value: typed = '', defaultValue: draft = '' } = box ?? {};
const state = createState({ hasBox: Boolean(box) });
state.draft.value = typed;
// Then it is the box's own, with the selection in it, whatever becomes of the text that it came with.
if (box) box.value = typed;
if (box !== document.activeElement) box?.setSelectionRange(typed.length, typed.length);
/** With these the button that was pressed goes, or can be pressed no more: the user goes on at the message box. */
const takesItsButton = new Set<ToHost['type']>([
  'answerTool',
  'retryTurn',
  'retryWithModel',
  'deleteFrom',
  'continueAnswer',
  'applyRemedy',
  'sendSuggestion',
  'sendQueued',
  'stopTurn',
]);
const drafts = new DraftPoster((message) => host.post(message));
const post: Panel['post'] = (message) => {
  // What was typed before is known before: editing a message sets it aside.
  drafts.flush();
  host.post(message);
  if (takesItsButton.has(message.type)) state.focusWishes.value++;
};
const views = new ViewState(api);
const hear = (message: ToPage) => {
  const typedAfterSending = state.sent.peek() !== undefined;
  if (message.type === 'stateReplaced' && !message.state.isOpening) views.enter(message.state.chatId);
  receive(state, message);
  // What was typed while the message was on its way is news to the host.
  if (message.type === 'draftReplaced' && typedAfterSending && state.draft.peek() !== message.text) {
    drafts.changed(state.draft.peek());
  }
};
// A conversation is drawn at once, with the height that it has: what draws answers is there before they are.
let drawing: Promise<void> | undefined = Markdown.load()
  .catch((error: unknown) => console.error(error))
  .then(() => {
    drawing = undefined;
    // Waited for by tests: from here on, what the host says is drawn at once.
    performance.mark('switchboard.hears');
  });
host.listen((message) => (drawing ? void drawing.then(() => hear(message)) : hear(message)));

// What a turn stops at is there when it does, however slow the way to the editor's server is by then.
effect(() => {
  if (state.status.value.type === 'idle') return;
  for (const each of [ToolQuestion, Arguments, FailureView])
    each.load().catch((error: unknown) => console.error(error));
});

if (root) {
  const app = (
    <PanelContext.Provider value={{ state, drafts, views, post }}>
      <App />
    </PanelContext.Provider>
  );
  if (box) hydrate(app, root);
  else render(app, root);
}
// What was typed before the script was there, in place of what the page came with.
if (typed !== draft) {
  state.typedAtMs = Date.now();
  drafts.changed(typed);
}
const { last } = views;
post({
  type: 'ready',
  ...(last?.position && { position: { chatId: last.chatId, id: last.position.id } }),
});
