import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { reachesEnd } from '../../../src/webview/state/entries.ts';
import { createState } from '../../../src/webview/state/pageState.ts';
import { receive } from '../../../src/webview/state/receive.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { panelParts } from '../../support/panelParts.ts';

const words = (count: number) => 'word '.repeat(count).trim();

/** A panel joined to the page's own state; short contexts make notices and summaries. */
function setUp(rounds: number, callsAtOnce = 1) {
  let requests = 0;
  const chat = new ChatController(
    chatDependencies({
      modelLimits: () => ({ contextWindow: 4000 }),
      tools: { read: { run: (input) => `${JSON.stringify(input)} ${words(900)}` } },
      async *streamModel(request) {
        yield { type: 'textAdded', text: 'Words.' };
        const isCalling = request.tools && ++requests % (rounds + 1) > 0;
        const calls = Array.from({ length: callsAtOnce }, (_, n) => ({
          ...{ id: `c${requests}-${n}`, name: 'read', arguments: `{"n":${requests}}` },
        }));
        if (isCalling) yield { type: 'toolCallsCompleted', calls };
        yield { type: 'modelFinished', reason: 'stop' };
      },
    }),
  );
  const { attach, page, refused } = panelParts(chat);
  const state = createState();
  /** Messages after which the page didn't show the end. */
  const behind: string[] = [];
  page.listen((message) => {
    receive(state, message);
    if (!reachesEnd(state)) behind.push(message.type);
  });
  attach();
  const shown = () => state.items.peek().map(({ id }) => id);
  const all = () => chat.shown.conversation.all.map(({ id }) => id);
  const kinds = () => chat.shown.conversation.all.map(({ type }) => type);
  return { all, behind, chat, kinds, page, refused, shown, state };
}

describe('chat: entries that are not the newest, in the panel', () => {
  it('have the same place in the page as in the conversation', async () => {
    const { all, chat, kinds, page, refused, shown, state } = setUp(6);
    page.post({ type: 'ready' });
    for (let n = 0; n < 5; n++) {
      await chat.shown.submit(`${n} ${words(400)}`);
      assert.deepEqual(shown(), all());
    }
    assert.deepEqual(refused, []);
    assert.ok(kinds().includes('summary') && kinds().includes('notice'));
    const summary = state.items.peek().find((item) => item.type === 'notice' && item.detail);
    assert.ok(summary?.type === 'notice');
    assert.equal(summary.detail, 'Words.');
  });

  it('come one after another where a model makes several calls at once', async () => {
    const { all, behind, chat, page, shown } = setUp(1, 3);
    page.post({ type: 'ready' });
    await chat.shown.submit('Read all three');
    assert.deepEqual(shown(), all());
    assert.deepEqual(behind, []);
  });

  it('come with the earlier ones when the page does not show their place', async () => {
    const { all, chat, kinds, page, shown, state } = setUp(0);
    for (let n = 0; !kinds().includes('summary'); n++) {
      // A reloaded page shows the newest 30.
      if (n >= 50) page.post({ type: 'ready' });
      await chat.shown.submit(`${n} ${words(35)}`);
    }
    assert.ok(state.loaded.peek());
    assert.ok(kinds().indexOf('summary') < all().length - shown().length, 'above what is shown');
    assert.deepEqual(shown(), all().slice(-shown().length));
    for (let to = state.first.peek(); to > 0; to = state.first.peek()) {
      page.post({ type: 'loadEntries', requestId: 1, from: Math.max(0, to - 30), to });
    }
    assert.deepEqual(shown(), all());
  });
});
