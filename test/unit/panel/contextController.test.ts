import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ModelLimits } from '../../../src/chat/context/contextWindows.ts';
import { RelayCatalog } from '../../../src/chat/models/relayCatalog.ts';
import { ContextController } from '../../../src/panel/contextController.ts';
import type { ModelEvent, ModelRequest, Usage } from '../../../src/relay/messages.ts';
import type { ContextPartsLoaded, ContextUse } from '../../../src/shared/context.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { emptyPrompt } from '../../support/emptyPrompt.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { words } from '../../support/turns.ts';
import { handleCommand } from '../../../src/panel/commandHandlers.ts';

const isSummary = ({ messages }: ModelRequest) =>
  messages.at(-1)!.content.startsWith('[From the editor, not from the user:]');

interface SetUp {
  limits?: ModelLimits;
  usage?: (request: ModelRequest) => Usage | undefined;
  summary?: () => ModelEvent[] | Error;
}

function setUp({ limits = {}, usage, summary }: SetUp = {}) {
  const requests: ModelRequest[] = [];
  const model = { stops: false };
  const dependencies = chatDependencies({
    async *streamModel(request, signal) {
      requests.push(request);
      yield { type: 'requestSent' };
      const reported = usage?.(request);
      if (isSummary(request)) {
        if (model.stops) void chat.shown.stop();
        signal.throwIfAborted();
        const steps = summary?.() ?? [{ type: 'textAdded', text: '## Goal\nWords.' } as const];
        if (steps instanceof Error) throw steps;
        yield* steps;
      } else yield { type: 'textAdded', text: words(900) };
      yield { type: 'modelFinished', reason: 'stop', ...(reported && { usage: reported }) };
    },
    prompt: async () => ({ ...emptyPrompt, systemText: () => words(100) }),
    options: { instructions: words(50) },
    modelLimits: () => limits,
    tools: { read: { run: () => '' } },
  });
  const chat = new ChatController(dependencies);
  const catalog = new RelayCatalog({ listModels: async () => [], merge: (listed) => listed });
  const controller = new ContextController(chat, catalog);
  const heard: ToPage[] = [];
  controller.listen((message) => heard.push(message));
  const use = (): ContextUse | undefined => {
    const message = heard.findLast(({ type }) => type === 'contextUseChanged');
    return message?.type === 'contextUseChanged' ? message.use : undefined;
  };
  const parts = async (): Promise<ContextPartsLoaded> => {
    await handleCommand(controller.commands, { type: 'loadContextParts' });
    const message = heard.findLast(({ type }) => type === 'contextPartsLoaded');
    assert.ok(message?.type === 'contextPartsLoaded');
    return message;
  };
  const talk = async (turns: number) => {
    for (let n = 0; n < turns; n++) await chat.shown.submit(`${n} ${words(100)}`);
  };
  const compact = () => handleCommand(controller.commands, { type: 'compactConversation' });
  const kinds = () =>
    chat.shown.conversation.all.map((item) => (item.type === 'notice' ? item.kind : item.type));
  const reload = () => {
    const again = new ChatController(dependencies);
    return { again, controller: new ContextController(again, catalog) };
  };
  return { chat, compact, controller, heard, kinds, model, parts, reload, requests, talk, use };
}

