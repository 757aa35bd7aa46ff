import './jitless.ts';
import * as l10n from '@vscode/l10n';
import { effect } from '@preact/signals';
import { hydrate, render } from 'preact';
import { setFormatLocale } from '../base/text/format.ts';
import { type ToHost, type ToPage, toPageSchema } from '../shared/protocol.ts';
import { App } from './app.tsx';
import { Arguments, FailureView, Markdown, ToolQuestion } from './lazyComponents.tsx';
import { DraftPoster } from './composer/draftPoster.ts';
import { type Panel, PanelContext } from './state/panel.ts';
import { createState } from './state/pageState.ts';
import { receive } from './state/receive.ts';
import { type PageStore, SavedViews } from './state/savedViews.ts';
import { type Channel, createChannel } from '../shared/channel.ts';

document.documentElement.classList.remove('starting');
l10n.config({ contents: document.getElementById('l10n')?.textContent || '{}' });
setFormatLocale(document.documentElement.lang);

declare function acquireVsCodeApi(): EditorApi;
const api = acquireVsCodeApi();
const host = connectHost(api);
const root = document.getElementById('root');
const box = root?.querySelector('textarea');
const { value: typed = '', defaultValue: draft = '' } = box ?? {};
const state = createState({ hasBox: Boolean(box) });
state.draft.value = typed;
// Makes the text the box's own value, so that hydration keeps it with its selection.
if (box) box.value = typed;
if (box !== document.activeElement) box?.setSelectionRange(typed.length, typed.length);
/** Commands whose button disappears or is disabled: the focus moves to the message box. */
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
  'useStarter',
]);
const drafts = new DraftPoster((message) => host.post(message));
const post: Panel['post'] = (message) => {
  // The host must know the draft before the command, which may change it.
  drafts.flush();
  host.post(message);
  if (takesItsButton.has(message.type)) state.focusWishes.value++;
};
const views = new SavedViews(api);
const onMessage = (message: ToPage) => {
  const typedAfterSending = state.sent.peek() !== undefined;
  if (message.type === 'stateReplaced' && !message.state.isOpening) views.enter(message.state.chatId);
  receive(state, message);
  // Text typed while the message was on its way is unknown to the host.
  const isReplaced = message.type === 'draftReplaced' && message.box === undefined;
  if (isReplaced && typedAfterSending && state.draft.peek() !== message.text) {
    drafts.changed(state.draft.peek());
  }
};
// Waits for the renderer, so that answers have their final height at once.
let drawing: Promise<void> | undefined = Markdown.load()
  .catch((error: unknown) => console.error(error))
  .then(() => {
    drawing = undefined;
    // Tests wait for this: from here on events are drawn at once.
    performance.mark('switchboard.hears');
  });
host.listen((message) => (drawing ? void drawing.then(() => onMessage(message)) : onMessage(message)));

// Loaded ahead: the connection to the editor's server may be slow when the turn needs them.
effect(() => {
  if (state.status.value.type === 'idle') return;
  for (const each of [ToolQuestion, Arguments, FailureView])
    each.load().catch((error: unknown) => console.error(error));
});

if (root) {
  const app = (
    <PanelContext.Provider value={{ state, box: state, drafts, views, post }}>
      <App />
    </PanelContext.Provider>
  );
  if (box) hydrate(app, root);
  else render(app, root);
}
if (typed !== draft) {
  state.typedAtMs = Date.now();
  drafts.changed(typed);
}
const { last } = views;
post({
  type: 'ready',
  ...(last?.position && { position: { chatId: last.chatId, id: last.position.id } }),
});

interface EditorApi extends PageStore {
  postMessage(message: unknown): void;
}

function connectHost(editor: EditorApi): Channel<ToPage, ToHost> {
  return createChannel<ToPage, ToHost>(
    toPageSchema,
    (message) => editor.postMessage(message),
    (listener) =>
      window.addEventListener('message', ({ origin, data }) => {
        // The opaque origin is that of the frame that draws diagrams.
        if (origin !== 'null') listener(data);
      }),
    // A page that outlived an update of the extension may receive events it doesn't know.
    () => undefined,
  );
}
