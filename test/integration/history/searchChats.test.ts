import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ChatEvent } from '../../../src/chat/store/events.ts';
import { searchChats, textsIn, type FoundChat } from '../../../src/history/searchChats.ts';

const { signal } = new AbortController();

describe('full text search of conversations', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const toText = (events: readonly unknown[]) =>
    events.map((event) => `\n${JSON.stringify(event)}\n`).join('');
  const keep = (id: string, events: readonly unknown[]) =>
    writeFile(join(folder, `${id}.jsonl`), toText(events));
  async function search(ids: string[], query: string, sizes?: { chunk: number; overlap: number }) {
    const found: FoundChat[] = [];
    for await (const each of searchChats(folder, ids, query, signal, sizes)) found.push(each);
    return found;
  }

  it('finds what a reading of all would find, however it is split over lines and reads', async () => {
    const letters = fc.constantFrom(
      'a',
      'B',
      'é',
      'É',
      'ж',
      'Ж',
      '海',
      '🎉',
      '"',
      '\\',
      '\n',
      ' ',
      '.',
      '{',
      't',
    );
    const words = fc.string({ unit: letters, maxLength: 5 });
    const event = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ type: fc.constant('textAdded'), id: fc.constantFrom('a', 'b'), text: words }),
      },
      fc.record({ type: fc.constant('userMessageAdded'), id: fc.constant('u'), text: words }),
      words.map((content) => ({
        type: 'toolFinished',
        id: 't',
        outcome: { state: 'done', content, durationMs: 1 },
      })),
      words.map((value) => ({
        type: 'toolsCalled',
        id: 'a',
        calls: [{ id: 'c', callId: 'c', name: 'x', input: { deep: [value] } }],
      })),
    );
    const sizes = fc.record({ chunk: fc.integer({ min: 1, max: 120 }), overlap: fc.constant(400) });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), words, sizes, async (events, query, atOnce) => {
        fc.pre(query.trim() !== '');
        await keep('a', events);
        const wanted = query.trim().toLowerCase();
        const isThere = textsIn(toText(events).split('\n')).some(({ text }) =>
          text.toLowerCase().includes(wanted),
        );
        const found = await search(['a'], query, atOnce);
        assert.deepEqual(
          found.map(({ id }) => id),
          isThere ? ['a'] : [],
        );
      }),
      { numRuns: 600 },
    );
  });

  it('finds no names of fields, ids and types, and says what stands around a hit', async () => {
    const said: ChatEvent[] = [
      { type: 'userMessageAdded', id: 'needle', text: 'When is the text due?' },
      { type: 'answerStarted', id: 'a', model: 'needle' },
      { type: 'textAdded', id: 'a', text: 'On Mon' },
      { type: 'textAdded', id: 'a', text: 'day,\nI think.' },
    ];
    await keep('a', said);
    for (const query of ['needle', 'userMessageAdded', 'type', '"id"', '   ']) {
      assert.deepEqual(await search(['a'], query), [], query);
    }
    assert.deepEqual(await search(['a'], 'TEXT'), [
      { id: 'a', itemId: 'needle', excerpt: 'When is the text due?' },
    ]);
    assert.deepEqual(await search(['a'], 'monday'), [
      { id: 'a', itemId: 'a', excerpt: 'On Monday, I think.' },
    ]);
  });

  it('says which call of an answer holds a hit, and which result', async () => {
    const call = (id: string, path: string) => ({ id, callId: id, name: 'read_file', input: { path } });
    await keep('a', [
      { type: 'toolsCalled', id: 'a', calls: [call('c', 'sea.md'), call('d', 'tide.md')] },
      { type: 'toolFinished', id: 'd', outcome: { state: 'done', content: 'Spring', durationMs: 1 } },
    ]);
    for (const query of ['tide', 'spring'])
      assert.deepEqual(
        (await search(['a'], query)).map(({ itemId }) => itemId),
        ['d'],
      );
  });

  it('looks into what was attached', async () => {
    const attachments = [{ kind: 'file', label: 'chart.md', text: 'Shoals' }];
    await keep('a', [{ type: 'userMessageAdded', id: 'u', text: 'Where?', attachments }]);
    for (const query of ['chart', 'shoals'])
      assert.deepEqual(
        (await search(['a'], query)).map(({ itemId }) => itemId),
        ['u'],
      );
  });

  it('takes the order it is given, passes over what cannot be read, and ends when nobody wants it any more', async () => {
    const said = [{ type: 'userMessageAdded', id: 'u', text: 'Ahoy' }];
    for (const id of ['a', 'b', 'c']) await keep(id, said);
    assert.deepEqual(
      (await search(['c', 'none', 'a'], 'ahoy')).map(({ id }) => id),
      ['c', 'a'],
    );
    const stop = new AbortController();
    const found: string[] = [];
    for await (const { id } of searchChats(folder, ['a', 'b', 'c'], 'ahoy', stop.signal)) {
      found.push(id);
      stop.abort();
    }
    assert.deepEqual(found, ['a']);
  });

  it('looks into lines that are longer than what is read at once', async () => {
    const text = `${'x'.repeat(3_000_000)} the end`;
    await keep('a', [
      { type: 'userMessageAdded', id: 'u', text },
      { type: 'textAdded', id: 'a', text: 'after' },
    ]);
    assert.equal((await search(['a'], 'THE END')).length, 1);
    assert.equal((await search(['a'], 'after')).length, 1);
  });
});
