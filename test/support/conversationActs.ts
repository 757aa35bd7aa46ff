import fc from 'fast-check';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import type { ChatEvent } from '../../src/chat/store/events.ts';
import { recordInterruptions } from '../../src/chat/conversation/recordInterruptions.ts';
import { deletion, rollback } from '../../src/chat/conversation/rollback.ts';

/** A user's next step; `at` chooses among the items shown. */
export type Act =
  | { type: 'say'; answers: number[]; isCut: boolean }
  | { type: 'retry' | 'choose' | 'delete' | 'undelete' | 'restore' | 'summarise' | 'rate'; at: number }
  | { type: 'settings'; at: number }
  | { type: 'queue'; at: number };

export const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('say' as const),
      answers: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
      isCut: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'retry' as const,
        ...(['choose', 'delete', 'undelete', 'restore', 'summarise', 'rate', 'settings', 'queue'] as const),
      ),
      at: fc.nat(),
    }),
  },
);

export function eventsOf(acts: readonly Act[]): ChatEvent[] {
  const conversation = new Conversation('c');
  const events: ChatEvent[] = [];
  let ids = 0;
  let deleted: string | undefined;
  const newId = () => `i${++ids}`;
  const record = (event: ChatEvent) => {
    conversation.apply(event);
    events.push(event);
  };
  const answer = (count: number, isCut: boolean) => {
    const id = newId();
    record({ type: 'answerStarted', id, model: 'm' });
    record({ type: 'textAdded', id, text: `answer ${id}` });
    const calls = Array.from({ length: count }, () => ({
      ...{ id: newId(), callId: `call ${ids}`, name: 'read_file', input: {} },
    }));
    if (count > 0) record({ type: 'toolsCalled', id, calls });
    if (isCut) return;
    record({ type: 'answerEnded', id, end: { reason: count > 0 ? 'called' : 'answered' } });
    for (const call of calls) {
      record({ type: 'editMade', edit: { path: call.id, realPath: call.id } });
      record({
        ...{ type: 'toolFinished', id: call.id, outcome: { state: 'done', content: call.id, durationMs: 1 } },
      });
    }
  };
  const say = (answers: readonly number[], isCut: boolean) => {
    record({ type: 'settingsRepeated', modelId: 'm', approvals: conversation.approvals, bases: [] });
    record({ type: 'userMessageAdded', id: newId(), text: `message ${ids}` });
    for (const count of answers) answer(count, false);
    if (isCut) answer(1, true);
    else if (conversation.hasOpenEdits) record({ type: 'editsMade', id: newId() });
    recordInterruptions(conversation, record);
  };
  for (const each of acts) {
    if (each.type === 'say') {
      say(each.answers, each.isCut);
      continue;
    }
    const said = conversation.all.filter(({ type }) => type === 'user' || type === 'answer');
    const item = said[each.at % said.length];
    if (!item) continue;
    switch (each.type) {
      case 'retry':
        for (const event of rollback(conversation, item.id)) record(event);
        if (item.type === 'user') say([0], false);
        else answer(0, false);
        break;
      case 'choose': {
        const id = conversation.versionBeside(item.id, each.at % 2 ? 'next' : 'previous');
        if (id !== undefined) record({ type: 'versionChosen', id });
        break;
      }
      case 'delete':
        for (const event of deletion(conversation, item.id)) record(event);
        deleted = item.id;
        break;
      case 'undelete':
        if (!deleted) break;
        for (let id; (id = conversation.turnOff(deleted));) record({ type: 'versionChosen', id });
        break;
      case 'restore':
        record({ type: 'checkpointRestored', id: newId(), toId: item.id, isConversation: true });
        break;
      case 'summarise':
        record({ type: 'turnsSummarised', id: newId(), beforeId: item.id, text: 'Before' });
        break;
      case 'rate':
        record({ type: 'answerRated', id: item.id, rating: 'like' });
        break;
      case 'settings':
        record({ type: 'modeSelected', modeId: each.at % 2 ? 'ask' : 'agent' });
        record({ type: 'approvalsSelected', level: each.at % 3 ? 'askFirst' : 'editsAllowed' });
        break;
      case 'queue':
        record({ type: 'messageQueued', id: newId(), text: 'Later' });
        record({ type: 'queuedMessageRemoved', id: `i${ids}` });
        break;
    }
  }
  return events;
}
