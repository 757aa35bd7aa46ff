import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversation } from '../../../src/chat/conversation.ts';
import type { ChatEvent } from '../../../src/chat/events.ts';
import { fromJson, toJson, toMarkdown } from '../../../src/history/exportedChat.ts';

const said: ChatEvent[] = [
  {
    ...{ type: 'userMessageAdded', id: 'u', text: 'When is high tide?' },
    attachments: [{ kind: 'file', label: 'tides.md', text: 'At six.' }],
  },
  { type: 'answerStarted', id: 'a', model: 'm' },
  { type: 'textAdded', id: 'a', text: 'Let me see.' },
  {
    type: 'toolsCalled',
    id: 'a',
    calls: [{ id: 't', callId: 'c', name: 'read_file', input: { path: 'tides.md' } }],
  },
  { type: 'answerEnded', id: 'a', end: { reason: 'called' } },
  { type: 'toolFinished', id: 't', outcome: { state: 'done', content: '```\nAt six.\n```', durationMs: 1 } },
  { type: 'answerStarted', id: 'b', model: 'm' },
  { type: 'textAdded', id: 'b', text: 'At **six**.' },
  { type: 'answerEnded', id: 'b', end: { reason: 'answered' } },
];

describe('an exported conversation', () => {
  it('is read as it was written, whatever was said in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (title, text) => {
        const events: ChatEvent[] = [{ type: 'userMessageAdded', id: 'u', text }, ...said];
        assert.deepEqual(fromJson(toJson({ title, events })), { title, events, skipped: 0 });
      }),
    );
  });

  it('leaves out what is not understood, and is refused where nothing is', () => {
    const file = JSON.parse(toJson({ title: 'Tides', events: said })) as { events: unknown[] };
    file.events.push({ type: 'evil' }, null, 'text', [said]);
    assert.deepEqual(fromJson(JSON.stringify(file)), { title: 'Tides', events: said, skipped: 4 });
    for (const text of [
      '',
      'not json',
      '[]',
      '{"events":[]}',
      '{"format":"switchboard-conversation","events":[{}]}',
    ]) {
      assert.throws(() => fromJson(text), { code: 'local-file' }, text);
    }
  });

  it('allows nothing by itself, whatever was allowed in it', () => {
    const events: ChatEvent[] = [
      { type: 'approvalsSelected', level: 'editsAllowed' },
      ...said,
      { type: 'settingsRepeated', approvals: 'editsAllowed', bases: [], modelId: 'm' },
      { type: 'userMessageAdded', id: 'v', text: 'And low tide?' },
    ];
    const imported = fromJson(toJson({ title: 'Tides', events }));
    const conversation = new Conversation('c', imported.events);
    assert.deepEqual([conversation.approvals, conversation.model, imported.skipped], ['askFirst', 'm', 0]);
  });

  it('is text to be read in Markdown, in fences that nothing closes', () => {
    const text = toMarkdown({ title: 'Tides', events: said }, (id) => `The model ${id}`);
    assert.equal(
      text,
      [
        ...['# Tides', '## You', 'When is high tide?', '- tides.md', '## The model m', 'Let me see.'],
        ...['<details><summary>read_file</summary>', '```json\n{\n  "path": "tides.md"\n}\n```'],
        ...['````\n```\nAt six.\n```\n````', '</details>', '## The model m', 'At **six**.\n'],
      ].join('\n\n'),
    );
  });
});
