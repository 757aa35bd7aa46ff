import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shownChecklist } from '../../src/chat/conversation/checklist.ts';
import { Conversation } from '../../src/chat/conversation/conversation.ts';
import { chatEventSchema, type ChatEvent } from '../../src/chat/store/events.ts';
import { recordInterruptions, lostCommands } from '../../src/chat/conversation/recordInterruptions.ts';
import { fromJson } from '../../src/history/exportedChat.ts';
import { valuesOf } from './fromSchema.ts';
import type { Target } from './property.ts';

/** Every field an imported event can have, as a path; `*` is any index, `…` everything below. */
const fields = new Set([
  ...[
    'type',
    'id',
    'text',
    'model',
    'fromId',
    'ofId',
    'toId',
    'isConversation',
    'kind',
    'durationMs',
    'end.reason',
  ],
  ...['attachments.*.kind', 'attachments.*.label', 'attachments.*.text'],
  ...['mimeType', 'data', 'bytes'].map((name) => `attachments.*.image.${name}`),
  ...['id', 'callId', 'name'].map((name) => `calls.*.${name}`),
  ...['state', 'content', 'durationMs'].map((name) => `outcome.${name}`),
]);

function fieldsOf(value: unknown, path = ''): string[] {
  if (path === 'calls.*.input') return [];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    fieldsOf(inner, [path, Array.isArray(value) ? '*' : name].filter(Boolean).join('.')),
  );
}

const texts = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  '/work/.env',
  'app:guide',
  'app:app:guide',
  'update_plan',
  'edit_file',
);
const hostile = fc.array(valuesOf(chatEventSchema, texts), { maxLength: 25 });

/** The opened conversation, with the events that opening adds. */
function opened(events: readonly ChatEvent[]): Conversation {
  const conversation = new Conversation('c', events);
  recordInterruptions(conversation, (event) => conversation.apply(event));
  return conversation;
}

export const target: Target = {
  'is text and nothing else, whatever its file holds': {
    runs: 2500,
    property: fc.property(hostile, (held) => {
      const events = [{ type: 'userMessageAdded', id: 'a', text: 'Hello' }, ...held];
      let ids = 0;
      const file = JSON.stringify({ format: 'switchboard-conversation', events });
      const imported = fromJson(file, () => `new ${++ids}`).events;
      for (const event of imported) {
        assert.deepEqual(
          fieldsOf(event).filter((path) => !fields.has(path)),
          [],
          JSON.stringify(event),
        );
        const named = ['id', 'fromId', 'ofId', 'toId'].flatMap(
          (name) => (event as Record<string, unknown>)[name] ?? [],
        );
        assert.ok(
          named.every((id) => typeof id === 'string' && id.startsWith('new ')),
          'an id of another conversation',
        );
        if (event.type === 'answerStarted') assert.doesNotMatch(event.model, /^app:/);
      }
      const conversation = opened(imported);
      const { all, fileHistory } = conversation;
      assert.deepEqual(
        all.filter(({ type }) => type === 'edits' || type === 'search' || type === 'summary'),
        [],
      );
      for (const item of all) {
        if (item.type === 'tool') assert.ok(item.outcome && !item.outcome.unrun, 'a call that can be run');
        if (item.type === 'restoration') assert.equal(item.edits, undefined);
      }
      const edits = all.flatMap(({ id }) => fileHistory.editsSince(id) ?? []);
      assert.deepEqual([edits, fileHistory.foldersMade], [[], []]);
      assert.deepEqual([conversation.queue, conversation.bases, conversation.instructions], [[], [], []]);
      const { model, modeId, approvals, parameters, begunEdits, begunRestoration } = conversation;
      assert.deepEqual([model, modeId, approvals, parameters], [undefined, undefined, 'askFirst', {}]);
      assert.deepEqual([begunEdits, begunRestoration, lostCommands(conversation)], [[], undefined, []]);
      assert.equal(shownChecklist(all), undefined);
    }),
  },
};
