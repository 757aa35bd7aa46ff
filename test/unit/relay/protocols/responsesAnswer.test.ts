import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { Answer } from '../../../../src/relay/answer.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { ResponsesReader } from '../../../../src/relay/protocols/responsesAnswer.ts';
import { replay } from '../replay.ts';

const event = (type: string, more: object = {}) => ({ type: `response.${type}`, ...more });
const added = (at: number, item: object) => event('output_item.added', { output_index: at, item });
const done = (at: number, item: object) => event('output_item.done', { output_index: at, item });
const text = (at: number, delta: string) => event('output_text.delta', { output_index: at, delta });
const args = (at: number, delta: string) =>
  event('function_call_arguments.delta', { output_index: at, delta });
const completed = (response: object = {}) =>
  event('completed', { response: { status: 'completed', output: [], ...response } });
const call = (id: string, more: object = {}) => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name: 'read_file', arguments: '' },
  ...more,
});
const message = (words: string, more: object = {}) => ({
  ...{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] },
  ...more,
});
const reasoning = (id: string, more: object = {}) => ({ type: 'reasoning', id, summary: [], ...more });

function told(...events: object[]) {
  const lines = events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');
  const { events: all, failure } = replay([Buffer.from(lines)], 'responses');
  const said = (type: 'textAdded' | 'reasoningAdded') =>
    all.map((each) => (each.type === type ? each.text : '')).join('');
  const finished = all.at(-1);
  return {
    text: said('textAdded'),
    reasoning: said('reasoningAdded'),
    calls: all.flatMap((each) =>
      each.type === 'toolCallsCompleted'
        ? each.calls.map(({ id, name, arguments: given }) => [id, name, given])
        : [],
    ),
    kept: all.flatMap((each) =>
      each.type === 'reasoningSigned' ? each.blocks.map((block) => 'item' in block && block.item) : [],
    ),
    end: failure?.code ?? (finished?.type === 'modelFinished' ? finished.reason : undefined),
    failure,
  };
}

