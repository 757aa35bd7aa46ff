import { chatProtocol } from './chatRequest.ts';
import { messagesProtocol } from './messagesRequest.ts';
import type { Protocol } from '../messages.ts';
import { responsesProtocol } from './responsesRequest.ts';
import type { WireProtocol } from './wireProtocol.ts';

export const protocols: Readonly<Record<Protocol, WireProtocol>> = {
  'chat-completions': chatProtocol,
  messages: messagesProtocol,
  responses: responsesProtocol,
};
