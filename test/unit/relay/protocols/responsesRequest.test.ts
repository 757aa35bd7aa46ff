import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { serviceForm } from '../../../../src/relay/profile/modelDialect.ts';
import type { Message, ModelRequest } from '../../../../src/relay/messages.ts';
import { toMessagesBody } from '../../../../src/relay/protocols/messagesRequest.ts';
import { defaultResponsesForm, type ResponsesForm } from '../../../../src/relay/protocols/responsesForm.ts';
import { toResponsesBody } from '../../../../src/relay/protocols/responsesRequest.ts';

const ask = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  messages,
  stream: true,
  ...more,
});
const body = (request: ModelRequest, form: Partial<ResponsesForm> = {}) =>
  toResponsesBody(request, { ...serviceForm, responses: { ...defaultResponsesForm, ...form } });
const input = (messages: readonly Message[], form: Partial<ResponsesForm> = {}) =>
  body(ask(messages), form)['input'] as JsonObject[];

const user: Message = { role: 'user', content: 'u' };
const reasoning = (n: number) => ({
  ...{ type: 'reasoning', id: `rs_${n}`, summary: [], encrypted_content: `blob${n}` },
});
const said = (text: string, phase?: string) => ({
  ...{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
  ...(phase && { phase }),
});
const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'read_file',
  arguments: '{"path":"a"}',
});
const answer = (more: Partial<Message & { role: 'assistant' }> = {}): Message => ({
  ...{ role: 'assistant', model: 'm', content: 'Looking.' },
  toolCalls: ['a', 'b'].map((id) => ({ id, name: 'read_file', arguments: '{"path":"a"}' })),
  ...more,
});
const kept = (...items: JsonObject[]) => ({ signedReasoning: items.map((item) => ({ item })) });
const callMark = { type: 'function_call' };

describe('toResponsesBody', () => {
  it('has the vendor store nothing, and asks for reasoning that can go back', () => {
    assert.deepEqual(toResponsesBody(ask([{ role: 'system', content: 's' }, user]), serviceForm), {
      model: 'm',
      input: [
        { role: 'developer', content: 's' },
        { role: 'user', content: 'u' },
      ],
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { summary: 'auto' },
    });
    assert.equal(body(ask([user], { stream: false }))['stream'], false);
  });

  it('offers tools whose optional arguments may be left out', () => {
    const parameters = { type: 'object', properties: {} };
    const tools = [{ name: 't', description: 'd', parameters }];
    const asked = body(ask([user], { tools }));
    assert.deepEqual(asked['tools'], [
      { type: 'function', name: 't', description: 'd', parameters, strict: false },
    ]);
    assert.equal(asked['tool_choice'], 'auto');
    assert.equal(body(ask([user], { tools, toolChoice: 'required' }))['tool_choice'], 'required');
    assert.equal('tool_choice' in body(ask([user], { tools: [] })), false);
  });

  it('sends what was chosen, and only that', () => {
    const chosen = body(
      ask([user], { maxTokens: 4, temperature: 0, reasoningEffort: 'max', cacheKey: 'k'.repeat(80) }),
    );
    assert.deepEqual(chosen['reasoning'], { effort: 'max', summary: 'auto' });
    // A smaller limit and a longer key are refused.
    assert.equal(chosen['max_output_tokens'], 16);
    assert.equal(chosen['prompt_cache_key'], 'k'.repeat(64));
    assert.equal(chosen['temperature'], 0);
    assert.deepEqual(body(ask([user], { reasoningEffort: 'none' }))['reasoning'], { effort: 'none' });
    assert.equal(body(ask([user], { maxTokens: 500 }))['max_output_tokens'], 500);
  });

  it('leaves out what was refused', () => {
    const bare = body(ask([{ role: 'system', content: 's' }, user], { maxTokens: 500, cacheKey: 'k' }), {
      ...{ systemRole: 'system', encryptedReasoning: false, summaries: false },
      ...{ tokenLimit: false, cacheKey: false },
    });
    assert.deepEqual(Object.keys(bare), ['model', 'input', 'stream', 'store']);
    assert.deepEqual((bare['input'] as unknown[])[0], { role: 'system', content: 's' });
    const effort = body(ask([user], { reasoningEffort: 'low' }), { summaries: false });
    assert.deepEqual(effort['reasoning'], { effort: 'low' });
  });

  it('shows pictures after the text', () => {
    const images = [{ mimeType: 'image/png', data: 'AAAA' }];
    const picture = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' };
    assert.deepEqual(input([{ role: 'user', content: 'look', images }]), [
      { role: 'user', content: [{ type: 'input_text', text: 'look' }, picture] },
    ]);
    assert.deepEqual(input([{ role: 'user', content: '', images }]), [{ role: 'user', content: [picture] }]);
  });

  it('puts calls and their results in items of their own, arguments word for word', () => {
    const results: Message[] = [{ role: 'tool', toolCallId: 'a', content: 'let a' }];
    assert.deepEqual(input([user, answer(), ...results]).slice(1), [
      said('Looking.'),
      call('a'),
      call('b'),
      { type: 'function_call_output', call_id: 'a', output: 'let a' },
    ]);
    assert.deepEqual(input([answer({ content: '' })]), [call('a'), call('b')]);
  });
});

