import { asObject, type JsonObject, parseJson } from '../../src/base/json.ts';
import type { HttpClient, HttpRequest } from '../../src/net/httpClient.ts';
import { type Reply, replayedResponse } from './replayNetwork.ts';

export interface GotRequest {
  path: string;
  body: JsonObject;
  /** In characters. */
  size: number;
}

/** A network whose relay computes its answer from the request. */
export function servingRelay(
  serve: (request: GotRequest) => Reply | Error,
): HttpClient & { sent: GotRequest[] } {
  const sent: GotRequest[] = [];
  return {
    sent,
    dispose() {},
    async send(request: HttpRequest) {
      const text = typeof request.body === 'string' ? request.body : '';
      const got = {
        path: new URL(request.url).pathname,
        body: asObject(parseJson(text)) ?? {},
        size: text.length,
      };
      sent.push(got);
      const reply = serve(got);
      if (reply instanceof Error) throw reply;
      request.onSent?.();
      async function* body() {
        for (const piece of reply instanceof Error ? [] : (reply.pieces ?? [])) {
          if (piece instanceof Error) throw piece;
          yield Buffer.from(piece);
        }
      }
      return replayedResponse(reply, request, body());
    },
  };
}

export interface ChatAnswer {
  text?: string;
  reasoning?: string;
  calls?: readonly { name: string; arguments: string }[];
  usage?: object;
  model?: string;
}

export function chatAnswer({ text, reasoning, calls = [], usage, model = 'm' }: ChatAnswer): Reply {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return {
    pieces: [
      ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
      ...(text === undefined ? [] : [chunk({ content: text })]),
      ...calls.map((call, index) =>
        chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: call }] }),
      ),
      chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
      ...(usage ? [`data: ${JSON.stringify({ model, choices: [], usage })}\n\n`] : []),
      'data: [DONE]\n\n',
    ],
  };
}

/** Usage has the field names of chat completions. */
export function responsesAnswer({ text, calls = [], usage: told, model = 'm' }: ChatAnswer): Reply {
  const {
    prompt_tokens: input,
    completion_tokens: output,
    prompt_tokens_details: details,
  } = asObject(told) ?? {};
  const usage = told && { input_tokens: input, output_tokens: output, input_tokens_details: details };
  const items = calls.map((call, at) => ({
    type: 'function_call',
    id: `fc_${at}`,
    call_id: `call_${at}`,
    ...call,
  }));
  const events = [
    ...(text === undefined ? [] : [{ type: 'response.output_text.delta', output_index: 0, delta: text }]),
    ...items.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
    { type: 'response.completed', response: { model, status: 'completed', output: [], usage } },
  ];
  return { pieces: events.map((event) => `data: ${JSON.stringify(event)}\n\n`) };
}

export function chatRefusal(status: number, message: string, more: object = {}): Reply {
  return {
    status,
    type: 'application/json',
    pieces: [JSON.stringify({ error: { message, type: 'invalid_request_error', ...more } })],
  };
}
