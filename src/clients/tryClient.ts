import { SwitchboardError } from '../base/errors/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { HttpClient } from '../net/httpClient.ts';
import type { Timeouts } from '../net/transport.ts';
import type { Protocol } from '../relay/messages.ts';
import { protocols } from '../relay/protocols/allProtocols.ts';
import { readReply } from '../relay/readReply.ts';
import { requestHeaders } from '../relay/headers.ts';
import { messageFor } from '../relay/errors/relayMessages.ts';
import { addressFor, type ClientProgram, endpointFor, type Target } from './clientProgram.ts';

export interface TryContext {
  http: HttpClient;
  timeouts: Timeouts;
}

const question = 'hi';

/** Sends what the program would, without our own headers. Resolves with the answer; throws a `SwitchboardError`. */
export async function tryClient(
  { http, timeouts }: TryContext,
  program: Pick<ClientProgram, 'endpoints'>,
  target: Target,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  const { protocol, endpoint } = endpointFor(program, target.protocol);
  const connection = { baseUrl: addressFor(program, target), key, headers: {} };
  const { authorization = '', ...headers } = requestHeaders(connection, {
    accept: 'text/event-stream',
    hasBody: true,
  });
  const url = `${connection.baseUrl}${endpoint.path}`;
  const response = await http.send({
    method: 'POST',
    url,
    headers: {
      ...headers,
      ...(endpoint.keyHeader === 'authorization' ? { authorization } : { 'x-api-key': key }),
      ...protocols[protocol].headers,
    },
    secrets: [key],
    body: JSON.stringify(bodyOf(protocol, target, endpoint.limit)),
    timeouts,
    signal,
    beginsWithEvent: true,
  });
  let text = '';
  try {
    for await (const events of readReply(response, connection, protocols[protocol])) {
      for (const event of events) if (event.type === 'textAdded') text += event.text;
    }
  } finally {
    response.close();
  }
  if (text.trim()) return text;
  throw new SwitchboardError('empty-reply', messageFor('empty-reply', { address: url }), { address: url });
}

function bodyOf(
  protocol: Protocol,
  { models: [{ id: model, maxTokens }] }: Target,
  limit: { field: string; unset?: number } | undefined,
): JsonObject {
  const sent = limit && (maxTokens ?? limit.unset);
  const shared = { model, stream: true, ...(limit && sent !== undefined && { [limit.field]: sent }) };
  const message = { role: 'user', content: question };
  switch (protocol) {
    case 'chat-completions':
      return { ...shared, messages: [message], stream_options: { include_usage: true } };
    case 'messages':
      return { ...shared, messages: [message] };
    case 'responses':
      return {
        ...shared,
        input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] }],
        store: false,
      };
  }
}
