import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import {
  defaultResponsesForm,
  learnResponses,
  type ResponsesForm,
} from '../../../../src/relay/protocols/responsesForm.ts';
import { lacksResponses, needsResponses } from '../../../../src/relay/protocols/responsesNeeded.ts';
import { protocols } from '../../../../src/relay/protocols/allProtocols.ts';
import { refusedParameter } from '../../../../src/relay/protocols/refusedParameters.ts';
import { serviceForm } from '../../../../src/relay/profile/modelDialect.ts';
import { toRelayError } from '../../../../src/relay/errors/relayErrors.ts';

interface Wire {
  status?: number;
  param?: string | null;
  code?: string | null;
}

/** A vendor's refusal unchanged, and as LiteLLM passes it on. */
function refusals(message: string, { status = 400, param = null, code = null }: Wire = {}) {
  const error = { message, type: 'invalid_request_error', param, code };
  const wrapped = `litellm.BadRequestError: OpenAIException - ${JSON.stringify({ error })}\n\nLiteLLM: model group 'x' failed with the error above. No fallback was attempted.`;
  const bodies = [
    { error },
    { error: { message: wrapped, type: 'invalid_request_error', param: null, code: String(status) } },
  ];
  return bodies.map((body) =>
    toRelayError({
      ...{ status, headers: {}, body: JSON.stringify(body), contentType: 'application/json' },
      ...{ stage: 'answer', address: 'https://relay.example', key: 'sk-1', nowMs: 0 },
    }),
  );
}

/** The changed field of the form for each refusal. */
function lessons(message: string, wire?: Wire, form = defaultResponsesForm) {
  const names = Object.keys(form) as (keyof ResponsesForm)[];
  return refusals(message, wire).map((failure) => {
    const learnt = learnResponses(failure, form);
    if (learnt) assert.deepEqual(learnResponses(failure, learnt), undefined, 'A lesson is learnt once.');
    return learnt && names.find((name) => learnt[name] !== form[name]);
  });
}

const rows: [lesson: keyof ResponsesForm | undefined, message: string, wire?: Wire][] = [
  ['encryptedReasoning', 'Encrypted content is not supported with this model.', { param: 'include' }],
  ['encryptedReasoning', "Unknown parameter: 'include'.", { param: 'include' }],
  [
    'summaries',
    'Your organization must be verified to generate reasoning summaries. Please go to settings.',
    { param: 'reasoning.summary', code: 'unsupported_value' },
  ],
  ['summaries', "Unsupported parameter: 'reasoning.summary' is not supported with this model.", {}],
  [
    'summaries',
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    { param: 'reasoning.effort', code: 'unsupported_parameter' },
  ],
  ['reasoningItems', "Item 'rs_01' of type 'reasoning' was provided without its required following item."],
  [
    'reasoningItems',
    "Item with id 'rs_01' not found. Items are not persisted when `store` is set to false.",
    { status: 404, param: 'input' },
  ],
  [
    'reasoningItems',
    'The encrypted content gAAA...Rg== could not be verified.',
    { code: 'invalid_encrypted_content' },
  ],
  ['reasoningItems', 'Encrypted content item_id did not match the target item id.'],
  ['reasoningItems', 'The provided data does not match the expected schema'],
  ['reasoningItems', 'Conflicting authenticated continuation identities.'],
  ['tokenLimit', 'Unsupported parameter: max_output_tokens'],
  ['cacheKey', "Unknown parameter: 'prompt_cache_key'.", { param: 'prompt_cache_key' }],
  [
    'systemRole',
    "Invalid value: 'developer'. Supported values are: 'system', 'user'.",
    { param: 'input[0].role' },
  ],
  ['systemRole', 'unknown variant `developer`, expected one of `system`, `user`'],
  // About the conversation, which no form of request can mend.
  [undefined, 'No tool output found for function call call_a1.', { param: 'input' }],
  [undefined, 'No tool call found for function call output with call_id a1.', { param: 'input' }],
  [undefined, "Invalid 'input[2].id': string too long. Expected a string with maximum length 64."],
  // About the user's choices.
  [
    undefined,
    "Unsupported value: 'max' is not supported with the 'gpt-5.4' model. Supported values are: 'none' and 'low'.",
    { param: 'reasoning.effort', code: 'unsupported_value' },
  ],
  [
    undefined,
    "Unsupported parameter: 'temperature' is not supported with this model.",
    { param: 'temperature' },
  ],
  [undefined, 'Rate limit reached: max_output_tokens is not supported.', { status: 429 }],
];