describe('reasoning by the responses protocol', () => {
  const mark = { type: 'message', phase: 'commentary', length: 8 };
  const all = kept(reasoning(1), mark, reasoning(2), callMark, reasoning(3), callMark);

  it('goes back before the item that it preceded, with the phase of a message', () => {
    assert.deepEqual(input([answer(all)]), [
      ...[reasoning(1), said('Looking.', 'commentary')],
      ...[reasoning(2), call('a'), reasoning(3), call('b')],
    ]);
  });

  it('goes back to no other model, and not where it was refused', () => {
    const plain = [said('Looking.'), call('a'), call('b')];
    assert.deepEqual(input([answer({ ...all, model: 'other' })]), plain);
    assert.deepEqual(input([answer(all)], { reasoningItems: false }), [
      said('Looking.', 'commentary'),
      ...plain.slice(1),
    ]);
    assert.deepEqual(input([answer({ signedReasoning: [{ text: 't', signature: 's' }] })]), plain);
  });

  it('is dropped where nothing follows it in its answer', () => {
    const alone = answer({ content: '', toolCalls: [], ...kept(reasoning(1)) });
    assert.deepEqual(input([alone, user]), [{ role: 'user', content: 'u' }]);
    const last = answer({ ...kept(mark, callMark, callMark, reasoning(1)) });
    assert.equal(input([last]).at(-1)?.['type'], 'function_call');
  });

  it('stands first where the calls are others than then', () => {
    const [items] = [input([answer({ ...kept(reasoning(1), callMark) })])];
    assert.deepEqual(items, [reasoning(1), said('Looking.'), call('a'), call('b')]);
    const fewer = input([answer({ ...all, toolCalls: [] })]);
    assert.deepEqual(fewer, [reasoning(1), said('Looking.', 'commentary')]);
  });

  it('divides the text into the messages that it came in, as long as it is the same', () => {
    const two = kept({ type: 'message', phase: 'commentary', length: 3 }, reasoning(1), {
      type: 'message',
      phase: 'final_answer',
      length: 4,
    });
    const of = (content: string) => input([answer({ content, toolCalls: [], ...two })]);
    assert.deepEqual(of('One\n\nTwo!'), [
      said('One', 'commentary'),
      reasoning(1),
      said('Two!', 'final_answer'),
    ]);
    assert.deepEqual(of('Changed'), [said('Changed', 'final_answer')]);
    assert.deepEqual(of('One\n\nTwo! Three'), [said('One\n\nTwo! Three', 'final_answer')]);
  });

  it('is written the same way in every request', () => {
    const messages = [user, answer(all), { role: 'tool', toolCallId: 'a', content: 'x' } as const];
    const first = JSON.stringify(input(messages)).slice(0, -1);
    assert.ok(JSON.stringify(input([...messages, user])).startsWith(first));
  });

  it('is no block of the messages protocol', () => {
    const { messages } = toMessagesBody(ask([user, answer(all)]), serviceForm, { isOn: false }) as {
      messages: { content: { type: string }[] }[];
    };
    assert.deepEqual(
      messages[1]?.content.map(({ type }) => type),
      ['text', 'tool_use', 'tool_use'],
    );
  });
});
