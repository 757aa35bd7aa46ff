import assert from 'node:assert/strict';
import { type ErrorCode, SwitchboardError } from '../../../src/base/errors/errors.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import { protocols } from '../../../src/relay/protocols/allProtocols.ts';
import { readReply } from '../../../src/relay/readReply.ts';
import { lacksResponses, needsResponses } from '../../../src/relay/protocols/responsesNeeded.ts';
import { defaultResponsesForm, learnResponses } from '../../../src/relay/protocols/responsesForm.ts';
import litellm from '../../fixtures/recorded/litellm-responses.txt';
import newApi from '../../fixtures/recorded/newapi-responses.txt';
import { readRecorded, type RecordedReply } from '../../support/recorded.ts';
import { recordedReply } from '../../support/replies.ts';
import { replayNetwork } from '../../support/replayNetwork.ts';

interface Verdict {
  code?: ErrorCode;
  why?: string | RegExp;
  text?: string;
  reasoning?: string;
  calls?: [id: string, name: string, args: string][];
  /** Blocks sent back with the next request. */
  kept?: object[];
  reason?: string;
  model?: string;
  /** The lesson about the form, or about the protocol of the model. */
  teaches?: string;
}

const hello = 'Hello there, friend.';
const summary = '**Reading**\n\nI look at the file.';
const failed = (code: ErrorCode, why?: Verdict['why'], more: Verdict = {}): Verdict => ({
  code,
  ...(why !== undefined && { why }),
  ...more,
});
const answered = (text: string, reason: string, more: Verdict = {}): Verdict => ({ text, reason, ...more });
const readWithReasoning = (model: string, version: string): Verdict => ({
  ...{ text: 'Looking at it. ', reasoning: summary, reason: 'tool_calls', model },
  calls: [[`call_${version}_1`, 'read_file', '{"path":"a.ts"}']],
  kept: [
    {
      ...{ id: `rs_${version}`, type: 'reasoning', encrypted_content: 'gAAAAABfakeENCRYPTED==' },
      summary: [{ type: 'summary_text', text: summary }],
    },
    { type: 'message', phase: 'commentary', length: 15 },
    { type: 'function_call' },
  ],
});
const pair = "Item 'rs_01' of type 'reasoning' was provided without its required following item.";
const unverified =
  'The encrypted content gAAA...Rg== could not be verified. Reason: Encrypted content could not be decrypted or parsed.';
const wrongEffort =
  "Unsupported value: 'max' is not supported with the 'gpt-5.4' model. Supported values are: 'none', 'low', 'medium', 'high', and 'xhigh'.";
const noTools =
  "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
const onlyResponses = 'This model is only supported in v1/responses and not in v1/chat/completions.';
const noQuota = 'You exceeded your current quota, please check your plan and billing details.';
const lost = { teaches: 'reasoningItems' };
const needed = { teaches: 'needs responses' };
const absent = { teaches: 'lacks responses' };

const verdicts: Record<string, Record<string, Verdict>> = {
  LiteLLM: {
    'bridged text, streamed': answered(hello, 'stop', { model: 'c-plain' }),
    'bridged two calls, streamed': answered('Looking. ', 'tool_calls', {
      model: 'c-tools2',
      calls: [
        ['call_v1', 'read_file', '{"path":"a.ts"}'],
        ['call_v2', 'read_file', '{"path":"b.ts"}'],
      ],
    }),
    'bridged reasoning, streamed': answered(hello, 'stop', {
      model: 'c-think',
      reasoning: 'I look at the file.',
      kept: [
        {
          ...{ id: 'rs_954cc8bc-bb46-4c80-aa7c-3edca15bc222', type: 'reasoning' },
          summary: [{ type: 'summary_text', text: 'I look at the file.' }],
        },
        { type: 'message', length: hello.length },
      ],
    }),
    // Its reasoning looks like a message there.
    'bridged reasoning, whole': answered(hello, 'stop', {
      model: 'c-think',
      reasoning: 'I look at the file.',
      kept: [
        {
          ...{ id: 'rs_15dc7469-209f-4052-a6bf-044a696ef254', type: 'reasoning' },
          summary: [{ type: 'summary_text', text: 'I look at the file.' }],
        },
        { type: 'message', length: hello.length },
      ],
    }),
    'bridged, cut by the limit, streamed': answered(hello, 'length', { model: 'c-length' }),
    'bridged, content filter, whole': answered(hello, 'content_filter', { model: 'c-filter' }),
    'bridged, error in mid-stream': failed(
      'transient',
      'The server had an error while processing your request',
      { text: 'Hello t' },
    ),
    'passed one call with reasoning, streamed': readWithReasoning('r-tool', 'v5'),
    // The end of these two was not recorded.
    'passed custom and hosted calls': failed('truncated'),
    'passed refusal': failed('truncated', undefined, { text: "I can't help with that." }),
    'passed, quota error inside 200': failed('balance', noQuota),
    'passed, flat error event': failed('transient', 'Response API in-stream error'),
    'passed, ended early': failed('transient', /closed the responses stream before any terminal event/, {
      text: 'Hello t',
    }),
    'passed, socket cut in mid-stream': failed('transient', 'Server disconnected'),
    '400 reasoning pair': failed('request', pair, lost),
    '400 encrypted content': failed('request', unverified, lost),
    '400 effort': failed('request', wrongEffort),
    'vendor does not serve /v1/responses': failed(
      'wrong-address',
      'Invalid URL (POST /v1/responses)',
      absent,
    ),
    'unknown model': failed('model'),
    'effort on an unknown model': failed('request', /doesn't support `reasoning.effort`/, {
      teaches: 'summaries',
    }),
    'effort bridged': failed('request', /does not support parameters: \['reasoning_effort'\]/, {
      teaches: 'summaries',
    }),
    'chat: 400 function tools': failed('request', noTools, needed),
    'chat: not a chat model': failed(
      'model',
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
      needed,
    ),
    'chat: only in v1/responses': failed('model', onlyResponses, needed),
  },
  'new-api': {
    'passed one call with reasoning, streamed': readWithReasoning('r-tool', 'v3'),
    'passed, failed at the end': failed('transient', 'The model failed to generate a response.'),
    'passed, failed, whole': failed('transient', 'The model failed to generate a response.'),
    'quota error inside 200': failed('balance', noQuota),
    'flat error event': failed('transient', 'An error occurred while processing your request.'),
    'ended early': failed('truncated', undefined, { text: 'Hello t' }),
    'socket cut in mid-stream': failed('transient', 'upstream error: do request failed'),
    '400 reasoning pair': failed('request', pair, lost),
    '400 encrypted content': failed('request', unverified, lost),
    '400 orphan call': failed('request', 'No tool output found for function call call_a1.'),
    '400 effort': failed('request', wrongEffort),
    'vendor does not serve /v1/responses': failed(
      'wrong-address',
      'Invalid URL (POST /v1/responses)',
      absent,
    ),
    'channel without support: Anthropic': failed('request', 'not implemented', absent),
    'channel without support: Moonshot': failed('request', 'not implemented', absent),
    'unknown model': failed(
      'model',
      'No available channel for model nothing under group default (distributor)',
    ),
    'chat: 400 function tools': failed('request', noTools, needed),
    'chat: only in v1/responses': failed('model', onlyResponses, needed),
    'chat: Codex channel': failed(
      'request',
      'codex channel: /v1/chat/completions endpoint not supported',
      needed,
    ),
    'POST /v1/responses (with or without a valid key)': failed(
      'wrong-address',
      'Invalid URL (POST /v1/responses)',
      absent,
    ),
  },
};