describe('panel/contextController', () => {
  it('shows nothing before the first answer, nor for an app', async () => {
    const { chat, controller, heard, use } = setUp();
    await controller.begin();
    assert.deepEqual(heard, [{ type: 'contextUseChanged' }]);
    await chat.shown.submit('Hello');
    await eventuallyEqual(() => use() !== undefined, true);
    chat.shown.choices.selectModel('app:1');
    await eventuallyEqual(() => use(), undefined);
    await handleCommand(controller.commands, { type: 'loadContextParts' });
    assert.ok(!heard.some(({ type }) => type === 'contextPartsLoaded'));
    assert.equal(chat.shown.compact(), undefined);
  });

  it('shows what the server counted, of the window, and an estimate where it does not count', async () => {
    const { chat, use } = setUp({
      limits: { contextWindow: 10_000 },
      usage: ({ messages }) => ({
        promptTokens: messages.length * 1000,
        completionTokens: 500,
        reasoningTokens: 400,
      }),
    });
    await chat.shown.submit('Hello');
    await eventuallyEqual(use, { tokens: 2100, isCounted: true, window: 10_000 });
    await chat.shown.submit('More');
    await eventuallyEqual(use, { tokens: 4100, isCounted: true, window: 10_000 });

    for (const counts of [{}, { usage: () => ({ completionTokens: 5 }) }]) {
      const other = setUp(counts);
      await other.chat.shown.submit('Hello');
      await eventuallyEqual(() => other.use()?.isCounted, false);
      const { tokens } = other.use()!;
      assert.ok(tokens > 1050 && tokens < 1150, String(tokens));
    }
  });

  it('tells what fills it, each part by name', async () => {
    const { chat, parts } = setUp();
    const attachment = { kind: 'file' as const, label: 'a.ts', path: 'a.ts', text: words(300) };
    await chat.shown.submit('Look', { attachments: [attachment] });
    const { parts: shown, canCompact } = await parts();
    const tokens = Object.fromEntries(shown.map((part) => [part.name, part.tokens]));
    assert.deepEqual(Object.keys(tokens), [
      'System prompt',
      'Tools',
      'Instructions',
      'Messages',
      'Attached files',
    ]);
    assert.ok(Math.abs(tokens['System prompt']! - 100) < 5);
    assert.ok(Math.abs(tokens['Attached files']! - 320) < 30, String(tokens['Attached files']));
    assert.ok(Math.abs(tokens.Messages! - 910) < 20, String(tokens.Messages));
    assert.equal(canCompact, false);
  });

  it('tells what the whole conversation took, with summaries and what was left for another version', async () => {
    const { chat, compact, parts, talk } = setUp({
      usage: () => ({
        ...{ promptTokens: 1000, completionTokens: 10, cachedTokens: 400 },
        cost: { amount: 0.25, currency: 'USD', kind: 'charged' },
      }),
    });
    await talk(30);
    await chat.shown.retry(chat.shown.conversation.all.at(-1)!.id);
    assert.equal((await parts()).spent.cost, '$7.75');
    await compact();
    const { spent } = await parts();
    assert.deepEqual(spent, {
      promptTokens: 32_000,
      completionTokens: 320,
      cachedTokens: 12_800,
      cost: '$8.00',
    });
  });

  it('compacts by hand: the original stays, the next request begins with the summary, also after a reload', async () => {
    const { chat, compact, kinds, parts, reload, requests, talk, use } = setUp({
      usage: ({ messages }) => ({ promptTokens: messages.length * 1000 }),
    });
    await talk(30);
    const before = chat.shown.conversation.all.length;
    const sent = requests.at(-1)!;
    const whole = await parts();
    assert.equal(whole.canCompact, true);
    const sum = whole.parts.reduce((all, { tokens }) => all + tokens, 0);
    assert.ok(Math.abs(sum - use()!.tokens) < 5, 'of what the server counted');
    await compact();
    const asked = requests.at(-1)!;
    assert.ok(isSummary(asked));
    assert.deepEqual(asked.messages.slice(0, sent.messages.length), sent.messages, 'the vendor knows it');
    assert.deepEqual(asked.tools, sent.tools);
    assert.equal(chat.shown.conversation.all.length, before + 1, 'the original and the summary');
    assert.equal(kinds().filter((kind) => kind === 'summary').length, 1);
    await eventuallyEqual(() => use()?.isCounted, false);
    const { parts: shown, canCompact } = await parts();
    assert.ok(shown.some(({ name }) => name === 'Summary'));
    assert.equal(canCompact, false);

    await chat.shown.submit('And now?');
    const { messages } = requests.at(-1)!;
    assert.match(messages[1]!.content, /<summary-(\w+)>\n## Goal\nWords\.\n<\/summary-\1>/);
    const { again } = reload();
    await again.openChat(chat.shown.conversation.id);
    await again.shown.submit('More?');
    assert.deepEqual(requests.at(-1)!.messages.slice(0, messages.length), messages);
  });

  it('says that there is nothing to compact, and asks nobody', async () => {
    const { chat, compact, kinds, requests, talk } = setUp();
    await talk(2);
    await compact();
    assert.equal(requests.length, 2);
    assert.equal(kinds().at(-1), 'nothing-to-compact');
    assert.equal(chat.shown.status.type, 'idle');
  });

  it('leaves the conversation as it is when there is no summary, it is stopped, or the relay fails', async () => {
    const { SwitchboardError } = await import('../../../src/base/errors/errors.ts');
    const cases: [string, () => ModelEvent[] | Error, RegExp][] = [
      ['empty', () => [], /finished without an answer/],
      ['key', () => new SwitchboardError('key', 'The key was rejected.'), /The key was rejected/],
    ];
    for (const [name, summary, pattern] of cases) {
      const { chat, compact, requests, talk } = setUp({ summary });
      await talk(30);
      const sent = requests.at(-1)!.messages;
      await compact();
      const last = chat.shown.conversation.all.at(-1);
      assert.ok(last?.type === 'notice' && last.kind === 'compaction-failed', name);
      assert.match(last.detail ?? '', pattern);
      await chat.shown.submit('Go on');
      assert.deepEqual(requests.at(-1)!.messages.slice(0, sent.length), sent);
    }
    const { chat, compact, kinds, model, talk } = setUp();
    await talk(30);
    const before = kinds();
    model.stops = true;
    await compact();
    assert.deepEqual(kinds(), before);
    assert.equal(chat.shown.status.type, 'idle');
  });

  it('does not compact while a turn runs, and sends what was queued meanwhile', async () => {
    const { chat, kinds, talk } = setUp();
    await talk(30);
    const compacting = chat.shown.compact();
    assert.ok(compacting);
    assert.equal(chat.shown.compact(), undefined);
    assert.equal(chat.shown.submit('Now'), undefined);
    assert.ok(chat.shown.queue.add({ text: 'Then' }));
    await compacting;
    await eventuallyEqual(() => chat.shown.status.type, 'idle');
    assert.deepEqual(kinds().slice(-2), ['user', 'answer']);
    assert.equal(chat.shown.conversation.queue.length, 0);
  });
});