describe('an answer by the responses protocol', () => {
  it('tells of an item that is done only what its deltas lacked', () => {
    const words = [text(0, 'Hello'), done(0, message('Hello'))];
    assert.equal(told(...words, completed()).text, 'Hello');
    assert.equal(told(text(0, 'Hel'), done(0, message('Hello')), completed()).text, 'Hello');
    assert.equal(told(done(0, message('Hello')), completed()).text, 'Hello');
    const whole = '{"path":"a"}';
    const ended = event('function_call_arguments.done', { output_index: 0, arguments: whole });
    for (const pieces of [
      [added(0, call('c')), args(0, '{"path'), args(0, '":"a"}'), ended],
      [added(0, call('c')), args(0, '{"path'), ended],
      [added(0, call('c')), ended],
      [added(0, call('c')), done(0, call('c', { arguments: whole }))],
      [done(0, call('c', { arguments: whole }))],
      [done(0, call('c', { arguments: { path: 'a' } }))],
      [args(0, '{"path'), args(0, '":"a"}'), done(0, call('c', { arguments: whole }))],
      [added(0, { ...call('c'), call_id: '', name: '' }), ended, done(0, call('c', { arguments: whole }))],
    ]) {
      assert.deepEqual(told(...pieces, completed()).calls, [['c', 'read_file', whole]]);
    }
  });

  it('finds an item by its place, whatever its id', () => {
    const { calls, end } = told(
      ...[added(3, call('a')), added(1, call('b'))],
      event('function_call_arguments.delta', { output_index: 3, item_id: 'x', delta: '1' }),
      event('function_call_arguments.delta', { output_index: 1, item_id: 'y', delta: '2' }),
      event('function_call_arguments.delta', { output_index: 3, item_id: 'z', delta: '3' }),
      completed(),
    );
    assert.deepEqual(calls, [
      ['a', 'read_file', '13'],
      ['b', 'read_file', '2'],
    ]);
    assert.equal(end, 'tool_calls');
  });

  it('keeps calls apart that came under one place', () => {
    const { calls } = told(
      ...[added(0, call('a')), args(0, '1'), done(0, call('a', { arguments: '1' }))],
      ...[added(0, call('b')), args(0, '2'), done(0, call('b', { arguments: '2' }))],
      done(0, call('c', { arguments: '3' })),
      completed(),
    );
    assert.deepEqual(
      calls.map(([id, , given]) => [id, given]),
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
      ],
    );
  });

  it('puts blank lines between messages and between parts of reasoning', () => {
    const summary = (at: number, part: number, delta: string) =>
      event('reasoning_summary_text.delta', { output_index: at, summary_index: part, delta });
    const { text: words, reasoning: thought } = told(
      ...[summary(0, 0, 'A'), summary(0, 0, 'a'), summary(0, 1, 'B'), text(1, 'One')],
      event('reasoning_text.delta', { output_index: 2, content_index: 0, delta: 'C' }),
      ...[text(3, 'T'), text(3, 'wo'), completed()],
    );
    assert.equal(words, 'One\n\nTwo');
    assert.equal(thought, 'Aa\n\nB\n\nC');
  });

  it('reads text of a documented other event, and never twice', () => {
    const other = event('content_part.delta', { output_index: 0, delta: 'Hi' });
    assert.equal(told(other, event('done', { response: { status: 'completed' } })).text, 'Hi');
    assert.equal(told(text(0, 'Hi'), other, completed()).text, 'Hi');
  });

  it('reads an end that holds the whole output of a stream without events', () => {
    const output = [
      reasoning('rs_1', { summary: [{ type: 'summary_text', text: 'Hm.' }] }),
      message('Hello', { phase: 'final_answer' }),
      call('c', { arguments: '{}' }),
    ];
    const { text: words, reasoning: thought, calls, kept } = told(event('created'), completed({ output }));
    assert.deepEqual([words, thought, calls], ['Hello', 'Hm.', [['c', 'read_file', '{}']]]);
    assert.deepEqual(kept, [
      output[0],
      { type: 'message', phase: 'final_answer', length: 5 },
      { type: 'function_call' },
    ]);
    // Text already sent isn't repeated.
    assert.equal(told(text(0, 'Hello'), completed({ output: [message('Hello')] })).text, 'Hello');
    assert.equal(told(text(0, 'Hello'), completed(), completed()).kept.length, 0);
  });

  describe('keeps', () => {
    const blob = { encrypted_content: 'blob' };

    it('reasoning as it was when it was done, and what it preceded', () => {
      const whole = reasoning('rs_1', { ...blob, unknown: 1 });
      const { kept } = told(
        ...[added(0, reasoning('rs_1', { encrypted_content: 'partial' })), done(0, whole)],
        ...[text(1, 'Hello'), added(2, call('c')), completed()],
      );
      assert.deepEqual(kept, [whole, { type: 'message', length: 5 }, { type: 'function_call' }]);
    });

    it('the encrypted form that comes only at the end', () => {
      const late = reasoning('rs_1', blob);
      const events = [done(0, reasoning('rs_1')), text(1, 'Hello')];
      assert.deepEqual(told(...events, completed({ output: [late, message('Hello')] })).kept[0], late);
      // It replaces neither an earlier item nor one of several.
      const early = reasoning('rs_0', { encrypted_content: 'early' });
      assert.deepEqual(told(done(0, early), text(1, 'x'), completed({ output: [late] })).kept[0], early);
      assert.deepEqual(told(...events, completed({ output: [late, late] })).kept[0], reasoning('rs_1'));
    });

    it('the phase of a message without reasoning, and else nothing', () => {
      const { kept } = told(done(0, message('Hello', { phase: 'commentary' })), completed());
      assert.deepEqual(kept, [{ type: 'message', phase: 'commentary', length: 5 }]);
      assert.deepEqual(told(text(0, 'Hello'), done(0, message('Hello')), completed()).kept, []);
    });

    it('no reasoning that cannot go back', () => {
      const nameless = { type: 'reasoning', content: [{ type: 'output_text', text: 'Hm.' }] };
      for (const shown of [nameless, { type: 'reasoning', id: 'rs', content: [] }]) {
        assert.deepEqual(told(done(0, shown), text(1, 'Hello'), completed()).kept, []);
      }
      assert.equal(told(done(0, nameless), text(1, 'Hello'), completed()).reasoning, 'Hm.');
    });
  });

  it('unfolds calls of a tool that nobody offered', () => {
    const uses = JSON.stringify({
      tool_uses: [
        { recipient_name: 'functions.read_file', parameters: { path: 'a' } },
        { recipient_name: 'list_files' },
      ],
    });
    const parallel = (name: string) => call('p', { name });
    for (const name of ['parallel', 'multi_tool_use.parallel']) {
      const streamed = [
        added(0, parallel(name)),
        args(0, uses.slice(0, 9)),
        args(0, uses.slice(9)),
        event('function_call_arguments.done', { output_index: 0, arguments: uses }),
        done(0, { ...parallel(name), arguments: uses }),
      ];
      for (const events of [streamed, streamed.slice(0, 3), streamed.slice(-1)]) {
        const { calls } = told(...events, added(1, call('c')), completed());
        const inOrder = calls.toSorted(([one = ''], [other = '']) => one.localeCompare(other));
        assert.deepEqual(inOrder, [
          ['c', 'read_file', ''],
          ['p_0', 'read_file', '{"path":"a"}'],
          ['p_1', 'list_files', '{}'],
        ]);
      }
    }
    // A tool that really has this name.
    assert.deepEqual(told(added(0, parallel('parallel')), args(0, '{"a":1}'), completed()).calls, [
      ['p', 'parallel', '{"a":1}'],
    ]);
  });

  const words = text(0, 'Hello');
  const incomplete = (reason?: string) =>
    event('incomplete', { response: { status: 'incomplete', incomplete_details: reason && { reason } } });
  const refusal = event('refusal.delta', { output_index: 0, delta: "I can't." });
  const ends: [what: string, end: string, ...events: object[]][] = [
    ['completed', 'stop', words, completed()],
    ['completed with calls', 'tool_calls', words, added(1, call('c')), completed()],
    ['a limit', 'length', words, incomplete('max_output_tokens')],
    ['no reason', 'length', words, incomplete()],
    ['a filter', 'content_filter', words, incomplete('content_filter')],
    ['a refusal', 'content_filter', refusal, completed()],
    [
      'a refusal that came whole',
      'content_filter',
      done(0, { type: 'message', content: [{ type: 'refusal', refusal: "I can't." }] }),
      completed(),
    ],
    ['nothing', 'empty-reply', event('created'), completed()],
    ['no end', 'truncated', event('created'), words],
    ['no end and no word', 'truncated', event('created')],
    ['a cancelled answer', 'truncated', words, completed({ status: 'cancelled' })],
    [
      'a failure',
      'transient',
      event('failed', { response: { error: { code: 'server_error', message: 'x' } } }),
    ],
    ['a flat error', 'rate-limit', { type: 'error', code: 'rate_limit_exceeded', message: 'x' }],
    ['a nested error', 'rate-limit', { type: 'error', error: { code: 'rate_limit_exceeded', message: 'x' } }],
    [
      'a prompt at fault',
      'request',
      event('failed', { response: { error: { code: 'invalid_prompt', message: 'x' } } }),
    ],
    [
      'a picture at fault',
      'request',
      event('failed', { response: { error: { code: 'image_too_large', message: 'x' } } }),
    ],
    [
      'a context too long',
      'context-too-long',
      event('failed', { response: { error: { code: 'context_length_exceeded', message: 'x' } } }),
    ],
    [
      'OpenRouter’s end of a failure',
      'transient',
      event('done', { response: { status: 'failed', error: {} } }),
    ],
    ['an event of another protocol', 'wrong-address', { id: 'x', choices: [] }],
  ];
  for (const [what, end, ...events] of ends) {
    it(`ends with ${what}: ${end}`, () => assert.equal(told(...events).end, end));
  }

  it('is cut off without a last event, [DONE] or not', () => {
    const lines = `data: ${JSON.stringify(words)}\n\ndata: [DONE]\n\n`;
    assert.equal(replay([Buffer.from(lines)], 'responses').failure?.code, 'truncated');
  });

  it('reads a whole answer, and its failure', () => {
    const reader = new ResponsesReader();
    const whole = { object: 'response', status: 'completed', error: null, output: [message('Hello')] };
    assert.ok(reader.isWhole(whole) && !reader.isFailure(whole));
    const toError = (body: JsonObject) => new SwitchboardError('request', JSON.stringify(body));
    const answer = new Answer({ address: '', reader, toError });
    answer.add({ ...whole, model: 'm', status: 'incomplete', usage: { input_tokens: 3, output_tokens: 4 } });
    assert.deepEqual(answer.finish('whole'), [
      { type: 'textAdded', text: 'Hello' },
      {
        ...{ type: 'modelFinished', reason: 'length', model: 'm' },
        usage: { promptTokens: 3, completionTokens: 4 },
      },
    ]);
    const failed = { object: 'response', status: 'failed', error: { code: 'x' }, output: [] };
    assert.throws(() => new Answer({ address: '', reader, toError }).add(failed), /"code":"x"/);
  });

  it('is limited, whatever it grows by', () => {
    const piece = 'x'.repeat(100_000);
    for (const of of [
      (at: number) => added(at, { type: 'message' }),
      (at: number) => added(at, call(`c${at}`)),
      () => args(0, piece),
      (at: number) => done(at, reasoning(`rs_${at}`, { encrypted_content: piece })),
      (at: number) => (at === 0 ? added(0, call('p', { name: 'parallel' })) : args(0, piece)),
    ]) {
      const answer = new Answer({
        ...{ address: '', reader: new ResponsesReader() },
        toError: () => new SwitchboardError('request', ''),
      });
      assert.throws(() => {
        for (let at = 0; at < 60_000; at++) answer.add(of(at));
      }, /longer than/);
    }
  });
});
