import { signatureOf } from '../../servers/relay/messagesRequest.ts';
import type { VendorKind } from '../vendorBodies.ts';
import { called, chat, exchange, oddId, offered, result, row, type Row, said, user } from './bodies.ts';

const claude: VendorKind[] = ['claude', 'claude-thinking'];

export const claudeByChat: readonly Row[] = [
  row(
    [...claude, 'bedrock'],
    'repeated ids',
    offered([...exchange({ id: 'call_0' }), ...exchange({ id: 'call_0' }).slice(1)]),
    /^messages: `tool_use` ids must be unique$/,
    offered([...exchange({ id: 'call_0' }), ...exchange({ id: 'call_1' }).slice(1)]),
  ),
  row(
    [...claude, 'bedrock'],
    'an id with a colon',
    offered(exchange({ id: oddId })),
    /tool_use\.id: String should match pattern '\^\[a-zA-Z0-9_-\]\+\$'/,
    offered(exchange({ id: 'functions_read_file_0' })),
  ),
  row(
    claude,
    'a made-up name',
    offered(exchange({ name: 'functions.read_file' })),
    /tool_use\.name: String should match pattern/,
    offered(exchange({ name: 'functions_read_file' })),
  ),
  row(
    claude,
    'an empty text',
    chat([user(''), said(), user()]),
    /^messages: text content blocks must be non-empty$/,
    chat([user('.'), said(), user()]),
  ),
  row(
    claude,
    'a blank text',
    chat([user(), said(' \n'), user()]),
    /must contain non-whitespace text/,
    chat([user(), said('.'), user()]),
  ),
  row(
    claude,
    'an empty result',
    offered([user(), called(), result('abcdefgh1', '')]),
    /must be non-empty/,
    offered(exchange()),
  ),
  row(
    claude,
    'a call without its result',
    offered([user(), called(), user()]),
    /`tool_use` ids were found without `tool_result` blocks immediately after: abcdefgh1/,
    offered([...exchange(), user()]),
  ),
  row(
    claude,
    'a result without its call',
    offered([user(), said(), result()]),
    /unexpected `tool_use_id` found in `tool_result` blocks: abcdefgh1/,
    offered(exchange()),
  ),
  row(
    claude,
    'calls without tools',
    chat(exchange()),
    /^Requests which include `tool_use` or `tool_result` blocks must define tools$/,
    chat([user(), said(), user()]),
  ),
  row(
    claude,
    'arguments that are no object',
    offered(exchange({ json: '{path: a.md' })),
    /tool_use\.input: Input should be a valid dictionary/,
    offered(exchange({ json: '{}' })),
  ),
  row(
    claude,
    'a prefill',
    chat([user(), said('It is')]),
    /^This model does not support assistant message prefill/,
    chat([user(), said('It is'), user()]),
  ),
  row(
    ['bedrock'],
    'two messages of the user',
    chat([user(), user()]),
    /^A conversation must alternate between user and assistant roles/,
    chat([user(), said(), user()]),
  ),
  row(
    ['bedrock'],
    'an assistant at the beginning',
    chat([said(), user()]),
    /^A conversation must start with a user message/,
    chat([user(), said(), user()]),
  ),
  row(
    ['bedrock'],
    'a blank text',
    chat([user(' ')]),
    /^The text field in the ContentBlock object at messages\.0\.content\.0 is blank/,
    chat([user('.')]),
  ),
  row(
    ['bedrock'],
    'calls without tools',
    chat(exchange()),
    /^The toolConfig field must be defined/,
    offered(exchange()),
  ),
  row(
    ['bedrock'],
    'a call without its result',
    offered([user(), called(), user()]),
    /^Expected toolResult blocks at messages\.2\.content for the following Ids: abcdefgh1/,
    offered([...exchange(), user()]),
  ),
  row(
    ['bedrock'],
    'a result without its call',
    offered([user(), said(), result()]),
    /^The number of toolResult blocks at messages\.2\.content exceeds/,
    offered(exchange()),
  ),
  row(
    ['bedrock'],
    'arguments that are no object',
    offered(exchange({ json: '[]' })),
    /^The format of the value at messages\.1\.content\.0\.toolUse\.input is invalid/,
    offered(exchange({ json: '{}' })),
  ),
];

const thought = (text: string, model = 'm') => ({
  ...{ type: 'thinking', thinking: text, signature: signatureOf(model, text) },
});
const use = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a.md' } };
const back = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'text' };
const anthropicTools = [{ name: 'read_file', input_schema: { type: 'object' } }];
const byBlocks = (first: object[], more: object = {}, last: object[] = [back]) => ({
  ...{ model: 'm', max_tokens: 2000, tools: anthropicTools },
  messages: [user(), { role: 'assistant', content: first }, user(last)],
  ...more,
});
const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 } };

export const claudeByMessages: readonly Row[] = [
  row(
    claude,
    'thinking of another model',
    byBlocks([thought('Hm.', 'other'), use]),
    /Invalid `signature` in `thinking` block/,
    byBlocks([thought('Hm.'), use]),
  ),
  row(
    ['claude-thinking'],
    'calls without their thinking',
    byBlocks([use], thinking),
    /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    byBlocks([thought('Hm.'), use], thinking),
  ),
  row(
    ['claude-thinking'],
    'text in place of the thinking before calls',
    byBlocks([{ type: 'text', text: 'Well.' }, use], thinking),
    /but found `text`/,
    byBlocks([use]),
  ),
  row(
    claude,
    'a blank text',
    byBlocks([use], {}, [back, { type: 'text', text: ' ' }]),
    /must contain non-whitespace text/,
    byBlocks([use], {}, [back, { type: 'text', text: '.' }]),
  ),
  row(
    claude,
    'a call without its result',
    byBlocks([use], {}, [{ type: 'text', text: 'Go on' }]),
    /without `tool_result` blocks immediately after/,
    byBlocks([use]),
  ),
  row(
    claude,
    'calls without tools',
    byBlocks([use], { tools: [] }),
    /must define tools/,
    byBlocks([{ type: 'text', text: 'Yes.' }], { tools: [] }, [{ type: 'text', text: 'Go on' }]),
  ),
];
