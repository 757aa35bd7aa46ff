import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import anthropicTranslated from '../../fixtures/streams/anthropic-translated.txt';
import bareError from '../../fixtures/streams/bare-error.txt';
import deepseek from '../../fixtures/streams/deepseek-reasoning.txt';
import openai from '../../fixtures/streams/openai.txt';
import openrouter from '../../fixtures/streams/openrouter.txt';
import toolCalls from '../../fixtures/streams/tool-calls.txt';
import { cutAt, replay } from './replay.ts';

const recorded: Record<string, { text: string; events: ModelEvent[]; failure?: string }> = {
  openai: {
    text: openai,
    events: [
      { type: 'textAdded', text: 'Hello,  Welt! Grüße aus 東京 🎉.' },
      {
        type: 'modelFinished',
        reason: 'stop',
        usage: {
          promptTokens: 19,
          completionTokens: 11,
          totalTokens: 30,
          cachedTokens: 8,
          reasoningTokens: 0,
        },
        model: 'gpt-4.1-2025-04-14',
      },
    ],
  },
  'anthropic, translated': {
    text: anthropicTranslated,
    events: [
      { type: 'textAdded', text: 'I will read the file.' },
      {
        type: 'toolCallsCompleted',
        calls: [
          { id: 'toolu_01', name: 'read_file', arguments: '{"path": "src/ä.ts"}' },
          { id: 'toolu_02', name: 'list_files', arguments: '' },
        ],
      },
      {
        type: 'modelFinished',
        reason: 'tool_calls',
        usage: { promptTokens: 310, completionTokens: 42, totalTokens: 352 },
        model: 'claude-sonnet-4',
      },
    ],
  },
  openrouter: {
    text: openrouter,
    events: [
      { type: 'reasoningAdded', text: 'Two and two' },
      { type: 'textAdded', text: 'Four, obviously.' },
      {
        type: 'modelFinished',
        reason: 'stop',
        usage: { promptTokens: 9, completionTokens: 24, totalTokens: 33, reasoningTokens: 18 },
        model: 'deepseek/deepseek-r1',
      },
    ],
  },
  deepseek: {
    text: deepseek,
    events: [
      { type: 'reasoningAdded', text: 'Erst denken, dann 思考。\n' },
      { type: 'textAdded', text: 'Die Antwort ist 42。' },
      {
        type: 'modelFinished',
        reason: 'stop',
        usage: {
          promptTokens: 12,
          completionTokens: 40,
          totalTokens: 52,
          cachedTokens: 0,
          reasoningTokens: 30,
        },
        model: 'deepseek-reasoner',
      },
    ],
  },
  'tool calls without indexes, [DONE] and last blank line': {
    text: toolCalls,
    events: [
      {
        type: 'toolCallsCompleted',
        calls: [
          { id: 'call_a', name: 'search_text', arguments: '{"query":"TODO"}' },
          { id: 'call_b', name: 'read_file', arguments: '{"path":"日本.md"}' },
        ],
      },
      { type: 'modelFinished', reason: 'stop', model: 'qwen3-max' },
    ],
  },
  'a bare error line in mid-answer': {
    text: bareError,
    events: [{ type: 'textAdded', text: 'Half an answer' }],
    failure: 'transient',
  },
};

function check(pieces: Uint8Array[], expected: { events: ModelEvent[]; failure?: string }): void {
  const { events, failure } = replay(pieces);
  assert.deepEqual(events, expected.events);
  assert.equal(failure?.code, expected.failure);
}

describe('recorded streams', () => {
  for (const [name, expected] of Object.entries(recorded)) {
    const bytes = Buffer.from(expected.text);
    const crlf = Buffer.from(expected.text.replaceAll('\n', '\r\n'));

    it(`${name}: whole, and cut in two at every byte`, () => {
      check([bytes], expected);
      for (let at = 0; at <= bytes.length; at++) check(cutAt(bytes, [at]), expected);
    });

    it(`${name}: byte by byte, with LF and with CRLF`, () => {
      for (const form of [bytes, crlf])
        check(
          Array.from(form, (byte) => Buffer.of(byte)),
          expected,
        );
    });

    it(`${name}: cut anywhere`, () => {
      fc.assert(
        fc.property(fc.array(fc.nat({ max: 10_000 }), { maxLength: 40 }), fc.boolean(), (places, windows) =>
          check(cutAt(windows ? crlf : bytes, places), expected),
        ),
      );
    });

    it(`${name}: cut short, it shows a beginning of the answer and never a tool call`, () => {
      const text = joinedText(expected.events);
      fc.assert(
        fc.property(fc.nat({ max: bytes.length - 1 }), (length) => {
          const { events, failure } = replay([bytes.subarray(0, length)]);
          if (!failure) return;
          assert.ok(text.startsWith(joinedText(events)));
          assert.ok(['truncated', 'empty-reply', 'transient'].includes(failure.code), failure.code);
          assert.ok(!events.some(({ type }) => type === 'toolCallsCompleted' || type === 'modelFinished'));
        }),
      );
    });
  }
});

function joinedText(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'textAdded' ? event.text : '')).join('');
}
