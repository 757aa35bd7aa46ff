import assert from 'node:assert/strict';
import fc from 'fast-check';
import { requestIdsIn, unwrapMessage } from '../../../../src/relay/errors/wrappedMessage.ts';
import { processorMs } from '../../../support/processorTime.ts';

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
      'Slow down',
    ],
    [
      'JSON in it',
      `litellm.XError: AnthropicException - {"type":"error","error":{"message":"Overloaded"}}${group}`,
      'Overloaded',
    ],
    [
      "LiteLLM's advice to its operator",
      'litellm.BadRequestError: OpenAIException - No blob\n\n This error occurs when load balancing Responses API across deployments.',
      'No blob',
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
    [
      'bytes without a prefix, and what is for the operator',
      `b'{\\n  "error": {\\n "message": "It\\'s \\xe2\\x80\\x9cfull\\xe2\\x80\\x9d", "status": "X"}}\\n'${group}`,
      "It's “full”",
    ],
    ['bytes that were cut', `b'{"error":{"code":401,"message":"Full","sta${group}`, 'Full'],
    ['a list of errors', `litellm.XError: geminiException - b'[{"error":{"message":"Over"}}]'`, 'Over'],
    ['a vendor with an exception of its own', 'litellm.XError: VertexAIException YError - No', 'No'],
    ["a guardrail's dictionary", `400: {'error': "Blocked: 'x'", 'guardrail': 'g'}`, "Blocked: 'x'"],
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
    const advised = unwrapMessage(
      'litellm.BadRequestError: OpenAIException - {"error":{"message":"m","code":"c"}}\n\n This error occurs when load balancing Responses API across deployments.',
    );
    assert.deepEqual([advised.text, advised.code], ['m', 'c']);
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
