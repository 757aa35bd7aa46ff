import {
  comment,
  event,
  hangUp,
  raw,
  refuse,
  refuseForeign,
  type ScriptedModel,
  type Step,
} from '../script/script.ts';
import { chunk, fault, type FaultScript, half } from './fault.ts';

const vendorError = {
  message: 'The server had an error while processing your request.',
  type: 'server_error',
  param: null,
  code: 'internal_error',
};

/** Failures with a 200: inside the stream, or, when not streamed, as its body. */
export const errorsInAnswer: readonly ScriptedModel[] = [
  fault('error-inside-200', '`data: {"error":…}` in mid-answer, then `[DONE]`.', (given) =>
    failing(given, { error: vendorError }, [
      half(given.ordinary),
      event({ error: vendorError }),
      raw('data: [DONE]\n\n'),
      hangUp,
    ]),
  ),
  fault('error-first-in-200', '`data: {"error":…}` as the first and only event of a 200 stream.', (given) =>
    failing(given, { error: vendorError }, [event({ error: vendorError }), hangUp]),
  ),
  fault(
    'bare-json-error',
    'In mid-answer a bare line `{"error":…}` without `data:`, and the end.',
    (given) => {
      const body = {
        error: {
          message: 'upstream error: stream closed',
          type: 'new_api_error',
          param: '',
          code: 'bad_response',
        },
      };
      return failing(given, body, [half(given.ordinary), raw(JSON.stringify(body)), hangUp]);
    },
  ),
  fault(
    'bare-json-error-after-ping',
    'A ping, then a bare line `{"error":…}`: the status was already 200.',
    (given) => {
      const body = {
        error: {
          message: 'upstream error: do request failed',
          type: 'new_api_error',
          param: '',
          code: 'do_request_failed',
        },
      };
      return failing(given, body, [comment('PING'), raw(`${JSON.stringify(body)}\n`), hangUp]);
    },
  ),
  fault('anthropic-bare-error', "In mid-answer a bare line in Anthropic's form, and the end.", (given) => {
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    return failing(given, body, [half(given.ordinary), raw(`${JSON.stringify(body)}\n`), hangUp]);
  }),
  fault('event-error', "OpenAI's `event: error` in mid-answer.", (given) =>
    failing(given, { error: vendorError }, [
      half(given.ordinary),
      event({ error: vendorError }, 'error'),
      hangUp,
    ]),
  ),
  fault(
    'openrouter-midstream-error',
    'A chunk with a top-level `error` and finish reason `error`.',
    (given) => {
      const error = { code: 'server_error', message: 'Provider disconnected unexpectedly' };
      return failing(given, { error: { ...error, code: 502 } }, [
        half(given.ordinary),
        event(
          chunk(given.request, {
            error,
            choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
          }),
        ),
        hangUp,
      ]);
    },
  ),
  fault(
    'litellm-midstream-error',
    '`data: {"error":…}` with the status as text in `code`, then `[DONE]`.',
    (given) => {
      const body = {
        error: {
          message: 'litellm.APIConnectionError: connection lost',
          type: 'None',
          param: 'None',
          code: '500',
        },
      };
      return failing(given, body, [half(given.ordinary), event(body), raw('data: [DONE]\n\n'), hangUp]);
    },
  ),
  fault('json-error-inside-200', 'A whole JSON `{"error":…}` with status 200, streamed or not.', () => [
    refuse({ status: 200, body: { error: vendorError } }),
  ]),
  fault(
    'status-error-with-event-stream-type',
    'A 502 with a JSON error, but of type `text/event-stream`.',
    () => [
      refuse({
        status: 502,
        headers: { 'Content-Type': 'text/event-stream' },
        body: { error: { ...vendorError, type: 'upstream_error' } },
      }),
    ],
  ),
  fault('html-page', "Status 200 and the console's HTML page: the wrong address.", () => [
    refuseForeign({
      status: 200,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
      body: '<!doctype html><html><head><title>Sandbox Console</title></head><body><div id="root"></div></body></html>',
    }),
  ]),
  fault('empty-200', 'Status 200, no type and no body.', () => [refuse({ status: 200, body: '' })]),
  fault('garbage-json', 'A 200 of type JSON whose body is not JSON.', () => [
    refuse({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: '{"choices":[{"index":0,"mess',
    }),
  ]),
  fault('garbage-chunk', 'A `data:` line in mid-answer that is not JSON, then the rest.', ({ ordinary }) => [
    half(ordinary),
    raw('data: {"id":"c1","choi\n\n'),
    { type: 'text', text: ordinary.slice(ordinary.length / 2) },
  ]),
];

function failing({ request }: FaultScript, body: object, steps: readonly Step[]): readonly Step[] {
  return request.stream ? steps : [refuse({ status: 200, body })];
}
