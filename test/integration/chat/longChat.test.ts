import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { relayOfSuite } from '../../support/relayOfSuite.ts';

interface Body {
  model: string;
  tools?: unknown[];
  messages: { role: string; content?: string }[];
}

describe('chat: conversations longer than the context, against the sandbox', () => {
  const relay = relayOfSuite();

  function open(model: string, contextWindow?: number) {
    relay.server().clearRequests();
    const streamModel = relay.streamModel();
    const windows = new Map<string, number>();
    const text = 'some words of it '.repeat(300);
    const chat = new ChatController(
      chatDependencies({
        streamModel,
        modelLimits: () => (contextWindow === undefined ? {} : { contextWindow }),
        windows,
        tools: { read_file: { run: (input) => `${JSON.stringify(input)}\n${text}` } },
        defaultModel: () => model,
      }),
    );
    const sent = () => relay.server().requests.map(({ json }) => json as Body);
    const kinds = () =>
      chat.shown.conversation.all.map((item) => (item.type === 'notice' ? item.kind : item.type));
    return { chat, kinds, sent, windows };
  }

  const reads = Array.from({ length: 8 }, (_, n) => `read file${n}.txt`).join(' then ');

  for (const listed of [4096, undefined]) {
    const known = listed ? 'that the list names' : 'that is learnt';
    it(`reads more than fits into a window ${known}, in one turn`, async () => {
      const { chat, kinds, sent, windows } = open('scripted-small-window', listed);
      assert.equal((await chat.shown.submit(reads))?.reason, 'answered');
      assert.equal(kinds().filter((kind) => kind === 'tool').length, 8);
      assert.equal(kinds().filter((kind) => kind === 'results-shortened').length, 1);
      assert.equal(kinds().includes('context-refused'), !listed);
      assert.equal(windows.get('scripted-small-window'), listed ? undefined : 4096);
      // Nine questions, and the refused one if the window was unknown.
      assert.equal(sent().length, listed ? 9 : 10);
      const results = sent()
        .at(-1)!
        .messages.filter(({ role }) => role === 'tool');
      assert.match(results[0]?.content ?? '', /to fit the context/);
      assert.doesNotMatch(results.at(-1)?.content ?? '', /to fit the context/);
    });
  }

  const isSummary = ({ messages }: Body) =>
    (messages.at(-1)?.content ?? '').startsWith('[From the editor, not from the user:]');
  const share = (body: Body, before: Body) => {
    const [one = '', other = ''] = [body, before].map((each) =>
      JSON.stringify([each.tools, ...each.messages]),
    );
    let same = 0;
    while (same < other.length && other[same] === one[same]) same++;
    return same / one.length;
  };

  for (const listed of [4096, undefined]) {
    it(`goes on for many turns with a summary, window ${listed ? 'listed' : 'learnt'}`, async () => {
      const { chat, kinds, sent } = open('scripted-small-window', listed);
      for (let n = 0; n < 24; n++) {
        const end = await chat.shown.submit(`Turn ${n}: ${'and so on '.repeat(60)}`);
        assert.equal(end?.reason, 'answered', end?.failure?.why);
      }
      const all = sent();
      const summaries = all.filter(isSummary);
      assert.ok(summaries.length > 1 && summaries.length < 8, `${summaries.length} of ${all.length}`);
      assert.equal(kinds().filter((kind) => kind === 'summary').length, summaries.length);
      for (const summary of listed ? summaries : summaries.slice(1)) {
        const before = all[all.indexOf(summary) - 1]!;
        assert.ok(share(summary, before) > 0.6, String(share(summary, before)));
        assert.deepEqual(summary.tools, before.tools);
      }
      // A refused prompt doesn't fit, so its summary is requested in brief.
      assert.equal(summaries[0]!.messages.length === 1, !listed);
      // Requests after a compaction begin with it, until the next.
      const changes = all.filter((body, n) => n > 0 && !isSummary(body) && !isSummary(all[n - 1]!));
      for (const body of changes) {
        const before = all[all.indexOf(body) - 1]!;
        if (before.messages.length > body.messages.length) continue;
        assert.deepEqual(body.messages.slice(0, before.messages.length), before.messages);
      }
      assert.match(
        sent().at(-1)!.messages[0]?.content ?? '',
        /^\[The conversation before[^]*## Goal\nTurn 0/,
      );
    });
  }

  it('tries once more after a refusal, shortened, and then gives up with the server’s words', async () => {
    const { chat, kinds, sent, windows } = open('fault/context-too-long');
    chat.shown.choices.selectModel('scripted-writer');
    await chat.shown.submit('write 400 lines');
    await chat.shown.submit('Hello');
    chat.shown.choices.selectModel('fault/context-too-long');
    const end = await chat.shown.submit('Go on');
    assert.equal(end?.failure?.code, 'context-too-long');
    assert.match(end.failure.why ?? '', /maximum context length is 8192/);
    assert.equal(windows.get('fault/context-too-long'), 8192);
    const toFault = sent().filter(({ model }) => model === 'fault/context-too-long');
    assert.deepEqual(toFault.map(isSummary), [false, true, false]);
    const size = (body: Body | undefined) => JSON.stringify(body).length;
    assert.ok(size(toFault[2]) < size(toFault[0]) / 2);
    assert.deepEqual(kinds().filter((kind) => kind === 'context-refused').length, 1);
    // The summary was refused, too, so the notice says what was left out.
    assert.ok(chat.shown.conversation.all.some((item) => item.type === 'summary' && item.problem));
  });

  it('does not repeat what cannot be shortened, whatever form the refusal has', async () => {
    for (const [model, window] of [
      ['fault/context-too-long', 8192],
      ['fault/context-too-long-by-text', 200_000],
    ] as const) {
      const { chat, sent, windows } = open(model);
      assert.equal((await chat.shown.submit('Hello'))?.failure?.code, 'context-too-long');
      assert.equal(sent().length, 1);
      assert.equal(windows.get(model), window);
    }
  });
});
