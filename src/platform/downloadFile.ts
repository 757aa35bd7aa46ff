import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/urls.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatSize } from '../base/text/formatSize.ts';
import type { HttpResponse } from '../net/httpResponse.ts';
import { type Caller, type PlatformContext, route } from './platformCall.ts';

/** Files of knowledge bases have at most 15 MB by default; proxies in front allow 100. */
export const maxDownloadBytes = 200 * 1024 * 1024;

/** Downloads from a signed address, without the key: it may be on another server. */
export async function* downloadFile(
  { http, timeouts, log }: Pick<PlatformContext, 'http' | 'timeouts' | 'log'>,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const shown = shownAddress(new URL(address));
  const response = await http.send({
    method: 'GET',
    url: address,
    headers: { 'user-agent': 'Switchboard', accept: '*/*' },
    timeouts,
    signal,
  });
  try {
    log.debug(`GET ${shown}: status ${response.status}`);
    if (response.status !== 200) {
      const message = l10n.t("The file couldn't be downloaded: status {0}.", response.status);
      throw new SwitchboardError('request', message, { address: shown, status: response.status });
    }
    yield* boundedBody(response, shown);
  } finally {
    response.close();
  }
}

/** At most as many documents as the server puts into one archive. */
export const mostInArchive = 100;

export async function* downloadArchive(
  caller: Caller,
  datasetId: string,
  documentIds: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const response = await caller.open(
    {
      method: 'POST',
      path: route`/datasets/${datasetId}/documents/download-zip`,
      json: { document_ids: documentIds },
      isRead: true,
      isNewerRoute: true,
    },
    signal,
  );
  try {
    const { address, contentType } = response;
    if (contentType.includes('json')) {
      throw new SwitchboardError('request', l10n.t('The platform returned no archive.'), { address });
    }
    yield* boundedBody(response, address);
  } finally {
    response.close();
  }
}

async function* boundedBody(
  { headers, body }: HttpResponse,
  shown: string,
): AsyncGenerator<Uint8Array, void> {
  if (Number(headers['content-length'] ?? 0) > maxDownloadBytes) throw tooLarge(shown);
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > maxDownloadBytes) throw tooLarge(shown);
    yield piece;
  }
}

function tooLarge(address: string): SwitchboardError {
  const message = l10n.t(
    'The file is larger than {0}. Download it on the platform.',
    formatSize(maxDownloadBytes),
  );
  return new SwitchboardError('too-large', message, { address });
}
