import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { SwitchboardError } from '../base/errors/errors.ts';
import { asObject, asText, parseJson } from '../base/json.ts';
import { maskExactly } from '../base/secrets/maskAnswer.ts';
import { sanitizeServerMessage } from '../base/text/sanitizeServerMessage.ts';
import { EventStreamDecoder, type ServerEvent } from '../net/eventStream.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import type { Caller, PlatformContext } from './platformCall.ts';
import type { FoundSegment } from './records.ts';
import { route } from './route.ts';

/** A digest of retrieved chunks is some kilobytes. */
const maxDigestCharacters = 400_000;

/**
 * Queries an agent knowledge base: its digest of what it retrieved, as one segment; none if it is empty. Built from the
 * published documentation, `/v1/knowledge-fs`: no server was asked. Source: platform-api.md 7.9.
 */
export async function queryAgentBase(
  context: PlatformContext,
  caller: Caller,
  baseId: string,
  query: string,
  signal: AbortSignal,
): Promise<FoundSegment[]> {
  const admission = await caller.ask(
    {
      method: 'POST',
      path: route`/knowledge-fs/spaces/${baseId}/queries/admission`,
      json: { query, mode: 'fast' },
      isRead: true,
      isNewerRoute: true,
    },
    readAdmission,
    signal,
  );
  const digest = (await runQuery(context, admission, signal)).trim();
  if (!digest) return [];
  const id = createHash('sha256').update(digest).digest('hex').slice(0, 32);
  const segment = { id, documentId: baseId, content: digest, keywords: [], isEnabled: true };
  return [{ segment, documentName: l10n.t('Digest'), childChunks: [] }];
}

const admissionSchema = z.object({
  token: z.string().check(z.minLength(1)),
  trace_id: z.string().check(z.minLength(1)),
  url: z.string(),
  /** Sent back unchanged. */
  request: z.record(z.string(), z.unknown()),
});
type Admission = z.infer<typeof admissionSchema>;

function readAdmission(json: unknown): Admission | undefined {
  return admissionSchema.safeParse(json).data;
}

async function runQuery(
  { http, connection, timeouts, log }: PlatformContext,
  { token, trace_id: traceId, url, request }: Admission,
  signal: AbortSignal,
): Promise<string> {
  const address = queryAddress(url, connection.baseUrl);
  const response = await http.send({
    method: 'POST',
    url: address,
    headers: {
      'user-agent': 'Switchboard',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-trace-id': traceId,
    },
    body: JSON.stringify(request),
    timeouts,
    signal,
    beginsWithEvent: true,
  });
  try {
    log.debug(`POST /knowledge-fs/query-stream: status ${response.status}`);
    if (response.status !== 200) {
      throw notAnswered(await response.text(64 * 1024), { response, token });
    }
    return await readDigest(response, token);
  } finally {
    response.close();
  }
}

/** The token goes to the platform's own origin alone. */
function queryAddress(url: string, baseUrl: string): string {
  const address = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : undefined;
  if (address?.origin === new URL(baseUrl).origin) return address.href;
  throw new SwitchboardError(
    'not-permitted',
    l10n.t(
      'The platform sends queries of this knowledge base to another address ({0}), so nothing was sent. Contact your platform administrator.',
      address?.host ?? sanitizeServerMessage(url),
    ),
  );
}

/** The text up to `answer.done`, which alone is a success. */
async function readDigest(response: HttpResponse, token: string): Promise<string> {
  const decoder = new EventStreamDecoder();
  const digest = { text: '', isDone: false };
  const add = (events: readonly ServerEvent[]): void => {
    for (const { event, data } of events) {
      if (event === 'answer.error') throw notAnswered(data, { response, token });
      if (event === 'answer.done') digest.isDone = true;
      if (event === 'answer.delta') digest.text += asText(asObject(parseJson(data))?.['delta']) ?? '';
    }
  };
  for await (const bytes of response.body) {
    response.onFirstByte();
    response.onProgress();
    add(decoder.decode(bytes));
    if (digest.isDone) return digest.text;
    if (digest.text.length > maxDigestCharacters) {
      throw new SwitchboardError('too-large', l10n.t('The answer of the knowledge base is too long.'), {
        address: response.address,
      });
    }
  }
  add(decoder.end());
  if (digest.isDone) return digest.text;
  throw new SwitchboardError(
    'truncated',
    l10n.t('The answer of the knowledge base was cut off. Try again.'),
    {
      address: response.address,
    },
  );
}

function notAnswered(
  body: string,
  { response: { address, status }, token }: { response: HttpResponse; token: string },
): SwitchboardError {
  const outer = asObject(parseJson(body));
  const told = asObject(outer?.['error']) ?? outer;
  const why = asText(told?.['message']) ?? asText(told?.['code']) ?? asText(outer?.['error']);
  return new SwitchboardError(
    status === 429 ? 'rate-limit' : 'request',
    l10n.t("The knowledge base couldn't answer this query. Try again."),
    { address, status, ...(why && { why: sanitizeServerMessage(maskExactly(why, [token])) }) },
  );
}
