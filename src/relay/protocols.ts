import type { JsonObject } from '../base/json.ts';
import { MessagesReader } from './messagesAnswer.ts';
import { toMessagesBody } from './messagesRequest.ts';
import type { Protocol } from './protocol.ts';
import { toWire } from './toWire.ts';
import { readAnswer } from './wire.ts';
import type { WireProtocol, WireReader } from './wireProtocol.ts';

/** Every chunk is read by itself, so that one reader is enough for all answers. */
const chatReader: WireReader = {
  isWhole: (body) => Array.isArray(body['choices']),
  isFailure: (body) => Boolean(body['error']) || (body['choices'] === undefined && reportsFailure(body)),
  read: readAnswer,
};

/** Failures that come without the word `error`: `{success: false}`, `{message, code}`. */
function reportsFailure(body: JsonObject): boolean {
  return body['success'] === false || body['message'] !== undefined || body['detail'] !== undefined;
}

export const protocols: Readonly<Record<Protocol, WireProtocol>> = {
  'chat-completions': {
    name: 'chat-completions',
    path: '/v1/chat/completions',
    headers: {},
    toBody: toWire,
    fields: ({ maxTokensField }) => ({
      ...{ temperature: 'temperature', maxTokens: maxTokensField, reasoningEffort: 'reasoning_effort' },
    }),
    createReader: () => chatReader,
  },
  messages: {
    name: 'messages',
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    toBody: toMessagesBody,
    fields: () => ({
      ...{ temperature: 'temperature', maxTokens: 'max_tokens' },
      reasoningEffort: 'effort|output_config|thinking|budget_tokens',
    }),
    createReader: () => new MessagesReader(),
  },
};
