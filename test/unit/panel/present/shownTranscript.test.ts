import assert from 'node:assert/strict';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { ShownTranscript } from '../../../../src/panel/present/shownTranscript.ts';
import type { ToPage } from '../../../../src/shared/protocol.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { longConversation } from '../../../support/longConversation.ts';

/** A transcript whose host counts the items it reads. */
function openLong(turns: number) {
  const conversation = longConversation(turns);
  let looks = 0;
  const counted = new Proxy(conversation.all as unknown[], {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  Object.defineProperty(conversation, 'all', { value: counted });
  const chat = new ChatController(chatDependencies({}));
  Object.defineProperty(chat.shown, 'conversation', { value: conversation });
  const posted: ToPage[] = [];
  const transcript = new ShownTranscript({
    chat,
    post: (message) => posted.push(message),
    replaceAll: () => assert.fail('Nothing is replaced.'),
    nameOf: (id) => id,
    questionOf: () => undefined,
  });
  return { conversation, looks: () => looks, posted, transcript };
}

describe('the transcript of a long conversation', () => {
  it('costs as much to page through as it is long, also with sources', () => {
    const perEntry = (turns: number) => {
      const { conversation, looks, posted, transcript } = openLong(turns);
      const { total } = transcript.begin();
      for (let to = total; to > 0; to -= 30)
        void transcript.load({ type: 'loadEntries', requestId: 1, from: Math.max(0, to - 30), to });
      assert.equal(posted.length, Math.ceil(total / 30));
      return looks() / conversation.all.length;
    };
    const [short, long] = [perEntry(200), perEntry(2000)];
    assert.ok(
      long < short * 1.1,
      `${long} looks at items for each entry, of a shorter conversation ${short}`,
    );
    assert.ok(long < 40, `${long} looks at items for each entry`);
  });

  it('adds what a summary cost to the figures of the answer before it', () => {
    const { conversation, posted, transcript } = openLong(3);
    transcript.begin();
    const answer = conversation.all.findLast(({ type }) => type === 'answer')!;
    const event = {
      ...{ type: 'turnsSummarised' as const, id: 's', beforeId: answer.id, text: 'Words.' },
      usage: { promptTokens: 4321 },
    };
    conversation.apply(event);
    transcript.onChange(event);
    const ended = posted.findLast(({ type }) => type === 'entryEnded');
    assert.ok(ended?.type === 'entryEnded' && ended.id === answer.id);
    assert.ok((ended.end.usage?.total.promptTokens ?? 0) >= 4321);
  });
});
