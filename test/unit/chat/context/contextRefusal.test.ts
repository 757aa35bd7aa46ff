import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readContextRefusal, type ContextRefusal } from '../../../../src/chat/context/contextRefusal.ts';

/** What servers write, and what there is to learn from it. */
const refusals: [text: string, said: ContextRefusal][] = [
  [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
    { window: 8192, prompt: 9001 },
  ],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 10023 tokens (2023 in the messages, 8000 in the completion).",
    { window: 8192, prompt: 2023 },
  ],
  [
    "litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - This model's maximum context length is 128,000 tokens. However, your messages resulted in 130,500 tokens.",
    { window: 128_000, prompt: 130_500 },
  ],
  [
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens (140000 of text input, 10000 in the output).",
    { window: 131_072, prompt: 140_000 },
  ],
  ['prompt is too long: 213462 tokens > 200000 maximum', { window: 200_000, prompt: 213_462 }],
  [
    'input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    { window: 200_000 },
  ],
  [
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    { window: 1_048_576, prompt: 1_200_000 },
  ],
  [
    'Unable to submit request because the input token count is 1100000 but model only supports up to 1048576.',
    { window: 1_048_576, prompt: 1_100_000 },
  ],
  [
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.',
    { window: 272_000, prompt: 300_000 },
  ],
  ['Invalid request: Your request exceeded model token limit: 8192', { window: 8192 }],
  [
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]',
    { window: 30_720 },
  ],
  [
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    { window: 32_768, prompt: 40_000 },
  ],
  [
    "This model's maximum context length is 32768 tokens and your request has 33000 input tokens",
    { window: 32_768, prompt: 33_000 },
  ],
  [
    'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    { window: 4096, prompt: 5000 },
  ],
  [
    "The input (33000 tokens) is longer than the model's context length (32768 tokens).",
    { window: 32_768, prompt: 33_000 },
  ],
  [
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    { window: 4096 },
  ],
  [
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.',
    { window: 4081, prompt: 5000 },
  ],
  [
    "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    { window: 131_072, prompt: 140_000 },
  ],
  [
    '`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
    { window: 8193, prompt: 9000 },
  ],
  ['The conversation exceeds the context window of 128k tokens.', { window: 128_000 }],
  ['context window: 1M', { window: 1_000_000 }],
  ['模型最大上下文长度为 8192 个 token，当前请求 9001 个', { window: 8192, prompt: 9001 }],
  ['输入超过模型的上下文长度限制：32k', { window: 32_000 }],
  ['tokens 总数超过最大限制 32768，请缩短输入', { window: 32_768 }],
  ['该模型最多支持 65,536 tokens 的上下文，实际输入 70000', { window: 65_536, prompt: 70_000 }],
  ['Prompt 超长', {}],
  ['Your input exceeds the context window of this model. Please adjust your input and try again.', {}],
  ['invalid params, context window exceeds limit (2013)', {}],
  ['Input is too long for requested model.', {}],
  ['Total tokens of image and text exceed max message tokens.', {}],
  // Absurd.
  ["This model's maximum context length is 0 tokens.", {}],
  ["This model's maximum context length is 12 tokens.", {}],
  ['maximum context length is 99999999999999 tokens', {}],
  ['', {}],
];

describe('chat/contextRefusal', () => {
  for (const [text, said] of refusals) {
    it(`reads ${JSON.stringify(text.slice(0, 80))}`, () => assert.deepEqual(readContextRefusal(text), said));
  }

  it('makes sane numbers of any text, in linear time', () => {
    const words = fc.constantFrom(
      'maximum',
      'context',
      'length',
      'is',
      '>',
      '(',
      '最大',
      'tokens',
      '8192',
      '1,',
      'k',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }), (parts) => {
        for (const number of Object.values(readContextRefusal(parts.join(' ')))) {
          assert.ok(Number.isInteger(number) && number >= 256 && number <= 20_000_000);
        }
      }),
    );
    // A pattern that backtracks would not come back from this before the test's time is over.
    readContextRefusal('maximum context length is '.repeat(20_000) + '1,'.repeat(20_000));
  });
});
