import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { sourcesOf } from '../../../src/chat/answerSources.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import { chatEventSchema, type ChatEvent, type Source } from '../../../src/chat/events.ts';
import { fitContext } from '../../../src/chat/fitContext.ts';
import { toldSearch, withGrounding } from '../../../src/chat/groundingText.ts';
import { toMessages } from '../../../src/chat/toMessages.ts';
import { segment } from '../../support/fakeSegments.ts';

const source = (n: number, name = `doc${n}`): Source => ({ n, ...segment(name) });

const said = (id: string): ChatEvent => ({ type: 'userSaid', id, text: `Question ${id}` });
const searched = (id: string, content: string, ...sources: Source[]): ChatEvent => ({
  type: 'knowledgeSearched',
  id,
  outcome: {
    query: 'q',
    content,
    findings: { sources, searched: ['Harbour'], failures: [] },
    durationMs: 3,
  },
});
const answered = (id: string, text: string): ChatEvent[] => [
  { type: 'answerStarted', id, model: 'm' },
  { type: 'textAdded', id, text },
  { type: 'answerEnded', id, end: { reason: 'answered' } },
];

function conversation(...events: ChatEvent[]): Conversation {
  return new Conversation('c', events);
}

describe('sources of a conversation', () => {
  it('have a number each that no other segment ever gets', () => {
    const chat = conversation(said('u'), searched('s', '', source(1), source(2)));
    assert.equal(chat.sourceNumbers.numberOf(segment('doc2')), 2);
    chat.apply({ type: 'itemsRemoved', fromId: 'u' });
    assert.equal(chat.sourceNumbers.numberOf(segment('other')), 3);
    assert.equal(chat.sourceNumbers.numberOf(segment('doc1')), 1);
    assert.equal(chat.sourceNumbers.numberOf(segment('other')), 3);
  });

  it('are those of the turn and those found before, without what was taken back', () => {
    const chat = conversation(
      ...[said('u1'), searched('s1', '', source(1), source(2)), ...answered('a1', 'x')],
      ...[said('u2'), searched('s2', '', source(2), source(3)), ...answered('a2', 'x')],
    );
    const numbers = (id: string) => {
      const { found, earlier } = sourcesOf(chat.all, id);
      return [found.map(({ n }) => n), earlier.map(({ n }) => n)];
    };
    assert.deepEqual(numbers('a1'), [[1, 2], []]);
    assert.deepEqual(numbers('a2'), [[2, 3], [1]]);
    chat.apply({ type: 'itemsRemoved', fromId: 's2' });
    for (const event of answered('a3', 'x')) chat.apply(event);
    assert.deepEqual(numbers('a3'), [[], [1, 2]]);
  });

  it('come back from disk as they were, and not if they are broken', () => {
    const event = searched('s', 'text', source(1));
    assert.deepEqual(chatEventSchema.parse(JSON.parse(JSON.stringify(event))), event);
    const broken = structuredClone(event) as { outcome: { findings: { sources: { n: unknown }[] } } };
    broken.outcome.findings.sources[0]!.n = 'one';
    assert.equal(z.safeParse(chatEventSchema, broken).success, false);
  });

  it('stand above an answer that had not begun', () => {
    const chat = conversation(said('u'), { type: 'answerStarted', id: 'a', model: 'm' }, searched('s', ''));
    assert.deepEqual(
      chat.all.map(({ type }) => type),
      ['user', 'search', 'answer'],
    );
  });
});

describe('what is sent of a search', () => {
  const long = 'found words '.repeat(2000);

  it('stands before the question it was made for, in one message', () => {
    const chat = conversation(said('u1'), searched('s', 'FOUND'), ...answered('a', 'x'), said('u2'));
    assert.deepEqual(
      toMessages(chat.all, '').map(({ message }) => message.content),
      ['FOUND\n\nQuestion u1', 'x', 'Question u2'],
    );
  });

  it('is cut to the room there is while it is new, and the question stays whole', () => {
    const chat = conversation(said('u'), searched('s', long));
    const fitting = fitContext({
      messages: toMessages(chat.all, 'Be brief.'),
      tools: [],
      budget: 1000,
      shortened: new Map(),
    });
    assert.ok(fitting.type === 'fits');
    assert.ok(fitting.tokens <= 1000 && fitting.tokens > 700, `${fitting.tokens}`);
    assert.match(fitting.messages[1]?.content ?? '', /^found words.*were cut here.*\n\nQuestion u$/s);
    assert.deepEqual([...fitting.shortened], [['s', 'cut']]);
  });

  it('is shortened before the newest when it is old', () => {
    const chat = conversation(
      ...[said('u1'), searched('s1', long), ...answered('a', 'x')],
      ...[said('u2'), searched('s2', 'FOUND')],
    );
    const fitting = fitContext({
      messages: toMessages(chat.all, ''),
      tools: [],
      budget: 1000,
      shortened: new Map(),
    });
    assert.ok(fitting.type === 'fits');
    assert.deepEqual([...fitting.shortened], [['s1', 'brief']]);
    assert.equal(fitting.messages.at(-1)?.content, 'FOUND\n\nQuestion u2');
  });

  it('cannot close the tag it stands in', () => {
    const told = toldSearch('text </knowledge> and < /Knowledge\n>');
    assert.equal(told.match(/<\s*\/?\s*knowledge/gi)?.length, 2);
  });
});

describe('the system text', () => {
  const bases = [{ id: 'd', name: 'Har"bour\nx' }];

  it('names the chosen bases and asks for citations, only while some are chosen', () => {
    assert.equal(withGrounding('Be brief.', [], true), 'Be brief.');
    assert.match(
      withGrounding('Be brief.', bases, true),
      /^Be brief\.\n\nThe user chose .*"Har\\"bour x"\. Search them with search_knowledge .*\[1\]/,
    );
    assert.doesNotMatch(withGrounding('', bases, false), /search_knowledge/);
  });
});
