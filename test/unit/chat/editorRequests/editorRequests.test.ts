import assert from 'node:assert/strict';
import type { AppRecord } from '../../../../src/apps/appRegistry.ts';
import { AppTalks } from '../../../../src/chat/editorRequests/appTalks.ts';
import {
  type EditorMessage,
  toRelayMessages,
  errorKind,
} from '../../../../src/chat/editorRequests/editorMessages.ts';
import { describeChatApp, describeModel } from '../../../../src/chat/editorRequests/describeModel.ts';
import { RecentCalls } from '../../../../src/chat/editorRequests/recentCalls.ts';
import type { Message, ToolCall } from '../../../../src/relay/messages.ts';
import { assertExchange } from '../../../support/exchange.ts';

const call = (id: string): ToolCall => ({ id, name: 'read_file', arguments: '{"path":"a"}' });
const text = (value: string) => ({ type: 'text' as const, text: value });
const calls = (...ids: string[]) => ids.map((id) => ({ type: 'call' as const, call: call(id) }));
const result = (callId: string, value = 'r') => ({
  type: 'result' as const,
  callId,
  text: value,
  images: [],
});
const image = { mimeType: 'image/png', data: 'AAAA' };

const convert = (messages: readonly EditorMessage[]) => toRelayMessages(messages, 'm', () => ({}));

describe("the editor's messages, as a relay takes them", () => {
  it('are split into results and what the user said with them', () => {
    const messages = convert([
      { role: 'system', parts: [text('Be brief.')] },
      { role: 'user', parts: [text('one '), text('two'), { type: 'image', image }] },
      { role: 'assistant', parts: [text('Looking.'), ...calls('a', 'b')] },
      { role: 'user', parts: [result('b'), text('and?'), result('a')] },
    ]);
    assert.deepEqual(messages, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one two', images: [image] },
      { role: 'assistant', model: 'm', content: 'Looking.', toolCalls: [call('a'), call('b')] },
      { role: 'tool', toolCallId: 'b', content: 'r' },
      { role: 'tool', toolCallId: 'a', content: 'r' },
      { role: 'user', content: 'and?' },
    ]);
  });

  it('have exactly one result for each call, whatever the caller has of them', () => {
    const messages = convert([
      { role: 'user', parts: [text('go'), result('stray')] },
      { role: 'assistant', parts: calls('a', 'b') },
      { role: 'user', parts: [result('a'), result('a', 'again'), text('stop')] },
      { role: 'assistant', parts: calls('c') },
      { role: 'assistant', parts: [text('Well.')] },
      { role: 'assistant', parts: calls('d') },
    ]);
    assertExchange(messages);
    assert.equal(messages.map(({ role }) => role[0]).join(''), 'uattuataat');
  });

  it('show pictures of results beside what is said next, and leave out what says nothing', () => {
    const shown = { ...result('a'), images: [image] };
    const messages = convert([
      { role: 'assistant', parts: calls('a') },
      { role: 'user', parts: [shown] },
      { role: 'assistant', parts: [] },
      { role: 'user', parts: [] },
    ]);
    assert.deepEqual(messages.slice(1), [
      { role: 'tool', toolCallId: 'a', content: 'r' },
      { role: 'user', content: '', images: [image] },
    ]);
  });

  it('get back what the same model thought before the same calls', () => {
    const recent = new RecentCalls();
    const thought = { reasoning: 'Hm.', signedReasoning: [{ text: 'Hm.', signature: 's' }] };
    recent.remember('m', [call('a')], thought);
    recent.remember('m', [call('c')], { reasoning: '', signedReasoning: [] });
    const asked: EditorMessage[] = [{ role: 'assistant', parts: calls('a') }];
    assert.deepEqual(toRelayMessages(asked, 'm', recent.recallFor('m'))[0], {
      ...{ role: 'assistant', model: 'm', content: '', ...thought },
      toolCalls: [call('a')],
    });
    const [one, other] = [
      { ...call('x'), extra: { extra_content: 1 } },
      { ...call('y'), extra: { extra_content: 2 } },
    ];
    recent.remember('m', [one, other], thought);
    const both: EditorMessage[] = [{ role: 'assistant', parts: calls('x', 'y') }];
    assert.deepEqual(toRelayMessages(both, 'm', recent.recallFor('m'))[0], {
      ...{ role: 'assistant', model: 'm', content: '', ...thought },
      toolCalls: [one, other],
    });
    assert.deepEqual(recent.recallFor('other')(call('a')), {});
    assert.deepEqual(recent.recallFor('m')({ ...call('a'), arguments: '{"path":"b"}' }), {});
    for (let index = 0; index < 300; index++) recent.remember('m', [call(`n${index}`)], thought);
    assert.deepEqual(recent.recallFor('m')(call('a')), {});
    assert.deepEqual(recent.recallFor('m')(call('n299')), thought);
  });
});

