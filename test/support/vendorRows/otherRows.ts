import { tool } from '../../servers/testClient.ts';
import { skipsSignature, thoughtSignature, type VendorKind } from '../vendorBodies.ts';
import {
  chat,
  exchange,
  longId,
  offered,
  picture,
  readPath,
  reasoned,
  result,
  row,
  type Row,
  said,
  signedAs,
  user,
} from './bodies.ts';

const openai: VendorKind[] = ['openai-chat', 'azure', 'o-series'];

/** Rules of all vendors but Claude and Bedrock, for chat completions. */
export const otherRows: readonly Row[] = [
  row(
    openai,
    'a long id',
    offered(exchange({ id: longId })),
    /^Invalid 'messages\[1\]\.tool_calls\[0\]\.id': string too long\. Expected a string with maximum length 40, but got a string with length 46/,
    offered(exchange({ id: longId.slice(0, 40) })),
  ),
  row(
    openai,
    'our own id of 41 characters',
    offered(exchange({ id: `call_${crypto.randomUUID()}` })),
    /maximum length 40, but got a string with length 41/,
    offered(exchange({ id: `call_${crypto.randomUUID().slice(1)}` })),
  ),
  row(
    openai,
    'a made-up name',
    offered(exchange({ name: 'functions.read_file' })),
    /function\.name': string does not match pattern/,
    offered(exchange({ name: 'functions_read_file' })),
  ),
  row(
    openai,
    'a picture of the assistant',
    chat([user(), { role: 'assistant', content: [picture] }, user()]),
    /Image URLs are only allowed for messages with role 'user'/,
    chat([user([picture]), said(), user()]),
  ),
  row(
    openai,
    'too many tools',
    offered([user()], { tools: Array.from({ length: 129 }, (_, n) => tool(`t${n}`, 'a')) }),
    /maximum length 128, but got an array with length 129/,
    offered([user()], { tools: Array.from({ length: 128 }, (_, n) => tool(`t${n}`, 'a')) }),
  ),
  row(
    openai,
    'a long description',
    offered([user()], { tools: [described('d'.repeat(1025))] }),
    /function\.description': string too long\. Expected a string with maximum length 1024/,
    offered([user()], { tools: [described('d'.repeat(1024))] }),
  ),
  row(
    openai,
    'a name that no tool may have',
    offered([user()], { tools: [tool('a.b', 'x')] }),
    /tools\[0\]\.function\.name': string does not match pattern/,
    offered([user()], { tools: [tool('a_b', 'x')] }),
  ),
  row(
    ['openai-responses'],
    'tools by chat completions',
    offered([user()]),
    /^Function tools with reasoning_effort are not supported for m in \/v1\/chat\/completions\. .*use \/v1\/responses/,
    offered([user()], { reasoning_effort: 'none' }),
  ),
  row(
    ['o-series'],
    'max_tokens',
    chat([user()], { max_tokens: 5 }),
    /Use 'max_completion_tokens' instead/,
    chat([user()], { max_completion_tokens: 5 }),
  ),
  row(
    ['o-series'],
    'a temperature',
    chat([user()], { temperature: 0.2 }),
    /'temperature' does not support 0\.2/,
    chat([user()], { temperature: 1 }),
  ),
  row(
    ['gemini-3'],
    'a call without its signature',
    offered(exchange()),
    /^Function call is missing a thought_signature in functionCall parts/,
    offered(exchange(signedAs(thoughtSignature({ arguments: readPath })))),
  ),
  row(
    ['gemini-3'],
    'a call with the signature of another',
    offered(exchange(signedAs(thoughtSignature({ arguments: '{"path":"b.md"}' })))),
    /^Corrupted thought signature\.$/,
    offered(exchange(signedAs(skipsSignature))),
  ),
  ...['$schema', 'additionalProperties', 'oneOf', 'const', 'exclusiveMinimum', '$ref'].map((word) =>
    row(
      ['gemini-3'],
      `the schema word ${word}`,
      offered([user()], { tools: [withSchema({ a: { type: 'string', [word]: 1 } })] }),
      new RegExp(
        `^Invalid JSON payload received. Unknown name "\\W?${word.replace('$', '')}" at .*Cannot find field`,
      ),
      offered([user()], { tools: [withSchema({ [word]: { type: 'string' } })] }),
    ),
  ),
  row(
    ['gemini-3'],
    'arguments that are no object',
    offered(exchange({ json: '[1]', ...signedAs(skipsSignature) })),
    /^Invalid value at 'contents\[1\]\.parts\[0\]\.function_call\.args'/,
    offered(exchange({ json: '{}', ...signedAs(skipsSignature) })),
  ),
  row(
    ['deepseek-v4'],
    'an answer without its reasoning',
    offered([user(), said(), user()]),
    /^The `reasoning_content` in the thinking mode must be passed back to the API\.$/,
    offered([user(), said('Yes.', reasoned), user()]),
  ),
  row(
    ['deepseek-v4'],
    'empty reasoning',
    offered([user(), said('Yes.', { reasoning_content: '' }), user()]),
    /must be passed back to the API/,
    chat([user(), said(), user()]),
  ),
  row(
    ['deepseek-r1'],
    'reasoning',
    offered([user(), said('Yes.', reasoned), user()]),
    /^The reasoning_content field is not allowed in input messages$/,
    offered([user(), said(), user()]),
  ),
  row(
    ['kimi-k2.5'],
    'a call without its reasoning',
    offered(exchange()),
    /^thinking is enabled but reasoning_content is missing in assistant tool call message at index 1$/,
    offered(exchange({}, reasoned)),
  ),
  row(
    ['kimi-k2.5'],
    'empty reasoning',
    offered(exchange({}, { reasoning_content: '' })),
    /reasoning_content is missing/,
    offered([user(), said(), user()]),
  ),
  row(
    ['kimi-k2.5'],
    'an empty text',
    chat([user(), said(''), user()]),
    /^Invalid request: the message at position 1 with role 'assistant' must not be empty$/,
    chat([user(), said('.'), user()]),
  ),
  row(
    ['mistral'],
    'an id of another form',
    offered(exchange({ id: 'call_0' })),
    /^Tool call id was call_0 but must be a-z, A-Z, 0-9, with a length of 9\.$/,
    offered(exchange({ id: 'call00000' })),
  ),
  row(
    ['mistral'],
    'a user after a result',
    offered([...exchange(), user()]),
    /^Unexpected role 'user' after role 'tool'$/,
    offered([...exchange(), said(), user()]),
  ),
  row(
    ['mistral'],
    'two messages of the user',
    chat([user(), user()]),
    /^Unexpected role 'user' after role 'user'$/,
    chat([user(), said(), user()]),
  ),
  row(
    ['mistral'],
    'a late system message',
    chat([user(), { role: 'system', content: 'Be brief.' }, user()]),
    /^Unexpected role 'system' after role 'user'$/,
    chat([{ role: 'system', content: 'Be brief.' }, user()]),
  ),
  row(
    ['mistral'],
    'an assistant at the end',
    chat([user(), said()]),
    /^Expected last role User or Tool \(or Assistant with prefix True\) for serving but got assistant$/,
    offered(exchange()),
  ),
  row(
    ['mistral'],
    'an empty answer',
    chat([user(), said(''), user()]),
    /must have either content or tool_calls/,
    chat([user(), said('.'), user()]),
  ),
  row(
    ['vllm-strict'],
    'two messages of the user',
    chat([user(), user()]),
    /^After the optional system message, conversation roles must alternate user and assistant/,
    chat([user(), said(), user()]),
  ),
  row(
    ['vllm-strict'],
    'a user after a result',
    offered([...exchange(), user()]),
    /conversation roles must alternate/,
    offered([...exchange(), said(), user()]),
  ),
  row(
    ['vllm-strict'],
    'a late system message',
    chat([user(), said(), { role: 'system', content: 'Be brief.' }, user()]),
    /^System message must be at the beginning\.$/,
    chat([{ role: 'system', content: 'Be brief.' }, user()]),
  ),
  row(['no-tools'], 'tools', offered([user()]), /^m does not support tools$/, chat([user()])),
  row(
    ['no-tools'],
    'calls',
    chat(exchange()),
    /^messages\[1\]\.tool_calls: Extra inputs are not permitted$/,
    chat([user(), said(), user()]),
  ),
  row(
    ['no-tools'],
    'results',
    chat([user(), said(), result()]),
    /^messages\[2\]\.role: unknown variant `tool`/,
    chat([user(), said(), user()]),
  ),
  row(
    ['no-vision', 'deepseek-v4', 'deepseek-r1'],
    'pictures',
    chat([user([{ type: 'text', text: 'Look' }, picture])]),
    /messages\[0\]: unknown variant `image_url`, expected `text`$/,
    chat([user([{ type: 'text', text: 'Look' }])]),
  ),
];

function described(description: string) {
  return { type: 'function', function: { name: 'a', description, parameters: { type: 'object' } } };
}

function withSchema(properties: object) {
  return { type: 'function', function: { name: 'a', parameters: { type: 'object', properties } } };
}
