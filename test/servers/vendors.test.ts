import assert from 'node:assert/strict';
import { refusalOf, thoughtSignature, type VendorKind, vendorKinds } from '../support/vendorBodies.ts';
import {
  called,
  exchange,
  offered,
  readPath,
  result,
  said,
  signedAs,
  user,
} from '../support/vendorRows/bodies.ts';
import { claudeByChat, claudeByMessages } from '../support/vendorRows/claudeRows.ts';
import { otherRows } from '../support/vendorRows/otherRows.ts';
import { startRelay } from './sandbox.ts';
import { completion, post, tools } from './testClient.ts';

describe('sandbox relay: models that refuse as vendors do', () => {
  for (const [protocol, rows] of [
    ['chat-completions', [...claudeByChat, ...otherRows]],
    ['messages', claudeByMessages],
  ] as const) {
    for (const { kinds, what, refused, words, passes } of rows) {
      for (const kind of kinds) {
        it(`${kind} by ${protocol}: ${what}`, () => {
          assert.match(refusalOf(kind, refused, protocol) ?? 'accepted', words);
          assert.equal(refusalOf(kind, passes, protocol), undefined);
        });
      }
    }
  }

  for (const [what, messages, words] of [
    ['repeated ids', [...exchange(), ...exchange().slice(1)], /ids of calls must be unique/],
    ['made-up names', exchange({ name: 'a.b' }), /does not match pattern/],
    ['blank texts', [user(), said(' '), user()], /must be non-empty/],
    ['an assistant at the beginning', [said(), user()], /first message must have role 'user'/],
    ['an assistant at the end', [user(), said()], /Expected last role User or Tool/],
    ['a call without its result', [user(), called(), user()], /did not have response messages/],
    ['a result without its call', [user(), result()], /must be a response to a preceeding message/],
  ] as const) {
    it(`every model: ${what}`, () => {
      assert.match(refusalOf('no-vision', offered([...messages])) ?? 'accepted', words);
    });
  }

  it('answer with ids and fields of their vendor', async () => {
    const relay = await startRelay();
    try {
      const expected: Partial<Record<VendorKind, RegExp>> = {
        claude: /^toolu_01\w{22}$/,
        'claude-thinking': /^toolu_01\w{22}$/,
        bedrock: /^tooluse_[\w-]{22}$/,
        'gemini-3': /^read_file$/,
        'deepseek-v4': /^call_00_/,
        'deepseek-r1': /^call_0$/,
        'kimi-k2.5': /^functions\.read_file:0$/,
        mistral: /^\w{9}$/,
        'vllm-strict': /^chatcmpl-tool-\w{32}$/,
        'no-vision': /^call_0$/,
      };
      for (const kind of vendorKinds.filter((each) => !/no-tools|responses/.test(each))) {
        const response = await post(relay, `vendor/${kind}`, { messages: [user('read a.md')], tools });
        const [call] = (await completion(response)).choices[0]?.message.tool_calls ?? [];
        assert.match(call?.id ?? '', expected[kind] ?? /^call_\w{24}$/, kind);
        const extra = kind === 'gemini-3' ? signedAs(thoughtSignature({ arguments: readPath })).more : {};
        assert.deepEqual({ ...call }, { ...extra, id: call?.id, type: 'function', function: call?.function });
      }
      const streamed = await post(relay, 'vendor/gemini-3', {
        ...{ messages: [user('read a.md')], tools, stream: true },
      });
      assert.match(await streamed.text(), /"extra_content":\{"google":\{"thought_signature":"/);
    } finally {
      await relay.stop();
    }
  });

  it('err when they are asked to', async () => {
    const relay = await startRelay();
    try {
      const callOf = async (question: string) =>
        (await completion(await post(relay, 'vendor/no-vision', { messages: [user(question)], tools })))
          .choices[0]?.message;
      assert.equal(
        (await callOf('call functions.read_file'))?.tool_calls?.[0]?.function.name,
        'functions.read_file',
      );
      assert.equal(
        (await callOf('call multi_tool_use.parallel'))?.tool_calls?.[0]?.function.name,
        'multi_tool_use.parallel',
      );
      const broken = await callOf('call read_file with broken arguments');
      assert.throws(() => JSON.parse(broken?.tool_calls?.[0]?.function.arguments ?? '{}'));
      assert.match(
        (await callOf('write the call that reads a.md'))?.content ?? '',
        /<tool_call>\{"name":"read_file","arguments":\{"path":"a\.md"\}\}<\/tool_call>$/,
      );
    } finally {
      await relay.stop();
    }
  });
});