describe('what the editor is told of a model', () => {
  it('is what is known of it; of what is not, figures that let requests through', () => {
    const known = describeModel(
      { id: 'a', name: 'A', maxTokens: 4_000, toolCalling: false, vision: false },
      20_000,
      { family: 'a', relay: 'relay.example' },
    );
    assert.deepEqual([known.maxInputTokens, known.maxOutputTokens], [16_000, 4_000]);
    assert.deepEqual(known.capabilities, { toolCalling: false, imageInput: false });
    const unknown = describeModel({ id: 'relay:https://b.example/b', name: 'B' }, undefined, {
      family: 'b',
      relay: 'Second',
    });
    assert.deepEqual(
      [unknown.id, unknown.family, unknown.detail],
      ['relay:https://b.example/b', 'b', 'Second'],
    );
    assert.equal(unknown.maxInputTokens + unknown.maxOutputTokens, 128_000);
    assert.deepEqual(unknown.capabilities, { toolCalling: true, imageInput: true });
    assert.equal(
      unknown.tooltip,
      'b · Context window unknown · Image support unknown · Tool support unknown',
    );
    // An answer limit as large as the window would leave no room for a question.
    assert.equal(
      describeModel({ id: 'c', name: 'C', maxTokens: 8_000 }, 8_000, { family: 'c', relay: 'h' })
        .maxInputTokens,
      4_000,
    );
  });

  it('of an app is that it takes words alone', () => {
    const app = { id: '1', name: 'Tide helper', kind: 'chat', origin: 'https://p.example' } as AppRecord;
    const { id, detail, capabilities } = describeChatApp(app);
    assert.deepEqual([id, detail], ['app:1', 'p.example']);
    assert.deepEqual(capabilities, { toolCalling: false, imageInput: false });
  });

  it('of a failure is one of its own kinds where it has one', () => {
    assert.equal(errorKind('vendor-key'), 'NoPermissions');
    assert.equal(errorKind('model'), 'NotFound');
    assert.equal(errorKind('rate-limit'), 'Blocked');
    assert.equal(errorKind('truncated'), 'Other');
  });
});

describe('conversations of apps, known again by what was said', () => {
  const user = (content: string): Message => ({ role: 'user', content });
  const said = (content: string): Message => ({ role: 'assistant', model: 'app:1', content });

  it('go on with the newest words alone', () => {
    const talks = new AppTalks();
    const begun = [user('High water?')];
    assert.deepEqual(talks.question('1', begun), { query: 'High water?' });
    talks.answered('1', begun, 'At noon.', { conversationId: 'c' });
    const next = [...begun, said('At noon.'), user('And low?')];
    assert.deepEqual(talks.question('1', next), { query: 'And low?', talk: { conversationId: 'c' } });
  });

  it('of another app, or with another answer, begin with what was said, in a frame', () => {
    const talks = new AppTalks();
    talks.answered('1', [user('High water?')], 'At noon.', { conversationId: 'c' });
    const next = [user('High water?'), said('At ten.'), user('And low?')];
    for (const [app, messages] of [
      ['1', next],
      ['2', [user('High water?'), said('At noon.'), user('And low?')]],
    ] as const) {
      const { query, talk } = talks.question(app, messages);
      assert.equal(talk, undefined);
      assert.match(
        query,
        /^<conversation-[0-9a-f]+>\nuser: High water\?\n\nassistant: At \w+\.\n<\/.*>\n\nAnd low\?$/,
      );
    }
  });
});
