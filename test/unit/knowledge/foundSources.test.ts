import assert from 'node:assert/strict';
import { FoundSources } from '../../../src/knowledge/foundSources.ts';
import type { FoundSegment } from '../../../src/tools/knowledge/source.ts';
import { fakeSegments, segment } from '../../support/fakeSegments.ts';
import { silentLog } from '../../support/silentLog.ts';
import { toolsUnderTest } from '../../support/toolsUnderTest.ts';

const { signal } = new AbortController();
const bases = [{ id: 'd1', name: 'Harbour' }];

/** @param indexed the text of each document's only segment */
function setUp(found: readonly FoundSegment[], { indexed = '', failing = [] as string[] } = {}) {
  const { search } = fakeSegments(found, failing);
  const connection = { isThere: true };
  const knowledge = {
    bases: { isAgent: () => false },
    async search(...asked: Parameters<typeof search>) {
      const { segments: results, failures } = await search(...asked);
      return { results, failures };
    },
  };
  const item = { id: 's', documentId: 'd', content: indexed, position: 1, isEnabled: true };
  const client = { segments: { list: async () => ({ items: [item], hasMore: false }) } };
  const sources = new FoundSources({
    knowledge: async () => (connection.isThere ? ({ client, knowledge } as never) : undefined),
    files: async () => toolsUnderTest({}).dependencies,
    log: silentLog,
  });
  const ask = (query = 'basin') => sources.search({ query, bases }, signal);
  const read = async (startLine?: number, endLine?: number) =>
    (await sources.read(1, { startLine, endLine }, signal)).text;
  return { sources, ask, read, connection };
}

describe('FoundSources', () => {
  const knots = 'Three knots in the basin.';
  const lines = Array.from({ length: 400 }, (_, index) => `Line ${index + 1}.`);
  lines[299] = knots;
  const indexed = lines.join('\n');

  it('reads the indexed text around what was found, or the lines asked for', async () => {
    const { ask, read } = setUp([segment('rules.md', { content: knots })], { indexed });
    await ask();
    // The heading of the segment and an empty line come first.
    const around = await read();
    assert.match(around, /^<source-\w+ cite="\[1\]" document="rules.md" knowledge-base="Harbour">\n/);
    assert.match(around, /\nLines 282 to 322 of 403\n282\tLine 280\.\n/);
    assert.match(around, /\n302\tThree knots in the basin\.\n(?:.*\n){20}<\/source/);
    assert.match(
      await read(3),
      /\nLines 3 to 202 of 403\n3\tLine 1\.\n(?:.*\n){198}202\tLine 200\.\n<\/source/,
    );
    assert.match(await read(402), /\nLines 402 to 403 of 403\n402\tLine 400\.\n403\t\n<\/source/);
    assert.match(await read(5, 2), /\nLines 5 to 5 of 403\n5\tLine 3\.\n<\/source/);
    assert.match(await read(undefined, 4), /\nLines 4 to 4 of 403\n4\tLine 2\.\n<\/source/);
    assert.match(await read(404), /\nThe text has 403 lines\. Choose a smaller start_line\.\n/);
  });

  it('begins with the first line where what was found is no longer in the text', async () => {
    const { ask, read } = setUp([segment('rules.md', { content: knots })], { indexed: 'All\nanew.' });
    await ask();
    assert.match(await read(), /\nLines 1 to 5 of 5\n1\t/);
  });

  it('redacts secrets of the indexed text', async () => {
    const secret = `sk-${'a1B2'.repeat(12)}`;
    const { ask, read } = setUp([segment('rules.md', { content: knots })], {
      indexed: `${knots}\nkey: ${secret}`,
    });
    await ask();
    assert.doesNotMatch(await read(), /a1B2a1B2/);
  });

  it('has the found segment where the platform is gone', async () => {
    const { ask, read, connection } = setUp([segment('rules.md', { content: knots })], { indexed });
    await ask();
    connection.isThere = false;
    assert.match(await read(), /\nLines 1 to 1 of 1\n1\tThree knots in the basin\.\n/);
  });

  it('fails where no knowledge base could be searched, and for numbers that it never gave', async () => {
    const { ask, sources } = setUp([segment('rules.md')], { failing: ['d1'] });
    assert.equal((await ask('rules.md')).isError, true);
    const unknown = await sources.read(1, {}, signal);
    assert.deepEqual([unknown.isError, unknown.files], [true, []]);
    assert.match(unknown.text, /There is no source \[1\]/);
    const working = setUp([segment('rules.md')]);
    assert.equal((await working.ask('rules.md')).isError, false);
    assert.equal((await working.sources.read(1, {}, signal)).isError, false);
  });

  it('forgets the sources that were not found for longest, beyond a thousand', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => segment(`many${index + 1}.md`));
    const { ask, sources } = setUp([...many, segment('later.md')]);
    await ask('many');
    await ask('many1.md');
    await ask('later.md');
    assert.deepEqual(
      [1, 2, 3, 1001].map((n) => sources.find(n)?.documentName),
      ['many1.md', undefined, 'many3.md', 'later.md'],
    );
  });
});