describe('learnResponses', () => {
  for (const [lesson, message, wire] of rows) {
    it(`${message.slice(0, 70)}: ${lesson ?? 'nothing'}`, () =>
      assert.deepEqual(lessons(message, wire), [lesson, lesson]));
  }

  it('does not go back from a role that was learnt', () => {
    const form = { ...defaultResponsesForm, systemRole: 'system' } as const;
    assert.deepEqual(lessons('System messages are not allowed', {}, form), [undefined, undefined]);
  });
});

describe('an effort that the responses protocol refuses', () => {
  const fields = protocols.responses.fields(serviceForm);
  const of = (message: string, wire: Wire = {}) =>
    refusals(message, wire).map((failure) =>
      refusedParameter(failure, { reasoningEffort: 'max', temperature: 0 }, fields),
    );

  it('is known by its value where LiteLLM leaves out the field', () => {
    const message =
      "Unsupported value: 'max' is not supported with the 'gpt-5.4' model. Supported values are: 'none'.";
    assert.deepEqual(of(message, { param: 'reasoning.effort' }), [
      'reasoningEffort=max',
      'reasoningEffort=max',
    ]);
    const temperature = "Unsupported value: 'temperature' does not support 0 with this model.";
    assert.deepEqual(of(temperature), ['temperature', 'temperature']);
  });

  it('is not blamed for a refused summary', () =>
    assert.deepEqual(of("Unsupported parameter: 'reasoning.summary'.", { param: 'reasoning.summary' }), [
      undefined,
      undefined,
    ]));
});

describe('which endpoint serves a model', () => {
  const both = (judge: typeof needsResponses, message: string, wire: Wire = {}) =>
    refusals(message, wire).map((failure) => judge(failure));
  const tools = 'Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions.';

  const needed: [message: string, wire: Wire][] = [
    [`${tools} Please use /v1/responses instead.`, { param: 'reasoning_effort' }],
    [`${tools} To use function tools, use /v1/responses or set reasoning_effort to 'none'.`, {}],
    [
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
      { status: 404, param: 'model' },
    ],
    [
      'This model is only supported in v1/responses and not in v1/chat/completions.',
      { status: 404, param: 'model' },
    ],
    [
      'codex channel: /v1/chat/completions endpoint not supported',
      { status: 500, code: 'convert_request_failed' },
    ],
    ['Unsupported legacy protocol: /v1/chat/completions is not supported. Please use /v1/responses.', {}],
  ];
  for (const [message, wire] of needed) {
    it(`needs responses: ${message.slice(0, 80)}`, () => {
      assert.deepEqual(both(needsResponses, message, wire), [true, true]);
      assert.deepEqual(both(lacksResponses, message, wire), [false, false]);
    });
  }

  const absent: [message: string, wire: Wire][] = [
    ['Invalid URL (POST /v1/responses)', { status: 404 }],
    ['Not Found', { status: 404 }],
    ['Method Not Allowed', { status: 405 }],
    ['Not implemented', { status: 501 }],
  ];
  for (const [message, wire] of absent) {
    it(`lacks responses: ${wire.status} ${message}`, () => {
      assert.deepEqual(both(lacksResponses, message, wire), [true, true]);
      assert.deepEqual(both(needsResponses, message, wire), [false, false]);
    });
  }

  const neither: [message: string, wire: Wire][] = [
    [
      'The model `x` does not exist or you do not have access to it.',
      { status: 404, code: 'model_not_found' },
    ],
    ['Not found', { status: 404, code: 'model_not_found' }],
    ["Item with id 'rs_01' not found.", { status: 404 }],
    ['Please use /v1/responses less often.', { status: 429 }],
    ['not implemented', { status: 500, code: 'internal_error' }],
    ['Bad gateway', { status: 502 }],
    ["Unsupported parameter: 'temperature'.", {}],
  ];
  for (const [message, wire] of neither) {
    it(`says nothing of it: ${wire.status ?? 400} ${message.slice(0, 60)}`, () => {
      const [failure] = refusals(message, wire);
      assert.ok(failure instanceof SwitchboardError);
      assert.deepEqual([needsResponses(failure), lacksResponses(failure)], [false, false]);
    });
  }
});
