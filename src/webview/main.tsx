import './jitless.ts';
import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { setFormatLocale } from '../base/format.ts';
import type { ToHost } from '../shared/protocol.ts';
import { App } from './app.tsx';
import { DraftPoster } from './draftPoster.ts';
import { connectHost, type EditorApi } from './host.ts';
import { PanelContext, type Panel } from './panel.ts';
import { Markdown } from './parts.ts';
import { createState, receive } from './state.ts';
import { ViewState } from './viewState.ts';

l10n.config({ contents: document.getElementById('l10n')?.textContent || '{}' });
setFormatLocale(document.documentElement.lang);

declare function acquireVsCodeApi(): EditorApi;
const api = acquireVsCodeApi();
const host = connectHost(api);
const state = createState();
/** With these the button that was pressed goes, or can be pressed no more: the user goes on at the message box. */
const takesItsButton = new Set<ToHost['type']>([
  'answerTool',
  'retryTurn',
  'continueAnswer',
  'applyRemedy',
  'sendSuggestion',
  'sendQueued',
  'stopTurn',
]);
const post: Panel['post'] = (message) => {
  host.post(message);
  if (takesItsButton.has(message.type)) state.focusWishes.value++;
};
const drafts = new DraftPoster(post);
const views = new ViewState(api);
host.listen((message) => {
  const typedAfterSending = state.sent.peek() !== undefined;
  if (message.type === 'stateReplaced' && !message.state.isOpening) views.enter(message.state.chatId);
  receive(state, message);
  // What was typed while the message was on its way is news to the host.
  if (message.type === 'draftReplaced' && typedAfterSending && state.draft.peek() !== message.text) {
    drafts.changed(state.draft.peek());
  }
});

const root = document.getElementById('root');
if (root) {
  render(
    <PanelContext.Provider value={{ state, drafts, views, post }}>
      <App />
    </PanelContext.Provider>,
    root,
  );
}
const { last } = views;
// A conversation is drawn at once, with the height that it has: what draws answers is there before they come.
void Markdown.load()
  .catch((error: unknown) => console.error(error))
  .then(() =>
    post({
      type: 'ready',
      ...(last?.position && { position: { chatId: last.chatId, id: last.position.id } }),
    }),
  );