async function read(reply: RecordedReply) {
  const http = replayNetwork(recordedReply(reply));
  const connection = { baseUrl: 'https://relay.example', key: 'sk-1', headers: {} };
  const response = await http.send({
    ...{ method: 'POST', url: 'https://relay.example/v1/responses', headers: {}, secrets: [] },
    ...{ timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 }, signal: new AbortController().signal },
  });
  const events: ModelEvent[] = [];
  try {
    for await (const batch of readReply(response, connection, protocols.responses)) events.push(...batch);
    return { events, failure: undefined };
  } catch (failure) {
    assert.ok(failure instanceof SwitchboardError);
    return { events, failure };
  }
}

function lessonOf(failure: SwitchboardError): string | undefined {
  if (needsResponses(failure)) return 'needs responses';
  if (lacksResponses(failure)) return 'lacks responses';
  const learnt = learnResponses(failure, defaultResponsesForm);
  const names = Object.keys(defaultResponsesForm) as (keyof typeof defaultResponsesForm)[];
  return learnt && names.find((name) => learnt[name] !== defaultResponsesForm[name]);
}

describe('recorded replies of the responses protocol', () => {
  for (const [product, text] of [
    ['new-api', newApi],
    ['LiteLLM', litellm],
  ] as const) {
    const replies = readRecorded(text).map((reply) => ({
      reply,
      name: reply.title.slice(reply.title.indexOf(': ') + 2),
    }));
    const table = verdicts[product] ?? {};
    it(`${product}: are all in the table`, () =>
      assert.deepEqual(replies.map(({ name }) => name).toSorted(), Object.keys(table).toSorted()));
    for (const { name, reply } of replies) {
      const verdict = table[name];
      if (!verdict) continue;
      it(`${product}, ${name}: ${verdict.code ?? 'answered'}`, async () => {
        const { events, failure } = await read(reply);
        const said = (kind: 'textAdded' | 'reasoningAdded') =>
          events.map((event) => (event.type === kind ? event.text : '')).join('');
        const calls = events.flatMap((event) => (event.type === 'toolCallsCompleted' ? event.calls : []));
        const kept = events.flatMap((event) => (event.type === 'reasoningSigned' ? event.blocks : []));
        assert.equal(failure?.code, verdict.code);
        if (verdict.why instanceof RegExp) assert.match(failure?.why ?? '', verdict.why);
        else if (verdict.why !== undefined) assert.equal(failure?.why, verdict.why);
        assert.equal(said('textAdded'), verdict.text ?? '');
        assert.equal(said('reasoningAdded'), verdict.reasoning ?? '');
        assert.deepEqual(
          calls.map(({ id, name: tool, arguments: args }) => [id, tool, args]),
          verdict.calls ?? [],
        );
        assert.deepEqual(
          kept.map((block) => 'item' in block && block.item),
          verdict.kept ?? [],
        );
        assert.equal(failure && lessonOf(failure), verdict.teaches);
        if (failure) return;
        const finished = events.at(-1);
        assert.ok(finished?.type === 'modelFinished');
        assert.deepEqual([finished.reason, finished.model], [verdict.reason, verdict.model]);
        const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = finished.usage ?? {};
        assert.deepEqual(
          [promptTokens, cachedTokens, completionTokens, reasoningTokens],
          [1500, 1024, 30, 12],
        );
      });
    }
  }
});
