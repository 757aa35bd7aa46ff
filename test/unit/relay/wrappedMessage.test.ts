import assert from 'node:assert/strict';
import fc from 'fast-check';
import { requestIdsIn, unwrapMessage } from '../../../src/relay/wrappedMessage.ts';
import { processorMs } from '../../support/processorTime.ts';

describe('unwrapMessage', () => {
  const group = "\n\nLiteLLM: model group 'x' failed with the error above. No fallback was attempted.";
  const rows: [name: string, message: string, text: string][] = [
    ['other messages as they are', 'The model is down: try another.', 'The model is down: try another.'],
    ['a request id', 'Invalid token (request id: 2026abc)', 'Invalid token'],
    ['two of them', 'No (request id: a) (request id: b)', 'No'],
    [
      'LiteLLM',
      `litellm.RateLimitError: RateLimitError: OpenAIException - Slow down: now.${group}`,
      'Slow down: now.',
    ],
    [
      'LiteLLM of 2024',
      'litellm.RateLimitError: AzureException RateLimitError - Slow down. Received Model Group=m\nAvailable Model Group Fallbacks=None LiteLLM Retried: 2 times',
      'AzureException RateLimitError - Slow down',
    ],
    [
      'JSON in it',
      `litellm.XError: AnthropicException - {"type":"error","error":{"message":"Overloaded"}}${group}`,
      'Overloaded',
    ],
    ['JSON as bytes', `litellm.XError: AnthropicException - b'{"error":{"message":"Over"}}'`, 'Over'],
    [
      'a Python object',
      `litellm.BadRequestError: OpenAIException - Error code: 400 - {'error': {'message': "It's \\"full\\"", 'type': 'x'}}`,
      'It\'s "full"',
    ],
    ['a Python object in single quotes', "litellm.XError: {'message': 'It\\'s full'}", "It's full"],
    [
      'a page',
      `litellm.BadGatewayError: OpenAIException - <html><title>502 Bad Gateway</title>${group}`,
      '502 Bad Gateway',
    ],
    ['JSON without a message', '{"status":"bad"}', '{"status":"bad"}'],
    ['cut JSON', '{"error":{"mess', '{"error":{"mess'],
    ['nothing', '', ''],
  ];
  for (const [name, message, text] of rows) {
    it(`reads ${name}`, () => assert.equal(unwrapMessage(message).text, text));
  }

  it("keeps LiteLLM's name for it and the vendor's own type and code", () => {
    const { exception, type, code } = unwrapMessage(
      'litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - {"error":{"message":"m","type":"t","code":"c"}}',
    );
    assert.deepEqual([exception, type, code], ['ContextWindowExceededError', 't', 'c']);
  });

  it('takes any text', () => {
    const words = fc.constantFrom(
      'litellm.',
      'Error: ',
      'Exception - ',
      "b'{",
      '{"error":',
      "'message': ",
      "'",
      '"',
      '\\',
      '}',
      '<title>',
      '(request id: ',
      ')',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 30 }), (parts) => {
        const message = parts.join('');
        assert.equal(typeof unwrapMessage(message).text, 'string');
        assert.ok(requestIdsIn(message).every((id) => id.length <= 200));
      }),
    );
  });

  it('takes time that grows with the text alone', () => {
    const took = (text: string) => processorMs(() => unwrapMessage(text));
    for (const piece of [
      '(request id: ',
      '(request id: a) ',
      'AError: ',
      "{'message': '",
      '\n\nLiteLLM:',
      '<title>',
      'a',
      "b'{",
    ]) {
      for (const start of ['', 'litellm.', 'litellm.AError: ']) {
        assert.ok(took(start + piece.repeat(300_000 / piece.length)) < 1500, start + piece);
      }
    }
  });
});
