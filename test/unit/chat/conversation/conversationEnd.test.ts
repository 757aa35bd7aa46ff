import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { ConversationEnd } from '../../../../src/chat/conversation/conversationEnd.ts';
import type { ChatEvent } from '../../../../src/chat/store/events.ts';
import { recordInterruptions } from '../../../../src/chat/conversation/recordInterruptions.ts';
import { act, eventsOf } from '../../../support/conversationActs.ts';

function endOf(events: readonly ChatEvent[], least: number): ConversationEnd {
  const end = new ConversationEnd(least);
  events.findLast((event) => !end.add(event));
  return end;
}

function interruptionsOf(conversation: Conversation): ChatEvent[] {
  const events: ChatEvent[] = [];
  recordInterruptions(conversation, (event) => events.push(event));
  return events;
}

describe('the end of a conversation', () => {
  it('is shown as it is in the whole one, whatever was asked again, chosen and restored', () => {
    let cut = 0;
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), fc.integer({ min: 1, max: 8 }), (acts, least) => {
        const events = eventsOf(acts);
        const whole = new Conversation('c', events);
        const end = endOf(events, least);
        const part = new Conversation('c', end.events);
        const shown = part.all;
        assert.ok(shown.length > 0 || whole.all.length === 0);
        assert.deepEqual(shown, whole.all.slice(whole.all.length - shown.length));
        for (const { id } of shown) {
          assert.deepEqual(part.versionOf(id), whole.versionOf(id));
          assert.deepEqual(part.fileHistory.editsSince(id), whole.fileHistory.editsSince(id));
        }
        assert.deepEqual(interruptionsOf(part), interruptionsOf(whole));
        if (end.events.length < events.length) {
          cut++;
          assert.ok(end.hasSettings);
          for (const name of ['model', 'modeId', 'approvals', 'bases'] as const)
            if (end.hasSettings) assert.deepEqual(part[name] ?? 'm', whole[name] ?? 'm');
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(cut > 300, `only ${cut} were cut`);
  });

  it('has something to show where much of it was deleted', () => {
    const events = eventsOf(Array.from({ length: 9 }, () => ({ type: 'say', answers: [0], isCut: false })));
    const messages = events.flatMap((event) => (event.type === 'userMessageAdded' ? [event.id] : []));
    const end = endOf([...events, { type: 'branchDeleted', fromId: messages[4]! }], 4);
    const { all } = new Conversation('c', end.events);
    assert.deepEqual(
      all.flatMap((item) => (item.type === 'user' ? [item.id] : [])),
      messages.slice(2, 4),
    );
  });

  it('is all of it where an app of the platform answered', () => {
    const events: ChatEvent[] = Array.from({ length: 9 }, (_, number) => [
      { type: 'userMessageAdded' as const, id: `u${number}`, text: 'Hello' },
      { type: 'answerStarted' as const, id: `a${number}`, model: 'app:guide' },
      { type: 'answerEnded' as const, id: `a${number}`, end: { reason: 'answered' as const } },
    ]).flat();
    assert.equal(endOf(events, 2).events.length, events.length);
  });
});
