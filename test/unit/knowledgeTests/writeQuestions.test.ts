import assert from 'node:assert/strict';
import {
  chooseSegments,
  mostOffered,
  readQuestions,
  writeQuestions,
} from '../../../src/knowledgeTests/writeQuestions.ts';
import type { ModelRequest } from '../../../src/relay/messages.ts';
import type { AskModel } from '../../../src/relay/streamModel.ts';

const segments = [
  { document: 'rules.md', content: 'Three knots\nin the basin.' },
  { document: 'tides.md', content: 'High water comes at noon.' },
];
const good = { segment: 1, question: 'How fast may boats go?', words: 'three knots in' };
const { signal } = new AbortController();

const answering =
  (text: string, requests: ModelRequest[] = []): AskModel =>
  async (request, _, onEvent) => {
    requests.push(request);
    await onEvent({ type: 'textAdded', text });
  };

describe('questions that a model writes', () => {
  it('are kept when their words are in their segment, also from a code block', () => {
    for (const reply of [
      JSON.stringify([good]),
      `\`\`\`json\n${JSON.stringify([good], undefined, 2)}\n\`\`\`\n`,
    ])
      assert.deepEqual(readQuestions(reply, segments), { candidates: [good], dropped: 0 });
  });

  it('are left out one by one for words of other segments, and for what is no question to search for', () => {
    const bad = [
      ...[2, 0, 3, 1.5, '1'].map((segment) => ({ ...good, question: `Segment ${segment}?`, segment })),
      ...['x', '   ', 'ten knots'].map((words, at) => ({ ...good, question: `Invented ${at}?`, words })),
      { ...good, question: '' },
      { ...good, question: 'a'.repeat(251) },
      { ...good, question: 'Two\nlines' },
      { ...good, question: 'More?', more: 1 },
      { segment: 1, question: 'No words?' },
      'text',
      good,
    ];
    assert.deepEqual(readQuestions(JSON.stringify([good, ...bad]), segments), {
      ...{ candidates: [good], dropped: bad.length },
    });
  });

  it('are asked for by one message, without secrets and with segments cut', async () => {
    const requests: ModelRequest[] = [];
    const key = `sk-${'a1B2'.repeat(12)}`;
    const long = { document: 'a.md', content: `${key}\n${'x'.repeat(3000)}end` };
    const settings = { model: 'm', stream: true };
    await writeQuestions(answering('[]', requests), [long], settings, signal);
    const [{ messages, ...rest }] = requests as [ModelRequest];
    assert.deepEqual([rest, messages.length], [settings, 1]);
    const content = String(messages[0]?.content);
    assert.match(content, /<segment-\w+ number="1" document="a\.md">/);
    assert.doesNotMatch(content, /a1B2a1B2|end/);
  });

  it('are refused as a whole in another form', async () => {
    for (const reply of ['', 'Here are some questions', '{"questions": []}', '[{"segment": 1']) {
      const writing = writeQuestions(answering(reply), segments, { model: 'm', stream: true }, signal);
      await assert.rejects(writing, /didn't return questions in the requested form/);
    }
  });
});

describe('the segments that are sent', () => {
  it('come evenly from the documents, at most as many as are said', () => {
    const list = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`);
    assert.deepEqual(chooseSegments([list(4, 'a'), list(2, 'b')], 4), ['a0', 'a2', 'b0', 'b1']);
    assert.equal(chooseSegments([list(100, 'a')]).length, mostOffered);
    assert.equal(chooseSegments(Array.from({ length: 50 }, () => list(3, 'a'))).length, mostOffered);
    assert.deepEqual(chooseSegments([[], list(2, 'b')]), ['b0', 'b1']);
  });
});
